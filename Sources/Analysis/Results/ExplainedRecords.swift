internal import ArchiveFile
package import ArchiveRows
internal import Foundation
package import GRDB
internal import HealthModel

/// How many of the records that are no longer visible the kept analyses of neighbours explain.
package enum ExplainedRecords {
    /// Reads them by the later of two neighbours, then by type; a pair without an analysis that still holds is left out.
    ///
    /// - Parameters:
    ///   - observations: the later ones.
    ///   - type: the only one asked for; nil for all.
    /// - Complexity: one row for each type of a kept analysis; nothing is analysed.
    package static func read(
        _ db: Database, chain: Chain, at observations: some Collection<Observation>, type: String? = nil
    ) throws -> [Int64: [String: Int64]] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* How many records the kept analyses of neighbours explain */
                SELECT r.from_import_id, r.to_import_id, r.fingerprint, n.type_identifier,
                    json_extract(t.verdict, '$.explained') AS explained
                FROM analysis_runs r LEFT JOIN analysis_types t ON t.run_id = r.id
                LEFT JOIN sample_types n ON n.id = t.sample_type_id
                WHERE r.through = 0 AND r.rules_version = ? AND r.to_import_id IN (\(observations.map(\.id).sqlList))
                """,
            arguments: [Consolidation.rulesVersion])
        guard !rows.isEmpty else { return [:] }
        let fingerprints = try AnalysisFingerprints(db, chain)
        var holds: [Int64: Bool] = [:]
        var explained: [Int64: [String: Int64]] = [:]
        for row in rows {
            let id: Int64 = try row.get("to_import_id")
            guard let observation = observations.first(where: { $0.id == id }),
                try row.get("from_import_id") as Int64 == chain.previous(of: observation)?.id
            else { continue }
            if holds[id] == nil {
                holds[id] = try row.get("fingerprint") as Data == Data(fingerprints.of(observation).data)
            }
            guard holds[id] == true else { continue }
            explained[id, default: [:]] = explained[id] ?? [:]
            guard let name: String = try row.get("type_identifier"), type == nil || type == name else { continue }
            explained[id]?[name] = try row.get("explained") as Int64? ?? 0
        }
        return explained
    }
}
