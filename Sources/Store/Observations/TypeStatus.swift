package import GRDB
internal import HealthModel

/// How completely an observation knows a type (docs/archive-format.md).
package enum TypeStatus: String, Sendable {
    case completed
    /// The document or the type's folder was not read whole, or items of the type are in quarantine.
    case incomplete
    /// The selection leaves the type out.
    case excluded
    /// Seen before, not in this complete export: its samples disappeared.
    case absent

    /// - Parameters:
    ///   - isIncluded: whether the selection takes the type.
    ///   - isIncomplete: whether items of the type may be missing.
    ///   - read: how many items of the type the export showed.
    package init(isIncluded: Bool, isIncomplete: Bool, read: Int64) {
        self = !isIncluded ? .excluded : isIncomplete ? .incomplete : read > 0 ? .completed : .absent
    }

    /// The status in a row of `type_runs`.
    ///
    /// - Throws: `archiveDamaged` for a word that is none.
    package init(_ row: Row) throws {
        guard let status = try TypeStatus(rawValue: row.get("status")) else { throw HealthProbeError.unreadableValue }
        self = status
    }
}
