internal import GRDB
package import HealthModel
package import Store

/// The answer to a question of consolidation: verdicts by type, and the groups one after the other.
package struct ConsolidationAnswer {
    package let question: ConsolidationQuestion
    /// The diff that was asked about; nil where the answer was stored.
    package let diff: DiffSummary?
    /// One for each type that a state has or that changed, by identifier.
    package let verdicts: [ConsolidationVerdict]
    let reader: GroupReader
    /// Whether the archive had the answer.
    package internal(set) var wasStored = false

    /// Reads the groups in the order of type, start and end of the first replacement.
    ///
    /// - Parameter rows: only the groups that have one of these as a replacement; nil for all.
    package func forEachGroup(
        replacing rows: Set<Int64>? = nil, _ body: (ConsolidationGroup) throws -> Void
    ) throws { try reader.forEach(replacing: rows, body) }

    /// Reads a group's constituents by start, end, identity, version and ordinal.
    package func forEachConstituent(
        of group: ConsolidationGroup, _ body: (ConsolidationGroup.Constituent) throws -> Void
    ) throws {
        try reader.forEachConstituent(of: group.number, body)
    }

    /// The groups that a row belongs to: as a constituent of at most one, and with `through` also as the replacement of
    /// another.
    package func memberships(of rowID: Int64) throws -> [ConsolidationMembership] {
        try reader.memberships(of: rowID)
    }

    /// The units in which the later observation prints the values of each type.
    package func printedUnits() throws -> PrintedUnits { try PrintedUnits(reader.db, at: question.to) }

    /// Where the records of the groups were seen, by type identifier.
    package func mergedRecords() throws -> [String: MergedRecords] { try MergedRecords.read(reader) }

    /// Removes the temporary tables of the answer.
    package func close() {
        if reader.schema == "temp" { try? WorkingTables.drop(reader.db) }
    }
}

/// Which two states of a chain are compared for consolidation.
package struct ConsolidationQuestion: Sendable {
    /// The earlier observation.
    package var from: Observation
    /// The later observation.
    package var to: Observation
    /// Whether the earlier side is everything visible at any observation from `from` up to, not including, `to`.
    package var through: Bool
    /// Which types; nil for all.
    package var types: TypeFilter?

    package init(from: Observation, to: Observation, through: Bool = false, types: TypeFilter? = nil) {
        self.from = from
        self.to = to
        self.through = through
        self.types = types
    }

    /// The same about all types.
    package var ofAllTypes: Self { Self(from: from, to: to, through: through) }
}
