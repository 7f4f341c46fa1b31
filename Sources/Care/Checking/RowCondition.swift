internal import HealthModel
internal import Store

/// What no single row of `record_versions` may be.
struct RowCondition {
    /// Rows that meet the condition, for people.
    let what: String
    let sql: String

    /// All of them; they are tested in one pass.
    static let all = [references, numbers, columns, link]

    static let references = RowCondition(
        what: "record versions whose type, chain, descriptor or metadata set does not exist",
        sql: """
            sample_type_id NOT IN (SELECT id FROM sample_types) OR device_chain_id NOT IN (SELECT id FROM device_chains)
                OR descriptor_id NOT IN (SELECT id FROM descriptors)
                OR (typeof(metadata) = 'integer' AND metadata NOT IN (SELECT id FROM metadata_sets))
            """)

    static let numbers = RowCondition(
        what: "record versions whose id or ordinal is out of range",
        sql: "id NOT BETWEEN 1 AND \(IdentityIndex.highestRowID) OR ordinal < 0")

    static let columns = RowCondition(
        what: "record versions that hold the key's or the payload's columns wrongly",
        sql: """
            (sample_id IS NULL AND (identity IS NULL OR length(identity) <> 32 OR sample_type_id IS NULL
                    OR kind IS NULL OR kind NOT BETWEEN 0 AND \(ItemKind.unknown.rawValue)
                    OR (kind = \(ItemKind.record.rawValue)) <> (strict_key IS NULL)))
                OR (version IS NULL) <> (payload_id IS NOT NULL) OR ifnull(length(version), 32) <> 32
                OR (sample_id IS NOT NULL AND (identity IS NOT NULL OR sample_type_id IS NOT NULL
                    OR start_seconds IS NOT NULL OR duration IS NOT NULL OR value IS NOT NULL
                    OR lexical_form IS NOT NULL OR strict_key IS NOT NULL OR kind IS NOT NULL))
                OR (payload_id IS NOT NULL AND (creation_delay IS NOT NULL OR metadata IS NOT NULL
                    OR extras IS NOT NULL OR volatile_fields IS NOT NULL))
                OR typeof(value) = 'blob' OR typeof(metadata) NOT IN ('null', 'integer', 'text')
                OR (lexical_form IS NOT NULL AND typeof(value) NOT IN ('integer', 'real'))
            """)

    static let link = RowCondition(
        what: "record versions whose link to an earlier one is malformed",
        sql: """
            (previous_id IS NOT NULL AND match_rule IS NULL) OR match_rule NOT BETWEEN 0 AND 5
                OR (match_rule IS NOT NULL AND (opened_observation_id IS NULL
                    OR ifnull(\(StoredLink.previous()), id) = id))
                OR superseded NOT IN (0, 1) OR (superseded = 1 AND closed_observation_id = \(ArchiveFormat.open))
            """)
}
