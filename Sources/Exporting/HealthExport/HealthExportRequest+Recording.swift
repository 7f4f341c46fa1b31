internal import Archive
internal import GRDB
internal import HealthModel
internal import TextFormats

/// The request in a form that is kept in the archive and asked again from there.
extension HealthExportRequest {
    private static let kind = "health_export"
    /// Which hash is recorded with it: what was recorded with another one is another question.
    private static let hashVersion: Int64 = 2

    /// The kind as recorded exports and manifests name it.
    var kindName: String { isZip ? "health_export_zip" : "health_export_xml" }

    /// The request as canonical JSON; `read` makes it again.
    var json: JSON {
        func texts(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
        var from: Int64?
        var changes: [String] = []
        if case .changes(let first, let kinds) = question {
            from = first.id
            changes = kinds.map(\.rawValue).sorted()
        }
        return .object([
            ("kind", .string(Self.kind)), ("chain", .string(chain.name)), ("state", .string(stateName)),
            ("from", .optional(from)), ("to", .int(observation.id)), ("changes", texts(changes)),
            ("types", typeIdentifiers.map(texts) ?? .null), ("since", .optional(since)), ("until", .optional(until)),
            ("offset", .optional(offsetSeconds.map(Int64.init))), ("zip", .bool(isZip)),
            ("fills_creation_dates", .bool(fillsCreationDates)), ("provenance", .string(provenance.rawValue)),
            ("include", texts(include.map(\.rawValue))), ("hash_version", .int(Self.hashVersion)),
            ("program", .string(HealthModel.program)),
        ])
    }

    /// The observations that a request speaks of; nil for the last alone.
    var fromObservation: Int64? {
        if case .changes(let from, _) = question { from.id } else { nil }
    }

    private var stateName: String {
        switch question {
        case .visible: "visible"
        case .ever: "ever"
        case .finest: "finest"
        case .changes: "changes"
        }
    }

    /// Reads what `json` wrote; nil for anything else.
    ///
    /// - Throws: `unknownChain`, `unknownObservation`.
    static func read(_ db: Database, _ text: String) throws -> HealthExportRequest? {
        guard let stored = JSON.parse(text), stored["kind"]?.string == kind,
            let name = stored["chain"]?.string, let to = stored["to"]?.int,
            let provenance = stored["provenance"]?.string.flatMap(Provenance.init(rawValue:))
        else { return nil }
        func texts(_ member: JSON?) -> [String] { member?.elements.compactMap(\.string) ?? [] }
        func isTrue(_ member: JSON?) -> Bool { if case .bool(true)? = member { true } else { false } }
        let chain = try ObservationResolver.chain(db, name: name)
        func observation(_ id: Int64) throws -> Observation { try ObservationResolver.resolve("\(id)", in: chain) }
        let question: Question
        switch stored["state"]?.string {
        case "visible": question = .visible
        case "ever": question = .ever
        case "finest": question = .finest
        case "changes":
            guard let from = stored["from"]?.int else { return nil }
            question = try .changes(
                from: observation(from), kinds: Set(texts(stored["changes"]).compactMap(ChangeKind.init(rawValue:))))
        default: return nil
        }
        var request = try HealthExportRequest(chain: chain, observation: observation(to), question: question)
        if case .array? = stored["types"] { request.typeIdentifiers = texts(stored["types"]) }
        request.since = stored["since"]?.int
        request.until = stored["until"]?.int
        request.offsetSeconds = stored["offset"]?.int.flatMap { Int32(exactly: $0) }
        request.isZip = isTrue(stored["zip"])
        request.fillsCreationDates = isTrue(stored["fills_creation_dates"])
        request.provenance = provenance
        request.include = texts(stored["include"]).compactMap(Provenance.Part.init(rawValue:))
        return request
    }

    /// The id that the export has now.
    ///
    /// - Throws: what the database says.
    func exportID(_ db: Database) throws -> String {
        let chainHash = try String.fetchOne(
            db, sql: "SELECT device_chain_hash FROM device_chains WHERE id = ?", arguments: [chain.id])
        // The same export imported again may have brought side files that belong to no item.
        let list = history.map(String.init).joined(separator: ", ")
        let files = try Int64.fetchOne(
            db, sql: "SELECT count(*) FROM import_side_files WHERE import_id IN (\(list))")
        return ExportIdentifier.make(
            json, chainHash: chainHash, history: chain.finished.filter { history.contains($0.id) },
            surroundings: isZip ? [files ?? 0] : nil,
            keyID: provenance == .hashed ? try ArchiveInfo.identity(db).keyID : nil)
    }
}
