package import Basics
package import GRDB

/// The rows of a set, type after type, in the order of a listing: start, end (absent first), identity, version, ordinal.
///
/// The index `record_versions_timeline` gives the order of starts; rows of one start are held and sorted, and where they are
/// too many for that SQLite sorts them.
/// - Complexity: one pass along the index; memory for the rows of one start, bounded.
package final class RecordListing {
    private let db: Database
    private let set: RecordSet
    /// The texts of the rows that `next` returned; those of the last one are valid until it is called again.
    package let arena = ByteBuffer(capacity: 1 << 16)

    /// The rows that have a strict key, of the present type.
    private var keys: VersionCursor?
    /// The prepared statements of `keys`, with and without a start: an export may have tens of thousands of types.
    private var keyCursors: [Bool: VersionCursor] = [:]
    /// Whether `keys` is on a row that was not looked at yet.
    private var hasKey = false
    /// Whether the rows with a start come behind those of `keys`.
    private var hasDatedRows = false
    private var type: Int64 = 0
    /// The rows of one start in order, and how many of them were returned.
    private var held: [HeldVersion] = []
    private var returned = 0
    /// The rows of one start that are too many to be held.
    private var sorted: VersionCursor?

    private let hasVariants: Bool
    /// Which keys have variants; nil where none has.
    private let keysWithVariants: SparseBitmap?
    private var variants: VersionCursor?
    /// Rows of one start that are sorted here, and the bytes that they may take.
    private static let maximumHeld = 20_000
    private static let maximumHeldBytes = 4 << 20

    package init(_ db: Database, _ set: RecordSet) throws {
        self.db = db
        self.set = set
        hasVariants =
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM record_versions INDEXED BY record_versions_by_sample
                        WHERE sample_id IS NOT NULL)
                    """) ?? true
        keysWithVariants = hasVariants ? try .keysWithVariants(db) : nil
    }

    /// Calls `body` with every row of a type.
    package func forEach(type: Int64, _ body: (HeldVersion) throws -> Void) throws {
        try begin(type: type)
        while let version = try next() { try body(version) }
    }

    /// Goes to the first row of a type.
    private func begin(type: Int64) throws {
        self.type = type
        clear()
        // Without a start there is nothing that an interval could be compared with.
        hasDatedRows = !set.hasInterval
        try begin(isDated: !hasDatedRows)
    }

    /// The next row; nil behind the last of its type.
    package func next() throws -> HeldVersion? {
        while true {
            if let sorted {
                arena.removeAll()
                if try sorted.next() { return try sorted.held(in: arena) }
                self.sorted = nil
            }
            if returned < held.count {
                returned += 1
                return held[returned - 1]
            }
            clear()
            if !hasKey {
                guard hasDatedRows else { return nil }
                hasDatedRows = false
                try begin(isDated: true)
            }
            try gather()
        }
    }

    private func clear() {
        held.removeAll(keepingCapacity: true)
        returned = 0
        arena.removeAll()
    }

    private func begin(isDated: Bool) throws {
        // A sample that is not in the set itself may have another representation that is.
        let keys = try keyCursors[isDated] ?? keyCursor(isDated: isDated)
        keyCursors[isDated] = keys
        keys.reset()
        keys.bind(1, type)
        self.keys = keys
        hasKey = try keys.next()
    }

    private func keyCursor(isDated: Bool) throws -> VersionCursor {
        let isInSet = set.condition(onRow: "s")
        return try VersionCursor(
            db,
            """
            SELECT \(VersionColumns.joined(row: "s", key: "s")), \(hasVariants ? isInSet : "1")
            FROM record_versions s INDEXED BY record_versions_timeline LEFT JOIN record_versions p ON p.id = s.payload_id
            WHERE s.sample_type_id = ?1 AND s.sample_id IS NULL
                AND s.start_seconds IS \(isDated ? "NOT NULL" : "NULL")
                AND \(set.condition(onKey: "s"))\(hasVariants ? "" : " AND \(isInSet)")
            ORDER BY s.start_seconds
            """)
    }

    /// Holds the rows of the next start, or has SQLite sort them where they are too many.
    private func gather() throws {
        guard hasKey, let keys else { return }
        let start = try keys.start
        while hasKey, try keys.start == start {
            if try keys.further(0) != 0 { held.append(try keys.held(in: arena)) }
            if hasVariants, keysWithVariants?.contains(keys.rowID) ?? true { try holdVariants(of: keys.rowID) }
            hasKey = try keys.next()
            guard held.count > Self.maximumHeld || (held.count > 1 && arena.count > Self.maximumHeldBytes) else {
                continue
            }
            clear()
            sorted = try sortedRows(start: start)
            while hasKey, try keys.start == start { hasKey = try keys.next() }
        }
        if held.count > 1 { held.sort(by: HeldVersion.precedes) }
    }

    private func holdVariants(of sample: Int64) throws {
        let variants =
            try variants
            ?? VersionCursor(
                db,
                """
                SELECT \(VersionColumns.joined(row: "c", key: "s"))
                FROM record_versions c JOIN record_versions s ON s.id = c.sample_id
                LEFT JOIN record_versions p ON p.id = c.payload_id
                WHERE c.sample_id = ?1 AND \(set.condition(onRow: "c"))
                """)
        self.variants = variants
        variants.bind(1, sample)
        while try variants.next() { held.append(try variants.held(in: arena)) }
        variants.reset()
    }

    /// All rows of one start, sorted by SQLite.
    private func sortedRows(start: Int64?) throws -> VersionCursor {
        let rows = try VersionCursor.timeline(
            db, of: set, type: type, "AND s.start_seconds IS ?2 AND \(set.condition(onKey: "s"))")
        rows.bind(2, start)
        return rows
    }
}
