package import GRDB

/// Which sources of two states count as the same: equal names, or an old name that occurs nowhere in the new state
/// with a new name that occurs nowhere in the old one (docs/cli.md, `diff`).
package struct SourceNames {
    package let before: Set<Int64>
    package let after: Set<Int64>
    /// The class of all names that occur on one side only.
    private static let renamed: Int64 = -1

    /// The ids of the names that occur in each whole state; 0, no name, is equal to itself.
    package init(before: Set<Int64>, after: Set<Int64>) {
        self.before = before
        self.after = after
    }

    /// The names of the states of some observations, all of which make up the earlier side, and of one.
    package init(_ db: Database, before: [Int64], after: Int64) throws {
        self.before = try before.reduce(into: []) { try $0.formUnion(Self.names(db, at: $1)) }
        self.after = try Self.names(db, at: after)
    }

    /// The ids of the names that occur in an observation's state.
    package static func names(_ db: Database, at observation: Int64) throws -> Set<Int64> {
        try Int64.fetchSet(
            db, sql: "SELECT DISTINCT source_id FROM type_sums WHERE import_id = ? AND visible_count > 0",
            arguments: [observation])
    }

    /// A number that is equal for two sources, one of each side (0 before, 1 after), if they are the same.
    func sourceClass(_ source: Int64, side: Int) -> Int64 {
        let other = side == 0 ? after : before
        return source == 0 || other.contains(source) ? source : Self.renamed
    }
}
