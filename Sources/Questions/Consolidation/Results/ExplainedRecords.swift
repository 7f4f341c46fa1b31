package import GRDB
internal import HealthModel
package import Store

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
        let pairs = Dictionary(observations.map { ($0.id, (later: $0, from: chain.previous(of: $0)?.id)) }) {
            first, _ in first
        }
        let rows = try Row.fetchCursor(
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
        var fingerprints: AnalysisFingerprints?
        var holds: [Int64: Bool] = [:]
        var explained: [Int64: [String: Int64]] = [:]
        while let row = try rows.next() {
            let id: Int64 = try row.get("to_import_id")
            guard let pair = pairs[id], try row.get("from_import_id") as Int64 == pair.from else { continue }
            if holds[id] == nil {
                let known = try fingerprints ?? AnalysisFingerprints(db, chain)
                fingerprints = known
                holds[id] = try row.get("fingerprint") as Digest256 == known.of(pair.later)
                if holds[id] == true { explained[id] = [:] }
            }
            guard holds[id] == true, let name: String = try row.get("type_identifier"), type == nil || type == name
            else { continue }
            explained[id]?[name] = try row.get("explained") as Int64? ?? 0
        }
        return explained
    }
}
