/// The columns that a `VersionCursor` reads, in the order in which a query returns them.
///
/// A row of `record_versions` may share the strict key's columns with the row that `sample_id` names and the payload's with
/// the one that `payload_id` names. The view `full_record_versions` resolves both; a query that follows the index
/// `record_versions_timeline` joins the rows itself, with the columns of `joined`.
package enum VersionColumns: Int32, CaseIterable {
    case rowID, sampleID, typeID, kind, start, duration, value, lexicalForm, descriptorID, creationDelay, metadata,
        identity,
        version
    case ordinal, strictKey, extras, volatileFields, opened, closed

    /// How many there are.
    static let count = Int32(allCases.count)

    /// The columns of a row `alias` of the view `full_record_versions`.
    package static func ofView(_ alias: String) -> String {
        allCases.map { "\(alias).\($0.name)" }.joined(separator: ", ")
    }

    /// The columns of a row of the running import, `alias` of `temp.staged_items`.
    static func ofStaged(_ alias: String) -> String {
        allCases.map { column in
            switch column {
            case .rowID, .sampleID: "\(alias).seq"
            case .ordinal: "0"
            case .opened: "NULL"
            case .closed: "\(ArchiveFormat.open)"
            default: "\(alias).\(column.name)"
            }
        }.joined(separator: ", ")
    }

    /// The columns of a row `row` of the table whose strict key is in the row `key` and whose payload, where it is not its
    /// own, in `p`.
    static func joined(row: String, key: String) -> String {
        allCases.map { column in
            switch column {
            case .sampleID: "\(key).id"
            case .typeID, .kind, .start, .duration, .value, .lexicalForm, .identity, .strictKey: "\(key).\(column.name)"
            case .creationDelay, .metadata, .version, .extras, .volatileFields:
                payload(column.name, row)
            case .rowID, .descriptorID, .ordinal, .opened, .closed: "\(row).\(column.name)"
            }
        }.joined(separator: ", ")
    }

    /// A column of the payload of the table's row `row`, which is joined with its payload's row `p`.
    package static func payload(_ column: String, _ row: String) -> String {
        "iif(\(row).payload_id IS NULL, \(row).\(column), p.\(column))"
    }

    /// A column of the strict key of the table's row `row`, which is joined with its sample's row `k`.
    package static func key(_ column: String, _ row: String) -> String {
        "iif(\(row).sample_id IS NULL, \(row).\(column), k.\(column))"
    }

    /// The end in Unix seconds: the duration behind the start, or the end itself where there is no start.
    static func end(key: String) -> String { "ifnull(\(key).start_seconds, 0) + \(key).duration" }

    private var name: String {
        switch self {
        case .rowID: "id"
        case .sampleID: "sample_id"
        case .typeID: "sample_type_id"
        case .kind: "kind"
        case .start: "start_seconds"
        case .duration: "duration"
        case .value: "value"
        case .lexicalForm: "lexical_form"
        case .descriptorID: "descriptor_id"
        case .creationDelay: "creation_delay"
        case .metadata: "metadata"
        case .identity: "identity"
        case .version: "version"
        case .ordinal: "ordinal"
        case .strictKey: "strict_key"
        case .extras: "extras"
        case .volatileFields: "volatile_fields"
        case .opened: "opened_observation_id"
        case .closed: "closed_observation_id"
        }
    }
}
