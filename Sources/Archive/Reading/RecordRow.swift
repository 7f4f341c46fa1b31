package import HealthModel

/// One copy of a representation of a sample, with all that the archive stores of it.
package struct RecordRow: Sendable {
    /// A record's value as it is stored.
    package enum Value: Sendable, Equatable {
        case absent
        case number(Double)
        case text(String)
    }

    package var rowID: Int64
    package var identity: Digest256
    package var version: Digest256
    package var ordinal: Int64
    /// The sample type's identifier.
    package var type: String
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var value: Value
    /// The number as the export spells it, where that is not the shortest spelling.
    package var lexicalForm: String?
    package var unit: String?
    package var sourceName: String?
    package var sourceVersion: String?
    /// Canonical JSON object of the device's fields.
    package var device: String?
    package var creation: Int64?
    /// Canonical JSON object of the metadata.
    package var metadata: String?
    /// Canonical JSON object of the payload's further members.
    package var extras: String?
    /// Canonical JSON array of the strict key; nil for plain records.
    package var strictKey: String?
}
