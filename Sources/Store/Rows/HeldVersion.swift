package import Basics
package import HealthModel

/// A row of a `VersionCursor` that outlives its step: texts are slices of an arena, valid until that is emptied.
package struct HeldVersion {
    package enum Value {
        case absent
        case number(Double)
        /// The text is `valueText`.
        case text
    }

    package var rowID: Int64 = 0
    /// The row with the strict key's columns.
    package var sampleID: Int64 = 0
    package var typeID: Int64 = 0
    package var kind = ItemKind.record
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var creation: Int64?
    package var value = Value.absent
    package var valueText = ByteSlice.absent
    /// The number as the export prints it, where that is not the shortest decimal.
    package var lexicalForm = ByteSlice.absent
    package var descriptorID: Int64 = 0
    /// The metadata's shared set; nil where the row has its own in `metadata`, or none.
    package var metadataID: Int64?
    /// Canonical JSON object of the metadata.
    package var metadata = ByteSlice.absent
    /// Canonical JSON object of the payload's further members.
    package var extras = ByteSlice.absent
    /// Canonical JSON object of what is printed but no part of the payload.
    package var volatileFields = ByteSlice.absent
    /// Canonical JSON array of the strict key; absent for plain records.
    package var strictKey = ByteSlice.absent
    package var identity = Digest256()
    package var version = Digest256()
    package var ordinal: Int64 = 0
    /// The observation that opened the last range; nil for the chain's first.
    package var opened: Int64?
    /// The observation that closed it; -1 while it is open.
    package var closed = ArchiveFormat.open

    /// What the item has beside the columns; nil for a plain record.
    ///
    /// - Throws: `archiveDamaged` where that cannot be read.
    package func item(in arena: ByteBuffer) throws -> StoredItem? {
        if strictKey.isAbsent, extras.isAbsent, kind == .record { return nil }
        let item = StoredItem(kind: kind, strictKey: arena.bytes(of: strictKey), extras: arena.bytes(of: extras))
        guard let item else { throw HealthProbeError.damagedRow("record_versions", rowID) }
        return item
    }

    /// The value with its text.
    package func value(in arena: ByteBuffer) -> VersionCursor.Value {
        switch value {
        case .absent: .absent
        case .number(let number): .number(number)
        case .text: arena.bytes(of: valueText).map { .text($0) } ?? .absent
        }
    }

    /// Whether the row comes before another of its type: start, end (absent first), identity, version, ordinal.
    static func precedes(_ a: HeldVersion, _ b: HeldVersion) -> Bool {
        if a.start != b.start { return (a.start ?? .min) < (b.start ?? .min) }
        if a.end != b.end { return (a.end ?? .min) < (b.end ?? .min) }
        if a.identity != b.identity { return a.identity < b.identity }
        if a.version != b.version { return a.version < b.version }
        return a.ordinal < b.ordinal
    }
}

extension ByteBuffer {
    /// The bytes of a slice; nil for an absent one. Valid until the buffer changes.
    package func bytes(of slice: ByteSlice) -> ByteView? {
        slice.isAbsent ? nil : view(slice)
    }
}
