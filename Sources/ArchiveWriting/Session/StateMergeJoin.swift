internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// A merge join of the items of an export with the visible rows of the state before it, within a window.
///
/// An export lists most samples in nearly the order in which the last one did, and the archive's rows keep that order
/// within each import and type. So the next row of the type's import that matched last is nearly always the answer; a
/// window around it covers local disorder, and what falls out of it is compared by sorting when the file has been read.
/// An item of the sample whose row is expected, in another version, is that row's successor, and neither is sorted where
/// no other row and no other item is of that sample.
final class StateMergeJoin {
    /// Rows looked at before and behind the expected one.
    private static let window = 512
    /// The cursors of each type, oldest rows first; those of mixed spans are under 0.
    private var cursors: [Int64: [MergeCursor]] = [:]
    private var order: [MergeCursor] = []
    private var mixed: [MergeCursor] = []
    private var currentType: Int64 = -1
    private var current: [MergeCursor] = []
    private var lastHit = 0
    private(set) var seen = Bitmap()
    private let unmatched: Unmatched

    /// - Parameters:
    ///   - spans: where the rows of each type are.
    ///   - visible: the SQL condition on `c` for the state that is compared with.
    ///   - unmatched: gets every visible row that no item matches, with its successor.
    init(_ db: Database, spans: [RowSpans.Span], visible: String, unmatched: RowBatch) throws {
        self.unmatched = Unmatched(rows: unmatched)
        for span in spans {
            let cursor = MergeCursor {
                try PreparedStatement(
                    db,
                    """
                    SELECT c.id, c.sample_type_id, c.identity, c.version, c.sample_id FROM full_record_versions c
                    WHERE c.id BETWEEN \(span.first) AND \(span.last) AND \(visible)
                        \(span.type == 0 ? "" : "AND c.sample_type_id = \(span.type)")
                    ORDER BY c.id
                    """)
            }
            order.append(cursor)
            if span.type == 0 { mixed.append(cursor) } else { cursors[span.type, default: []].append(cursor) }
        }
    }

    /// The row with this identity and version, which then counts as seen; nil when it is not near.
    ///
    /// - Parameter number: the item's number, by which it may be the successor of a row; nil where it can be none.
    @inline(__always)
    func match(
        _ type: Int64, _ identity: Digest256, _ version: Digest256, number: Int64?
    ) throws -> Int64? {
        if type != currentType {
            currentType = type
            for cursor in current { try cursor.leave(unmatched) }
            current = (cursors[type] ?? []) + mixed
            lastHit = 0
        }
        let key = Self.key(identity, version)
        for step in 0..<current.count {
            let index = lastHit + step < current.count ? lastHit + step : lastHit + step - current.count
            if let id = try current[index].match(key, identity, version, unmatched) {
                lastHit = index
                seen.insert(id)
                return id
            }
            if current[index].expects(identity) {
                lastHit = index
                break
            }
        }
        // Most items that are not found are a row's new representation, in that row's place.
        guard !current.isEmpty else {
            unmatched.contest(identity)
            return nil
        }
        let successor = current[lastHit].expects(identity) ? number : nil
        if successor == nil { unmatched.contest(identity) }
        try current[lastHit].skip(unmatched, successor: successor)
        return nil
    }

    /// Counts an item that is not looked for as one of its sample.
    func contest(_ identity: Digest256) { unmatched.contest(identity) }

    /// Whether other rows or items than a row and its successor may be of a sample; known behind the last item.
    func isContested(_ identity: Digest256) -> Bool { unmatched.isContested(identity) }

    /// Counts a row as seen that was found in another way.
    func markSeen(_ id: Int64) { seen.insert(id) }

    /// Removes a mark, for equal rows that change places.
    func unmark(_ id: Int64) { seen.remove(id) }

    /// Reports every visible row that was not found.
    func finish() throws {
        for cursor in order { try cursor.flush(unmatched) }
        try unmatched.rows.flush()
    }

    @inline(__always)
    private static func key(_ identity: Digest256, _ version: Digest256) -> UInt64 {
        let key = identity.a ^ (version.a << 1 | version.a >> 63)
        return key == 0 ? 1 : key
    }

    /// The visible rows that no item matches, and the samples of which there are others.
    private final class Unmatched {
        let rows: RowBatch
        private var samples = Bitmap()
        /// By 25 bits of the identity: 4 MiB, and beside three million such items a tenth of the pairs is sorted needlessly.
        private var contested = Bitmap()

        init(rows: RowBatch) { self.rows = rows }

        /// Counts a visible row as one of a sample.
        @inline(__always)
        func count(_ identity: Digest256, of sample: Int64) {
            if samples.contains(sample) { contest(identity) } else { samples.insert(sample) }
        }

