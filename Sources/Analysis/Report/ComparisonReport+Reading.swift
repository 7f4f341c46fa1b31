package import Archive
package import GRDB
package import HealthModel

extension ComparisonReport {
    /// Reads a report from the archive.
    ///
    /// - Parameter types: nil for all.
    /// - Throws: `usage` where `from` is later than `to`.
    /// - Complexity: grows with what changed between the two, and with the days of the types that changed.
    package static func read(
        _ db: Database, chain: Chain, from: Observation, to: Observation, through: Bool, types: TypeFilter?
    ) throws -> ComparisonReport {
        var unexplained: [String: [Int64]] = [:]
        let rows = try RecordRows(db)
        let diff = try Diff.run(db, chain: chain, from: from, to: to, types: types, source: nil) { change in
            guard case .disappeared(let id) = change, let type = try rows.fetch(id)?.type else { return }
            if unexplained[type, default: []].count < Limits.unexplained { unexplained[type, default: []].append(id) }
        }
        var report = ComparisonReport(
            from: try .read(db, from), to: try .read(db, to), through: through, observations: chain.finished, zone: nil,
            rulesVersion: "1", types: [], unchanged: [],
            queries: [ArchiveSQL.timeline(chain: chain.name)]
                + ArchiveSQL.comparison(chain, from: from, to: to, through: through),
            seal: nil)
        let counts = try VisibleCounts.read(db, chain)
        for type in diff.types {
            guard type.appeared + type.disappeared + type.representationChanged > 0 else {
                report.unchanged.append((type.type, type.after))
                continue
            }
            report.types.append(
                TypeSection(
                    diff: type, isCumulative: QuantityTypeTable.shared[type.type].isCumulative,
                    counts: counts[type.type] ?? [], consolidation: nil,
                    unexplained: try (unexplained[type.type] ?? []).compactMap { try rows.fetch($0) }, days: [], dayCount: 0,
                    queries: ArchiveSQL.comparison(chain, from: from, to: to, through: through, types: [type.type])))
        }
        report.types.sort { ($1.diff.disappeared, $0.diff.type) < ($0.diff.disappeared, $1.diff.type) }
        return report
    }
}

/// How many records of each type were visible at each observation of a chain.
enum VisibleCounts {
    /// By type identifier, one count an observation in chain order.
    static func read(_ db: Database, _ chain: Chain) throws -> [String: [Int64]] {
        var counts: [String: [Int64]] = [:]
        for (index, observation) in chain.finished.enumerated() {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT t.type_identifier, r.visible_count FROM type_runs r
                    JOIN sample_types t ON t.id = r.sample_type_id WHERE r.import_id = ?
                    """,
                arguments: [observation.id])
            while let row = try rows.next() {
                let type: String = row["type_identifier"]
                if counts[type] == nil { counts[type] = [Int64](repeating: 0, count: chain.finished.count) }
                counts[type]?[index] = row["visible_count"]
            }
        }
        return counts
    }
}
