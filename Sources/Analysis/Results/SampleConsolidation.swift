internal import ArchiveComparing
package import ArchiveRows
package import GRDB

/// What one sample was merged into, and what it replaced: the groups to which its rows belong, over the whole chain.
package enum SampleConsolidation {
    /// A group with one of the sample's rows in it.
    package struct Part: Sendable {
        package var group: ConsolidationGroup
        package var role: ConsolidationMembership.Role
        package var rowID: Int64
        package var replacements: [RecordRow]
        /// The group's constituents with their records, at most ``SampleConsolidation/mostListed``; empty where the sample
        /// is a constituent itself.
        package var constituents: [(constituent: ConsolidationGroup.Constituent, record: RecordRow)]
    }

    /// A series replaces some hundred records; only a forged one more than that.
    package static let mostListed = 10_000
    /// How far around the sample records are looked at, in seconds: no workout is longer.
    private static let neighbourhood: Int64 = 86_400

    /// Analyses the neighbourhood of some rows of one sample.
    ///
    /// - Returns: the parts in the order of the groups.
    /// - Complexity: grows with the records of the type within a day around the sample.
    package static func read(_ db: Database, chain: Chain, records: [RecordRow]) throws -> [Part] {
        guard let first = chain.finished.first, let last = chain.finished.last,
            let start = records.compactMap(\.start).min(), let end = records.compactMap({ $0.end ?? $0.start }).max(),
            let type = records.first?.type,
            let typeID = try SampleTypeNames.id(db, of: type)
        else { return [] }
        let around = """
            SELECT c.id FROM record_versions k INDEXED BY record_versions_timeline CROSS JOIN record_versions c ON c.id = k.id OR c.sample_id = k.id
            LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE k.sample_type_id = \(typeID) AND k.sample_id IS NULL AND k.device_chain_id = \(chain.id)
                AND k.start_seconds BETWEEN \(start - neighbourhood) AND \(end + neighbourhood)
            """
        defer { try? WorkingTables.drop(db) }
        let question = ConsolidationQuestion(from: first, to: last, through: true)
        let reader = try Consolidation.findGroups(db, chain: chain, question) { scope, loader in
            try loader.load(
                "\(around) AND c.closed_observation_id IN (\(scope.idList)) AND c.superseded = 0", as: .disappeared)
            try loader.load(
                """
                \(around) AND (c.opened_observation_id IS NOT NULL OR (\(CondenserIdentifier.condition("c.")))
                    OR (\(CondenserIdentifier.condition("p."))))
                """, as: .appeared)
            try WorkingTables.indexRecords(db)
        }.groups
        var roles: [Int64: [(ConsolidationMembership.Role, Int64)]] = [:]
        for record in records {
            for membership in try reader.memberships(of: record.rowID) {
                roles[membership.group, default: []].append((membership.role, record.rowID))
            }
        }
        var parts: [Part] = []
        let rows = try RecordReader(db)
        try reader.forEach { group in
            for (role, rowID) in roles[group.number] ?? [] {
                var constituents: [(ConsolidationGroup.Constituent, RecordRow)] = []
                try reader.forEachConstituent(of: group.number) { constituent in
                    guard role == .replacement, constituents.count < mostListed else { return }
                    constituents.append((constituent, try rows.fetch(constituent.rowID)))
                }
                parts.append(
                    Part(
                        group: group, role: role, rowID: rowID,
                        replacements: try rows.fetch(group.replacements), constituents: constituents))
            }
        }
        return parts
    }
}
