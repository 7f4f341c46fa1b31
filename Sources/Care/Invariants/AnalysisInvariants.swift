internal import GRDB

/// Stored results of analyses are whole.
///
/// Whether they are still those of the chain's states is a question of their fingerprint, not of the archive's soundness.
enum AnalysisInvariants {
    static let all = [InvariantCheck("H01-analyses") { try $0.firstViolations(analyses) }]

    private static let analyses = [
        (
            "analyses with a group without a replacement",
            """
            SELECT g.run_id FROM analysis_groups g WHERE NOT EXISTS (
                SELECT 1 FROM analysis_members m WHERE m.run_id = g.run_id AND m.number = g.number AND m.role = 0)
            """
        ),
        (
            "analyses with a disappeared record version in two groups",
            """
            SELECT run_id FROM analysis_members WHERE role = 1 AND disappeared_record_version_id IS NOT NULL
            GROUP BY run_id, disappeared_record_version_id HAVING count(*) > 1
            """
        ),
        (
            "analyses with groups of a type without a verdict",
            """
            SELECT g.run_id FROM analysis_groups g LEFT JOIN analysis_types t
                ON t.run_id = g.run_id AND t.sample_type_id = g.sample_type_id WHERE t.run_id IS NULL
            """
        ),
    ]
}
