package import GRDB
package import HealthModel

/// One finished or unfinished import as the commands name it.
package struct Observation: Sendable, Equatable {
    package enum Status: String, Sendable {
        case started, partial, completed, failed, cancelled, withdrawn

        /// Whether the observation has a visible state.
        package var isFinished: Bool { self == .partial || self == .completed }
    }

    package var id: Int64
    package var chain: String
    package var chainID: Int64
    /// 1 for the chain's first finished observation; nil for unfinished ones.
    package var position: Int?
    /// The same; 0 for unfinished ones.
    package var order: Int { position ?? 0 }
    package var status: Status
    package var observedAt: Int64
    package var startedAt: Double
    package var endedAt: Double?
    package var offsetSeconds: Int64?
    package var timeZone: String?
    package var locale: String?
    package var exportVersion: String?
    package var note: String?
    package var program: String
    package var sourceName: String
    package var sourceForm: String
    package var sourceMember: String
    package var sourceByteCount: Int64
    package var sourceSHA256: Digest256?
    package var xmlByteCount: Int64?
    package var xmlSHA256: Digest256?
    package var stoppedLine: Int64?
    package var stoppedByte: Int64?
    package var stoppedReason: String?
    /// The XML parser's own words where it was the parser that stopped.
    package var stoppedMessage: String?
    package var typeSelection: TypeSelection
    package var streamDigest: StateDigest?
    package var stateDigest: StateDigest?
    package var failure: String?

    /// The ids of the finished observations of all chains.
    package static func finishedIDs(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT id FROM imports WHERE status IN ('partial', 'completed') ORDER BY id")
    }

    init(_ row: Row) throws {
        id = try row.get("id")
        chain = try row.get("chain")
        chainID = try row.get("device_chain_id")
        position = try row.get("chain_position")
        guard let known = try Status(rawValue: row.get("status")) else { throw HealthProbeError.unreadableValue }
        status = known
        observedAt = try row.get("observed_at")
        startedAt = try row.get("started_at")
        endedAt = try row.get("ended_at")
        offsetSeconds = try row.get("offset_seconds")
        timeZone = try row.get("time_zone")
        locale = try row.get("locale")
        exportVersion = try row.get("export_version")
        note = try row.get("note")
        program = try row.get("program")
        sourceName = try row.get("source_name")
        sourceForm = try row.get("source_form")
        sourceMember = try row.get("source_member")
        sourceByteCount = try row.get("source_byte_count")
        sourceSHA256 = try row.get("source_sha256")
        xmlByteCount = try row.get("xml_byte_count")
        xmlSHA256 = try row.get("xml_sha256")
        stoppedLine = try row.get("stopped_line")
        stoppedByte = try row.get("stopped_byte")
        let stop = try row.get("stopped_reason") as String?
        let words = stop?.hasPrefix("xml:") == true ? stop?.split(separator: " ", maxSplits: 1).map(String.init) : nil
        (stoppedReason, stoppedMessage) = (words?.first ?? stop, words.flatMap { $0.count > 1 ? $0[1] : nil })
        typeSelection = try Self.selection(row.get("type_selection"))
        streamDigest = try row.get("stream_digest")
        stateDigest = try row.get("state_digest")
        failure = try row.get("failure")
        guard observedAt.magnitude < ArchiveFormat.highestInstant,
            (offsetSeconds ?? 0).magnitude < ArchiveFormat.highestInstant
        else { throw HealthProbeError.unreadableValue }
    }

    /// An import that has not finished states none.
    private static func selection(_ stored: String?) throws -> TypeSelection {
        guard let stored else { return .all }
        guard let selection = TypeSelection(json: stored) else { throw HealthProbeError.unreadableValue }
        return selection
    }
}

