package import HealthModel

/// Names the stored analysis of a question, as long as it speaks of the present states of the chain.
package struct StoredAnalysis: Sendable {
    /// The id of the earlier observation.
    package var from: Int64
    /// The id of the later observation.
    package var to: Int64
    /// Whether the earlier side is everything visible from `from` up to, not including, `to`.
    package var through: Bool
    /// The version of the rules that made it.
    package var rulesVersion: Int
    /// What the chain's states are.
    package var fingerprint: Digest256

    /// Names the analysis of two observations.
    package init(from: Int64, to: Int64, through: Bool, rulesVersion: Int, fingerprint: Digest256) {
        self.from = from
        self.to = to
        self.through = through
        self.rulesVersion = rulesVersion
        self.fingerprint = fingerprint
    }

    /// Its id as an SQL expression: NULL where the archive has no such analysis, or only one of earlier states.
    var id: String {
        """
        (SELECT id FROM analysis_runs WHERE from_import_id = \(from) AND to_import_id = \(to)
                AND through = \(through ? 1 : 0) AND rules_version = \(rulesVersion)
                AND fingerprint = x'\(fingerprint.hex)')
        """
    }
}