        @inline(__always)
        func contest(_ identity: Digest256) { contested.insert(Self.prefix(identity)) }

        func isContested(_ identity: Digest256) -> Bool { contested.contains(Self.prefix(identity)) }

        private static func prefix(_ identity: Digest256) -> Int64 { Int64(identity.a >> 39) }
    }

    /// The visible rows of one span in order, with a window of rows not matched yet.
    private final class MergeCursor {
        private let prepare: () throws -> PreparedStatement
        private var statement: PreparedStatement?
        private var ended = false
        private var keys: [UInt64] = []
        private var rows: [VersionRow] = []
        /// The numbers of their successors.
        private var successors: [Int64?] = []
        /// Entries before `head` are gone, from `next` on they are expected.
        private var head = 0
        private var next = 0

        init(_ prepare: @escaping () throws -> PreparedStatement) { self.prepare = prepare }

        /// Whether the expected row is of this sample.
        @inline(__always)
        func expects(_ identity: Digest256) -> Bool { next < rows.count && rows[next].identity == identity }

        /// Skips the expected row, which may have a successor.
        func skip(_ unmatched: Unmatched, successor: Int64?) throws {
            if next >= keys.count { try fill(1, unmatched) }
            guard next < keys.count else { return }
            successors[next] = successor
            next += 1
            if next - head > StateMergeJoin.window { try evict(unmatched) }
        }

        @inline(__always)
        func match(
            _ key: UInt64, _ identity: Digest256, _ version: Digest256,
            _ unmatched: Unmatched
        ) throws -> Int64? {
            if next >= keys.count { try fill(1, unmatched) }
            if expects(identity) {
                // What is elsewhere in the window is found behind the last item: a changed record is looked for once.
                guard rows[next].version == version else { return nil }
                let id = rows[next].id
                keys[next] = 0
                next += 1
                if next - head > StateMergeJoin.window { try evict(unmatched) }
                return id
            }
            return try search(key, identity, version, unmatched)
        }

        private func search(
            _ key: UInt64, _ identity: Digest256, _ version: Digest256,
            _ unmatched: Unmatched
        ) throws -> Int64? {
            try fill(StateMergeJoin.window, unmatched)
            let end = min(keys.count, next + StateMergeJoin.window)
            let found = keys[next..<end].firstIndex(of: key) ?? keys[head..<next].firstIndex(of: key)
            guard let found, rows[found].identity == identity, rows[found].version == version else { return nil }
            let id = rows[found].id
            keys[found] = 0
            // Its successor is a second item of the sample.
            if successors[found] != nil { unmatched.contest(identity) }
            if found >= next {
                next = found + 1
                if next - head > StateMergeJoin.window { try evict(unmatched) }
            }
            return id
        }

        /// Reads rows until `count` are ahead.
        private func fill(_ count: Int, _ unmatched: Unmatched) throws {
            // Reading ahead in one go keeps SQLite's page in the cache and this code out of the usual path.
            guard keys.count - next < count, !ended else { return }
            if head > 4 * StateMergeJoin.window { compact() }
            let statement = try self.statement ?? prepare()
            self.statement = statement
            while keys.count - next < 2 * StateMergeJoin.window {
                guard try statement.step() else {
                    ended = true
                    self.statement = nil
                    return
                }
                guard let identity = statement.digest(2), let version = statement.digest(3) else {
                    throw HealthProbeError.damagedRow("record_versions", statement.int(0))
                }
                keys.append(StateMergeJoin.key(identity, version))
                rows.append(
                    VersionRow(id: statement.int(0), type: statement.int(1), identity: identity, version: version))
                successors.append(nil)
                unmatched.count(identity, of: statement.int(4))
            }
        }

        private func compact() {
            keys.removeFirst(head)
            rows.removeFirst(head)
            successors.removeFirst(head)
            next -= head
            head = 0
        }

        private func evict(_ unmatched: Unmatched) throws {
            while next - head > StateMergeJoin.window {
                if keys[head] != 0 { try unmatched.rows.add(rows[head], successor: successors[head]) }
                head += 1
            }
        }

        /// Gives back the memory of a span of which all rows are behind.
        func leave(_ unmatched: Unmatched) throws {
            guard ended, next == keys.count else { return }
            try flush(unmatched)
            (keys, rows, successors) = ([], [], [])
        }

        func flush(_ unmatched: Unmatched) throws {
            while true {
                for at in head..<keys.count where keys[at] != 0 {
                    try unmatched.rows.add(rows[at], successor: successors[at])
                }
                keys.removeAll(keepingCapacity: true)
                rows.removeAll(keepingCapacity: true)
                successors.removeAll(keepingCapacity: true)
                head = 0
                next = 0
                try fill(1, unmatched)
                if keys.isEmpty { return }
            }
        }
    }
}
