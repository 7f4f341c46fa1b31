/// What a dump holds and, type by type, what became of the dump before: the counts to which an analysis is held.
package struct DumpSummary: Codable, Sendable {
    /// Counts of one type.
    package struct TypeCounts: Codable, Sendable, Equatable {
        /// Items in the dump before and in this one.
        package var before = 0
        package var after = 0
        /// By cause: `newDays`, `duplicated`, `condensed`, …
        package var appeared: [String: Int] = [:]
        package var disappeared: [String: Int] = [:]
        /// By causes joined with `+`: `rename`, `rename+restore`, …
        package var representationChanged: [String: Int] = [:]

        /// Counts of a type that nothing happened to.
        package init(before: Int = 0, after: Int = 0) {
            self.before = before
            self.after = after
        }
    }

    /// Counts of consolidation groups of one basis.
    package struct GroupCounts: Codable, Sendable, Equatable {
        package var groups = 0
        package var constituents = 0
        /// Constituents that the dump before never showed.
        package var neverSeen = 0
    }

    /// Damage of one kind.
    package struct Damage: Codable, Sendable, Equatable {
        /// Line of the XML at which it begins; nil for damage to the zip.
        package var firstLine: Int?
        /// Items that are whole enough to be stored (of type StepCount; an unknown element and a workout with zones excepted).
        package var stored: Int
        /// Items that can only be put aside.
        package var quarantined: Int
    }

    /// 1 for the first dump.
    package var dump: Int
    /// The file or folder, relative to the output.
    package var file: String
    /// As printed: `2025-06-30 09:25:00 +0200`.
    package var exportDate: String
    package var offsetSeconds: Int
    package var locale: String
    package var exportVersion: Int
    package var days: Int
    /// Size and lines of the main XML.
    package var xmlByteCount = 0
    package var xmlLineCount = 0
    /// Top-level records, and all items together.
    package var records = 0
    package var items = 0
    /// The changes since the dump before, as text.
    package var changes: [String] = []
    /// True if the file ends in the middle of a record: then the counts of types say what was written.
    package var isTruncated = false
    /// What was damaged, by kind; the damaged items are not among the counts by type.
    package var malformations: [String: Damage] = [:]
    package var types: [String: TypeCounts] = [:]
    /// By basis: `condenserIdentifier`, `intervalAndSum`, `coalesced`.
    package var groups: [String: GroupCounts] = [:]
    /// By kind: `deletion`, `otherSource`, `wrongTotal`, `category`.
    package var decoys: [String: Int] = [:]
}