/// The observations of one device chain in chain order.
package struct Chain: Sendable {
    package var id: Int64
    package var name: String
    /// Finished observations, oldest first.
    package var finished: [Observation]
    /// All imports, failed and cancelled ones too, by id.
    package var all: [Observation]

    package init(id: Int64, name: String, finished: [Observation], all: [Observation]) {
        self.id = id
        self.name = name
        self.finished = finished
        self.all = all
    }

    /// Reads a chain; nil where the archive has none of that name.
    package static func read(_ db: Database, name: String) throws -> Chain? {
        let named = try db.cachedStatement(sql: "SELECT id FROM device_chains WHERE name = ?")
        guard let id = try Int64.fetchOne(named, arguments: [name]) else { return nil }
        // Every page of a site reads this; of a copied row SQLite's names of columns would be compared one by one.
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT i.*, o.chain, o.chain_position
                    FROM imports i JOIN observations o ON o.id = i.id
                    WHERE i.device_chain_id = ? ORDER BY i.id
                    """),
            arguments: [id])
        var all: [Observation] = []
        while let row = try rows.next() {
            guard let observation = try? Observation(row) else {
                throw try HealthProbeError.damagedRow("imports", row.get("id"))
            }
            all.append(observation)
        }
        let finished = all.filter { $0.position != nil }.sorted { $0.order < $1.order }
        return Chain(id: id, name: name, finished: finished, all: all)
    }

    /// Reads the chain that an observation is of; nil where the archive has no such observation.
    package static func read(_ db: Database, with observation: Int64) throws -> Chain? {
        let named = try db.cachedStatement(
            sql: "SELECT c.name FROM imports i JOIN device_chains c ON c.id = i.device_chain_id WHERE i.id = ?")
        return try String.fetchOne(named, arguments: [observation]).flatMap { try read(db, name: $0) }
    }

    /// The names of all chains of an archive, in the order in which they were made.
    package static func names(_ db: Database) throws -> [String] {
        try String.fetchAll(db.cachedStatement(sql: "SELECT name FROM device_chains ORDER BY id"))
    }

    /// The finished observation before another; nil before the first and for one that is not finished.
    package func previous(of observation: Observation) -> Observation? {
        finished.firstIndex { $0.id == observation.id }.flatMap { $0 > 0 ? finished[$0 - 1] : nil }
    }

    /// The finished observation after another; nil after the last and for one that is not finished.
    package func next(of observation: Observation) -> Observation? {
        finished.firstIndex { $0.id == observation.id }.flatMap { $0 + 1 < finished.count ? finished[$0 + 1] : nil }
    }

    /// The place in `finished` of each of its observations, by id.
    package var places: [Int64: Int] { Dictionary(finished.enumerated().map { ($1.id, $0) }) { first, _ in first } }

    /// The ids of the observations up to and including one: what `Visibility` needs.
    package func ids(through observation: Observation) -> [Int64] {
        finished.prefix { $0.id != observation.id }.map(\.id) + [observation.id]
    }
}

/// The link of a row to the one that it continues.
package enum StoredLink {
    /// The SQL expression for the earlier row, for a row of `record_versions` with a match rule.
    package static func previous(_ alias: String? = nil) -> String {
        let row = alias.map { $0 + "." } ?? ""
        return "coalesce(\(row)previous_id, \(row)sample_id, \(row)payload_id)"
    }
}

/// The SQL condition that a row is visible at an observation.
///
/// A range begins with the observation that opened it and ends before the one that closed it, so a row is visible at
/// an observation when it was opened at or before it and not closed at or before it; "at or before" is a list of ids,
/// because ids say nothing about time.
package enum Visibility {
    /// The condition that a row was visible at any of these observations, which are a chain's first ones.
    package static func everSQL(_ alias: String, through ids: [Int64]) -> String {
        """
        (\(alias).device_chain_id = (SELECT device_chain_id FROM imports WHERE id = \(ids.first ?? 0))
            AND (\(isOpened(alias, by: ids)) OR EXISTS (
                SELECT 1 FROM past_ranges past
                WHERE past.record_version_id = \(alias).id AND \(isOpened("past", by: ids)))))
        """
    }

    /// The condition that one of these observations, a chain's first ones, opened a range, which is not empty.
    static func isOpened(_ alias: String, by ids: [Int64]) -> String {
        """
        ((\(alias).opened_observation_id IS NULL OR \(alias).opened_observation_id IN (\(ids.sqlList)))
            AND \(isShown(alias)))
        """
    }

    /// The condition that a range is not empty: where an export placed before its own shows it too, no observation is left
    /// that a range belongs to.
    package static func isShown(_ alias: String) -> String {
        "\(alias).opened_observation_id IS NOT \(alias).closed_observation_id"
    }

    /// The condition for the columns of `record_versions` under an alias.
    package static func sql(_ alias: String, through ids: [Int64]) -> String {
        guard !ids.isEmpty else { return "0" }
        let list = ids.sqlList
        func range(_ alias: String) -> String {
            """
            (\(alias).opened_observation_id IS NULL OR \(alias).opened_observation_id IN (\(list)))
                AND (\(alias).closed_observation_id = \(ArchiveFormat.open)
                    OR \(alias).closed_observation_id NOT IN (\(list)))
            """
        }
        return """
            (\(range(alias)) OR EXISTS (
                SELECT 1 FROM past_ranges past WHERE past.record_version_id = \(alias).id AND \(range("past"))))
            """
    }
}
