package import Days
package import GRDB
package import HealthModel
package import History
package import Store

/// What changed between two observations, per type.
package struct DiffSummary: Sendable {
    package struct TypeDiff: Sendable {
        package var type: String
        package var before: Int64
        package var after: Int64
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        package var representationChanged: Int64 = 0
        package var matchRules: [(String, Int64)] = []
        package var changedFields: [(String, Int64)] = []
        package var labels: [DiffLabel] = []
        package var uncertainty: [Uncertainty] = []
        /// The local days whose aggregate changed.
        package var days = ChangedDays()
        /// How many records of the type differ.
        package var changes: Int64 { appeared + disappeared + representationChanged }

        package init(type: String, before: Int64, after: Int64) {
            self.type = type
            self.before = before
            self.after = after
        }
    }

    package var from: Observation
    package var to: Observation
    /// Whether the earlier side is everything visible at any observation from `from` up to, not including, `to`.
    package var through = false
    /// The zone of the days; nil where the chain has none.
    package var zone: ChainZone?
    /// All types that either state has or that changed, by identifier.
    package var types: [TypeDiff]
    /// The kinds of side files that either state has.
    package var sideFiles: [SideFileDiff]
    /// Whether both states are the same.
    package var isEmpty: Bool { types.allSatisfy { $0.changes == 0 } && sideFiles.allSatisfy(\.isEmpty) }

    package init(
        from: Observation, to: Observation, through: Bool = false, zone: ChainZone?, types: [TypeDiff],
        sideFiles: [SideFileDiff]
    ) {
        self.from = from
        self.to = to
        self.through = through
        self.zone = zone
        self.types = types
        self.sideFiles = sideFiles
    }
}

/// One difference, by the ids of the rows.
package enum DiffChange: Sendable {
    /// The differences that `--change` chooses from.
    package enum Kind: String, CaseIterable, Sendable {
        case appeared, disappeared, representationChanged
    }

    case appeared(rowID: Int64)
    case disappeared(rowID: Int64)
    /// - Parameter steps: how the one became the other, where stored links of several neighbours join them; else empty.
    case representationChanged(matchRule: MatchRule, steps: [LinkStep], before: Int64, after: Int64)

    /// Which difference it is.
    package var kind: Kind {
        switch self {
        case .appeared: .appeared
        case .disappeared: .disappeared
        case .representationChanged: .representationChanged
        }
    }
}

/// The comparison of two visible states (docs/design.md), on the rows that were opened or closed in between.
///
/// - Complexity: grows with what changed between the two, not with the archive.
package enum Diff {
    /// Compares two observations of a chain.
    ///
    /// - Parameters:
    ///   - through: take for the earlier side everything that was visible at any observation from `from` up to, not
    ///     including, `to`; a sample counts once, in its last representation in that span.
    ///   - types: nil for all.
    ///   - source: the sources of which one side of a difference must be; nil for all.
    ///   - forEach: called with every difference, ordered by type, start, identity, version and ordinal.
    ///   - queries: is given the statements that yield the differences and the counts, with what they rest on; nil where nobody asks.
    /// - Throws: `usage` where `from` is later than `to`.
    package static func run(
        _ db: Database, chain: Chain, from: Observation, to: Observation, through: Bool = false, types: TypeFilter?,
        source: SourceFilter?, forEach: ((DiffChange) throws -> Void)?, queries: (([PrintedQuery]) -> Void)? = nil
    ) throws -> DiffSummary {
        func compare() throws -> DiffTables {
            try DiffTables(db, chain: chain, from: from, to: to, through: through, types: types, source: source)
        }
        let (tables, filling) = try queries == nil ? (compare(), []) : PrintedQuery.run(on: db, compare)
        defer { tables.drop() }
        var listing: [PrintedQuery] = []
        if let forEach {
            let list = { try tables.stream(forEach) }
            if queries == nil { try list() } else { listing = try PrintedQuery.run(on: db, list).queries }
        }
        return try tables.summary(
            queries.map { print in
                { try print(tables.basis(filling, lists: !listing.isEmpty) + listing + $0) }
            })
    }
}
