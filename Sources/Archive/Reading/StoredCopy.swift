package import HealthModel
package import TextFormats

/// One copy as its columns are stored, for code that runs per record: texts are slices of the stream's memory.
///
/// Valid until the stream goes on; the slices lie in the stream's `arena`.
package struct StoredCopy {
    /// How the value is stored.
    package enum Value {
        case absent
        case number(Double)
        /// The text is `valueText`.
        case text
    }

    package var rowID: Int64 = 0
    /// The row with the strict key's columns.
    package var sampleID: Int64 = 0
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var creation: Int64?
    package var value = Value.absent
    package var valueText = ByteSlice.absent
    /// The number as the export prints it, where that is not the shortest decimal.
    package var lexicalForm = ByteSlice.absent
    package var descriptorID: Int64 = 0
    /// The metadata's shared row; nil where the copy has its own in `metadata`, or none.
    package var metadataID: Int64?
    /// Canonical JSON object of the metadata.
    package var metadata = ByteSlice.absent
    /// Canonical JSON object of the payload's further members.
    package var extras = ByteSlice.absent
    /// Canonical JSON array of the strict key; absent for plain records.
    package var strictKey = ByteSlice.absent
    package var identity = Digest256()
    package var version = Digest256()
    package var ordinal: Int64 = 0
    /// The observation that opened the last range; nil for the chain's first.
    package var opened: Int64?
    /// The observation that closed it; -1 while it is open.
    package var closed: Int64 = -1
    /// Whether the copy has earlier ranges.
    package var hasPast = false

    /// Whether the copy comes before another of its type: start, end (absent first), identity, version, ordinal.
    static func precedes(_ a: StoredCopy, _ b: StoredCopy) -> Bool {
        if a.start != b.start { return (a.start ?? .min) < (b.start ?? .min) }
        if a.end != b.end { return (a.end ?? .min) < (b.end ?? .min) }
        if a.identity != b.identity { return a.identity < b.identity }
        if a.version != b.version { return a.version < b.version }
        return a.ordinal < b.ordinal
    }
}
