internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Fills `analysis_records` with what an analysis asks of a row: when it was there, its value in the canonical unit with
/// the precision that an export leaves it, and the condenser's identifier.
final class RecordLoader {
    private let db: Database
    private let scope: ChainScope
    private let units: CanonicalUnits
    let lineages: RecordLineages
    private let names: ArchiveNames
    /// A number for each source version, so that SQLite compares integers; 0 for none.
    private var sourceVersions: [ExactText: Int64] = [:]
    private let insert: PreparedStatement

    init(_ db: Database, scope: ChainScope, units: CanonicalUnits, names: ArchiveNames) throws {
        self.db = db
        self.scope = scope
        self.units = units
        lineages = try RecordLineages(db, scope: scope)
        self.names = names
        insert = try PreparedStatement(
            db,
            """
            INSERT OR IGNORE INTO temp.analysis_records (id, type, start, end, opened, closed, last_import, source,
                first_source, device, version, descriptor, value, tolerance, weight, low, high, appeared, disappeared, mark,
                workout)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// What the rows of a query are to the question.
    enum Role {
        /// Visible in the earlier side alone: those that another row continues wait in `analysis_waiting`.
        case disappeared
        case appeared
        case other
    }

    /// Loads the rows whose ids a query returns; those loaded before stay as they are.
    ///
    /// Only quantities are loaded (a number with a unit and an interval), and only rows that are visible at the later
    /// observation or gone before it without being continued.
    /// - Parameter disappeared: SQL for the row of the earlier side, where it is another one than the row itself; `i` is
    ///   the query's row.
    func load(_ query: String, as role: Role, disappeared: String = "NULL") throws {
        let rows = try PreparedStatement(
            db,
            """
            SELECT f.id, f.sample_type_id, f.start_seconds, f.end_seconds, f.descriptor_id, f.value,
                \(Self.syncIdentifier), f.opened_observation_id, f.closed_observation_id, f.superseded, f.match_rule, f.previous_id, \(disappeared)
            FROM (\(query)) i CROSS JOIN full_record_versions f ON f.id = i.id
            WHERE f.device_chain_id = \(scope.chain.id) AND typeof(f.value) IN ('integer', 'real')
                AND f.start_seconds IS NOT NULL AND f.end_seconds >= f.start_seconds
                AND NOT EXISTS (SELECT 1 FROM temp.analysis_records r WHERE r.id = i.id)
            """)
        defer { rows.reset() }
        while try rows.step() { try add(rows, role) }
    }

    /// The text that may be a condenser's identifier, of a row `f` of `full_record_versions`.
    static let syncIdentifier = """
        CASE WHEN typeof(f.metadata) = 'text' AND instr(f.metadata, '"HKMetadataKeySyncIdentifier":"') > 0
            THEN json_extract(f.metadata, '$.HKMetadataKeySyncIdentifier') END
        """

    private func number(ofVersion version: String?) -> Int64 {
        guard let version = version.map(ExactText.init(_:)) else { return 0 }
        let next = Int64(sourceVersions.count + 1)
        let number = sourceVersions[version] ?? next
        if number == next { sourceVersions[version] = next }
        return number
    }

    private func add(_ row: PreparedStatement, _ role: Role) throws {
        let id = row.int(0)
        let type = row.int(1)
        let stored = StoredRow(statement: row)
        let descriptor = try names.descriptor(stored.integer(4))
        guard let unit = descriptor.unit, let number = try stored.number(5),
            let value = try units.value(number, unit: unit, type: type)
        else { return }
        let span = try lineages.span(
            rowID: id, opened: row.optionalInt(7), closed: row.int(8), superseded: row.int(9) != 0)
        guard let span else { return }
        if span.isContinued {
            guard role == .disappeared else { return }
            return try db.executeCached("INSERT OR IGNORE INTO temp.analysis_waiting VALUES (?)", [id])
        }
        let begin =
            row.isNull(10)
            ? (position: span.opened, descriptor: row.int(4))
            : try lineages.begin(previous: row.int(11), position: span.opened, descriptor: row.int(4))
        let text = row.text(6)
        let mark = text.flatMap { CondenserIdentifier($0) }
        let ticks = CondenserIdentifier.ticksPerSecond
        insert.bind(1, id)
        insert.bind(2, type)
        let (start, end) = try (stored.instant(2) ?? 0, stored.instant(3) ?? 0)
        insert.bind(3, start)
        insert.bind(4, end)
        insert.bind(5, Int64(begin.position))
        insert.bind(6, optional: span.closed.map { Int64($0) })
        insert.bind(7, optional: span.closed.flatMap { scope.id(at: $0 - 1) })
        insert.bind(8, descriptor.sourceID)
        insert.bind(9, try names.descriptor(begin.descriptor).sourceID)
        insert.bind(10, descriptor.deviceID)
        insert.bind(11, self.number(ofVersion: descriptor.sourceVersion))
        insert.bind(12, row.int(4))
        insert.bind(13, value.value)
        insert.bind(14, value.tolerance)
        insert.bind(15, mark.map { Int64($0.count) } ?? Int64(1))
        insert.bind(16, mark?.start ?? start * ticks)
        insert.bind(17, mark?.end ?? end * ticks)
        insert.bind(18, Int64(role == .appeared ? 1 : 0))
        insert.bind(19, optional: role == .disappeared ? id : row.optionalInt(12))
        insert.bindNull(20)
        insert.bindNull(21)
        if let mark, let text {
            insert.bind(20, text: text)
            insert.bind(21, text: mark.workout)
        }
        try insert.run()
    }
}
