/// The fields in which two linked records differ, as SQL: what `RecordRow.changedFields` returns.
enum ChangedFieldsSQL {
    /// Common table expressions behind `links`: `fields` (`after_id`, `sample_type_id`, `field`), each field of a link once.
    static let fields: String = {
        let columns = [
            ("source", "source_id"), ("source_version", "source_version"), ("device", "device_id"), ("unit", "unit_id"),
        ].map { ($0.0, "%d." + $0.1) }
        let own = [
            ("creation", "creation_seconds"), ("start", "start_seconds"), ("end", "end_seconds"), ("value", "value"),
            ("extras", "extras"), ("key", "strict_key"),
        ].map { ($0.0, "%." + $0.1) }
        let metadata = (
            "metadata",
            "iif(typeof(%.metadata) = 'integer', (SELECT m.metadata FROM metadata_sets m WHERE m.id = %.metadata), %.metadata)"
        )
        let selected = ["a", "b"].flatMap { side in
            (columns + own + [metadata]).map { name, sql in
                "\(sql.replacing("%", with: side)) AS \(side)_\(name)"
            }
        }
        return """
            linked AS (
                SELECT l.after_id, l.sample_type_id,
                    \(selected.joined(separator: ",\n        "))
                FROM links l JOIN full_record_versions a ON a.id = l.before_id JOIN full_record_versions b ON b.id = l.after_id
                JOIN descriptors ad ON ad.id = a.descriptor_id JOIN descriptors bd ON bd.id = b.descriptor_id),
            fields (after_id, sample_type_id, field) AS (
                \((plain + [attributes, members("a", "b"), members("b", "a")]).joined(separator: "\n    UNION ")))
            """
    }()

    private static let plain = [
        ("sourceName", "source"), ("sourceVersion", "source_version"), ("device", "device"),
        ("creationDate", "creation"), ("metadata", "metadata"), ("startDate", "start"), ("endDate", "end"),
        ("value", "value"), ("unit", "unit"),
    ].map { name, column in
        "SELECT after_id, sample_type_id, '\(name)' FROM linked WHERE a_\(column) IS NOT b_\(column)"
    }

    /// What a strict key has beside instants.
    private static let attributes: String = {
        func texts(_ side: String) -> String {
            "(SELECT json_group_array(value) FROM json_each(\(side)_key) WHERE key < 3 AND type = 'text')"
        }
        return "SELECT after_id, sample_type_id, 'attributes' FROM linked WHERE \(texts("a")) IS NOT \(texts("b"))"
    }()

    /// The members of one side's object that are others on the other side; a characteristic's only attribute is its value.
    private static func members(_ one: String, _ other: String) -> String {
        """
        SELECT after_id, sample_type_id, iif(m.key = 'attributes' AND (
                    SELECT group_concat(n.key) FROM json_each(ifnull(
                        json_extract(a_extras, '$.attributes'), json_extract(b_extras, '$.attributes'))) n) = 'value',
                'value', m.key)
            FROM linked, json_each(\(one)_extras) m
            WHERE m.value IS NOT (SELECT n.value FROM json_each(\(other)_extras) n WHERE n.key = m.key)
        """
    }
}
