package import GRDB
package import HealthModel
package import History
package import Store

/// What the archive knows of one sample: its representations, when each was visible, what happened to them, and the
/// samples that it continues or that continue it.
package struct History: Sendable {
    /// A span of observations; `last` is the first one that no longer showed the row.
    package struct Range: Sendable {
        package var first: Observation
        package var last: Observation?

        /// Whether the range shows an observation of its chain.
        package func contains(_ observation: Observation) -> Bool {
            let position = observation.order
            return first.order <= position && position < (last?.position ?? .max)
        }
    }

    /// One row of a representation.
    package struct Version: Sendable {
        package var record: RecordRow
        package var ranges: [Range]
    }

    /// What an observation changed.
    package struct Event: Sendable {
        package var observation: Observation
        package var change: DiffChange.Kind
        /// By which pass the change was found; nil for what appeared and disappeared.
        package var matchRule: MatchRule?
        package var record: RecordRow
        /// The representation before, where it belongs to the same sample.
        package var previous: RecordRow?
    }

    /// A sample linked by passes 3 to 5.
    package struct Link: Sendable {
        package var observation: Observation
        package var matchRule: MatchRule
        /// Whether the other sample came before this one.
        package var isPrevious: Bool
        package var own: RecordRow
        package var other: RecordRow
    }

    package var chain: String
    package var identity: Digest256
    /// In the order in which they were first visible.
    package var versions: [Version]
    /// In chain order.
    package var events: [Event]
    package var links: [Link]

    /// Reads the history of the sample whose identity starts with the given hexadecimal digits.
    ///
    /// - Throws: `usage` where that is no prefix, or one of no sample or of several.
    package static func read(_ db: Database, chain: Chain, prefix: String) throws -> History {
        let sample = try IdentityLookup.sample(db, chain: chain, prefix: prefix)
        var reader = try HistoryReader(db, chain: chain)
        return try reader.history(of: sample.rowID, identity: sample.identity)
    }

    /// The rows of a sample that any observation shows, the row with the strict key included, by id, with their ranges.
    static func rows(
        _ db: Database, of sample: Int64, chain: Chain
    ) throws -> [(rowID: Int64, ranges: [RowRange])] {
        let ids = try Int64.fetchAll(
            db, sql: "SELECT ?1 UNION ALL SELECT id FROM record_versions WHERE sample_id = ?1", arguments: [sample])
        return try ids.sorted().map { ($0, try RowRanges.read(db, of: $0, chain: chain)) }.filter { !$0.ranges.isEmpty }
    }
}
