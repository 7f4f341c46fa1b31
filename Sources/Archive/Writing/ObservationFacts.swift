internal import GRDB
internal import HealthModel

/// What an observation's own export showed and left out, from what is stored of it: from this and the state before it
/// its own state follows.
struct ObservationFacts {
    let observation: Observation
    /// Items that the file itself showed, by type.
    private(set) var read: [Int64: Int64] = [:]
    private(set) var statuses: [Int64: TypeStatus] = [:]
    private(set) var quarantined: Set<Int64> = []
    private(set) var typeNames: [Int64: String] = [:]
    private let missingFolders: ImportRequest.MissingFolders

    init(_ db: Database, _ observation: Observation) throws {
        self.observation = observation
        for row in try Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types") {
            try typeNames[row.get("id")] = row.get("type_identifier")
        }
        for row in try Row.fetchAll(
            db, sql: "SELECT sample_type_id, status, read_count FROM type_runs WHERE import_id = ?",
            arguments: [observation.id])
        {
            try statuses[row.get("sample_type_id")] = TypeStatus(row)
            let count: Int64 = try row.get("read_count")
            if count > 0 { try read[row.get("sample_type_id")] = count }
        }
        quarantined = try Int64.fetchSet(
            db,
            sql: """
                SELECT DISTINCT t.id FROM quarantine q JOIN sample_types t ON t.type_identifier = q.type_identifier
                WHERE q.import_id = ?
                """,
            arguments: [observation.id])
        missingFolders = try ImportRequest.MissingFolders(db, of: observation)
    }

    /// Whether the import looked for a type.
    func includes(_ type: Int64) -> Bool {
        if let status = statuses[type] { return status != .excluded }
        return observation.typeSelection.includes(typeNames[type])
    }

    /// The types of which the observation says that it left them out: its file showed them, or they were known before.
    var excludedTypes: Set<Int64> { Set(statuses.filter { $0.value == .excluded }.keys) }

    /// The status of a type of which the file showed `read` items.
    func status(of type: Int64, read: Int64) -> TypeStatus {
        TypeStatus(
            isIncluded: includes(type),
            isIncomplete: observation.status != .completed || quarantined.contains(type)
                || typeNames[type].map(missingFolders.makesIncomplete) ?? false,
            read: read)
    }

    /// The types whose samples stay as they were before: excluded ones, and ECGs without their folder.
    var carriedTypes: Set<Int64> {
        Set(
            typeNames.keys.filter { type in
                !includes(type)
                    || (typeNames[type] == SampleType.electrocardiogram && missingFolders.contains(.electrocardiograms))
            })
    }
}

extension ImportRequest.MissingFolders {
    /// The folders that an observation's export had not.
    init(_ db: Database, of observation: Observation) throws {
        self.init(
            kinds: try String.fetchSet(
                db, sql: "SELECT kind FROM absent_folders WHERE import_id = ?", arguments: [observation.id]))
    }
}
