package import GRDB
package import TextFormats

/// Walks the copies visible at an observation in the order of a listing, without collecting them.
///
/// Types in byte order of their identifiers; within one, start, end (absent first), identity, version, ordinal. The
/// index `record_versions_timeline` gives the order of starts; copies of one start are held, sorted, and handed on, and where
/// they are too many for that SQLite sorts them.
/// - Complexity: one pass along the index; memory for the copies of one start, bounded.
package final class RecordStream {
    private let db: Database
    /// The texts of the copy that is being looked at.
    package let arena = ByteBuffer(capacity: 1 << 16)
    private var held: [StoredCopy] = []
    private let columns: StoredCopyColumns
    private let condition: String
    private let visible: String
    private let sampleVisible: String
    private let shared: SharedKeys
    private let hasVariants: Bool
    private let isInterval: Bool
    /// Copies of one start that are sorted here, and the bytes that they may take.
    private static let maximumHeld = 20_000
    private static let maximumHeldBytes = 4 << 20

    /// - Parameters:
    ///   - since: only copies that end at or after this instant; one without an end counts with its start.
    ///   - until: only copies that start before this instant.
    package init(
        _ db: Database, chain: Chain, at observation: Observation, since: Int64? = nil, until: Int64? = nil
    ) throws {
        self.db = db
        columns = try StoredCopyColumns(db)
        visible = Visibility.sql("c", through: chain.ids(through: observation))
        sampleVisible = Visibility.sql("s", through: chain.ids(through: observation))
        var conditions = ["s.device_chain_id = \(chain.id)"]
        if let until { conditions.append("s.start_seconds < \(until)") }
        if let since { conditions.append("s.start_seconds + ifnull(s.duration, 0) >= \(since)") }
        condition = conditions.joined(separator: " AND ")
        isInterval = since != nil || until != nil
        shared = try SharedKeys(db)
        hasVariants = !shared.isEmpty
    }

    /// The archive's sample types in byte order of their identifiers.
    package static func types(_ db: Database) throws -> [(id: Int64, identifier: String)] {
        try Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types ORDER BY type_identifier")
            .map { try ($0.get("id"), $0.get("type_identifier")) }
    }

    /// Hands on every copy of a type.
    package func forEach(type: Int64, _ body: (StoredCopy) throws -> Void) throws {
        if !isInterval { try walk(type, dated: false, body) }
        try walk(type, dated: true, body)
    }

    private func walk(_ type: Int64, dated: Bool, _ body: (StoredCopy) throws -> Void) throws {
        // A sample that is not visible itself may have another representation that is.
        let (shown, filter) = hasVariants ? (sampleVisible, "") : ("1", "AND \(sampleVisible)")
        let rows = try UnsafeStatement(
            db,
            """
            SELECT \(columns.list(copy: "s")), \(shown)
            FROM record_versions s INDEXED BY record_versions_timeline LEFT JOIN record_versions p ON p.id = s.payload_id
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL
                AND s.start_seconds IS \(dated ? "NOT NULL" : "NULL") AND \(condition) \(filter)
            ORDER BY s.start_seconds
            """)
        rows.bind(1, type)
        let isShown = Int32(StoredCopyColumns.count)
        var others: UnsafeStatement?
        var skipped: Int64?
        while try rows.step() {
            let start = rows.optionalInt(StoredCopyColumns.start)
            if let first = held.first, first.start != start { try emit(body) }
            if let skipped, let start, skipped == start { continue }
            if rows.int(isShown) != 0 { held.append(columns.read(rows, into: arena)) }
            if hasVariants, shared.contains(rows.int(0)) {
                let statement = try others ?? variantStatement()
                others = statement
                statement.bind(1, rows.int(0))
                while try statement.step() { held.append(columns.read(statement, into: arena)) }
                statement.reset()
            }
            if held.count > Self.maximumHeld || (held.count > 1 && arena.count > Self.maximumHeldBytes) {
                clear()
                try sorted(type, start: start, body)
                // Copies without a start are one group, and the last of their walk.
                guard let start else { return }
                skipped = start
            }
        }
        try emit(body)
    }

    private func emit(_ body: (StoredCopy) throws -> Void) throws {
        if held.count > 1 { held.sort(by: StoredCopy.precedes) }
        for copy in held { try body(copy) }
        clear()
    }

    private func clear() {
        held.removeAll(keepingCapacity: true)
        arena.removeAll()
    }

    private func variantStatement() throws -> UnsafeStatement {
        try UnsafeStatement(
            db,
            """
            SELECT \(columns.list(copy: "c")) FROM record_versions c JOIN record_versions s ON s.id = c.sample_id
            LEFT JOIN record_versions p ON p.id = c.payload_id WHERE c.sample_id = ?1 AND \(visible)
            """)
    }

    /// All copies of one start in order, sorted by SQLite.
    private func sorted(_ type: Int64, start: Int64?, _ body: (StoredCopy) throws -> Void) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT \(columns.list(copy: "c"))
            FROM record_versions s INDEXED BY record_versions_timeline CROSS JOIN record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL AND s.start_seconds IS ?2 AND \(condition)
                AND (c.id = s.id OR c.sample_id = s.id) AND \(visible)
            ORDER BY \(StoredEnd.sql(sample: "s")), s.identity, iif(c.payload_id IS NULL, c.version, p.version), c.ordinal
            """)
        rows.bind(1, type)
        rows.bind(2, optional: start)
        while try rows.step() {
            arena.removeAll()
            try body(columns.read(rows, into: arena))
        }
        arena.removeAll()
    }
}
