package import GRDB
package import Store

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

    /// Analyses the neighbourhood of some rows of one sample.
    ///
    /// - Returns: the parts in the order of the groups.
    /// - Complexity: grows with the records of the type within a day around the sample.
    package static func read(_ db: Database, chain: Chain, records: [RecordRow]) throws -> [Part] {
        guard let last = chain.finished.last, let start = records.compactMap(\.start).min(),
            let end = records.compactMap({ $0.end ?? $0.start }).max(), let type = records.first?.type,
            let typeID = try SampleTypeNames.id(db, of: type),
            let answer = try Consolidation.analyse(
                db, chain: chain, to: last, types: [typeID], around: start...max(start, end))
        else { return [] }
        defer { answer.close() }
        let reader = answer.reader
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
