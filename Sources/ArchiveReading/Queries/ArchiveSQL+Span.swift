internal import ArchiveComparing
internal import ArchiveRows

/// The earlier side of a question with `--through`, as SQL.
extension ArchiveSQL {
    /// Common table expressions, for a recursive `WITH`: `returned` (`id`) and `released` (`id`) are what a diff found of
    /// samples that came back inside the span; their ids are spelled out as runs.
    static func returns(_ diff: DiffSummary) -> String {
        [("returned", diff.returned), ("released", diff.released)].map { name, runs in
            let values = runs.map { "(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")
            return """
                \(name)_runs (first, last) AS (\(values.isEmpty ? "SELECT NULL, NULL WHERE 0" : "VALUES \(values)")),
                \(name) (id, last) AS (
                    SELECT first, last FROM \(name)_runs UNION ALL SELECT id + 1, last FROM \(name) WHERE id < last)
                """
        }.joined(separator: ",\n")
    }

    /// The rows of the earlier side: what its last observation shows; what was closed inside the span, unless another
    /// row continues it or its sample came back as another one; and what counts as gone though another one continues it.
    static func earlierSide(_ span: DiffSpan) -> String {
        let inner = span.inner.map { String($0.id) }.joined(separator: ", ")
        return """
            SELECT r.record_version_id AS id FROM record_version_ranges r WHERE \(condition(span.chain, span.before))
                    UNION SELECT r.record_version_id FROM record_version_ranges r WHERE r.last_observation_id IN (\(inner))
                        AND r.superseded = 0 AND r.record_version_id NOT IN (SELECT id FROM returned)
                    UNION SELECT id FROM released
            """
    }
}
