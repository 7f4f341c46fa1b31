internal import HealthModel
internal import Store

/// The visible rows of a range of ids in order, of which those around the expected one are held.
///
/// Positions count the rows of the range from 0.
final class RowWindow {
    /// The last id of the range; a split lowers it.
    private(set) var last: Int64
    /// The id of the last row that was read.
    private(set) var lastRead: Int64
    /// Positions below this are in the index of the windows.
    var indexed = 0
    /// When this window was last the one that matched.
    var lastUse = 0
    private let prepare: () throws -> PreparedStatement
    private let unmatched: UnmatchedRows
    private var statement: PreparedStatement?
    private var ended = false
    private var rows: [VersionRow] = []
    /// Of each row the number of its successor, `free` or `taken`.
    private var states: [Int64] = []
    private static let free: Int64 = 0
    private static let taken: Int64 = -1
    /// The position of the first row in `rows`.
    private var base = 0
    /// Rows before `head` are gone, from `next` on they are expected. Both are places in `rows`.
    private var head = 0
    private var next = 0
    /// Rows held behind the expected one.
    let reach: Int
    /// Rows read ahead at once: few behind a split, which may lead nowhere.
    private var ahead: Int

    /// - Parameters:
    ///   - first: the first id of the range.
    ///   - reach: rows held behind the expected one, and at most twice as many ahead.
    ///   - ahead: rows that the first reading brings.
    ///   - prepare: the statement for the rows: id, type, identity, version and sample, in the order of ids.
    init(
        first: Int64, last: Int64, reach: Int, ahead: Int, _ unmatched: UnmatchedRows,
        _ prepare: @escaping () throws -> PreparedStatement
    ) {
        self.last = last
        lastRead = first - 1
        self.reach = reach
        self.ahead = ahead
        self.unmatched = unmatched
        self.prepare = prepare
    }

    /// The positions of the rows that are held.
    var held: Range<Int> { base + head..<base + rows.count }

    /// Takes the expected row if it has this identity and version, and returns its id.
    @inline(__always)
    func takeExpected(_ identity: Digest256, _ version: Digest256) throws -> Int64? {
        if next >= rows.count { try read(1) }
        guard next < rows.count, rows[next].identity == identity, rows[next].version == version else { return nil }
        return try take(base + next)
    }

    /// The expected row with its position; nil behind the last.
    func expected() throws -> (row: VersionRow, position: Int)? {
        if next >= rows.count { try read(1) }
        return next < rows.count ? (rows[next], base + next) : nil
    }

    /// The row at a position; nil if it was taken or is not held.
    @inline(__always)
    func row(at position: Int) -> VersionRow? {
        let place = position - base
        guard place >= head, place < rows.count, states[place] != Self.taken else { return nil }
        return rows[place]
    }

    /// Takes a row, behind which the next one is expected, and returns its id.
    @inline(__always)
    func take(_ position: Int) throws -> Int64 {
        let place = position - base
        let row = rows[place]
        // Its successor is a second item of the sample.
        if states[place] > 0 { unmatched.contest(row.identity) }
        states[place] = Self.taken
        try expect(place + 1)
        return row.id
    }

    /// Notes the item of the same sample that came in the place of a row; false if it has one.
    func setSuccessor(_ number: Int64, of position: Int) throws -> Bool {
        let place = position - base
        guard states[place] == Self.free else { return false }
        states[place] = number
        try expect(place + 1)
        return true
    }

    @inline(__always)
    private func expect(_ place: Int) throws {
        if place > next { next = place }
        if next - head > reach { try report(before: next - reach) }
    }

    /// Reads ahead as far as items are looked for.
    func readAhead() throws { try read(min(reach, ahead)) }

    private func read(_ count: Int) throws {
        // Reading ahead in one go keeps SQLite's page in the cache and this code out of the usual path.
        guard rows.count - next < count, !ended else { return }
        if head > 4 * reach { dropReported() }
        let statement = try self.statement ?? prepare()
        self.statement = statement
        while rows.count - next < ahead {
            guard try statement.step(), statement.int(0) <= last else {
                end()
                break
            }
            guard let identity = statement.digest(2), let version = statement.digest(3) else {
                throw HealthProbeError.damagedRow("record_versions", statement.int(0))
            }
            lastRead = statement.int(0)
            rows.append(VersionRow(id: lastRead, type: statement.int(1), identity: identity, version: version))
            states.append(Self.free)
            unmatched.count(identity, of: statement.int(4))
        }
        ahead = min(2 * ahead, 2 * reach)
    }

    private func end() {
        ended = true
        statement = nil
        lastRead = last
    }

    /// Ends the range before an id that was not read yet.
    func split(before id: Int64) {
        last = id - 1
        if lastRead == last { end() }
    }

    private func dropReported() {
        rows.removeFirst(head)
        states.removeFirst(head)
        base += head
        next -= head
        head = 0
    }

    private func report(before place: Int) throws {
        while head < place {
            if states[head] != Self.taken {
                try unmatched.rows.add(rows[head], successor: states[head] == Self.free ? nil : states[head])
            }
            head += 1
        }
    }

    /// Gives back the memory of a range of which all rows are behind.
    func leave() throws {
        if ended, next == rows.count { try finish() }
    }

    /// Reports all rows that are left.
    func finish() throws {
        repeat {
            try report(before: rows.count)
            next = rows.count
            dropReported()
            try read(1)
        } while !rows.isEmpty
        (rows, states) = ([], [])
    }
}
