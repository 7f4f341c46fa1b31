internal import GRDB
internal import HealthModel
internal import Store

/// Finds the visible rows of one type by the identities of items that come in nearly the order of the rows.
///
/// Each import that added rows has a window over them. All windows have one index, so that an item that no row matches costs
/// one look-up however many imports there are. Where items go on behind rows that are in no window, one row of
/// ``landmarkDistance`` is known by its identity, and a window of its own begins there; nothing is given up that was passed.
/// - Complexity: of items in the order of the rows, at most ``landmarkDistance`` are not found behind each run of rows that
///   are gone or of items that are new, whatever its length, and ``patience`` more once.
final class VisibleRows {
    /// A row of the sample that was looked for.
    struct Place {
        fileprivate var window: Int
        fileprivate var position: Int
        /// Whether the row has the version that was looked for.
        var isEqual: Bool
    }

    /// One row of so many is a landmark.
    static let landmarkDistance = 16
    /// Items that are not found, one behind the other, before landmarks are read.
    static let patience = 16
    /// Rows held before and behind the expected one of all windows together, and of one at most.
    private static let reach = (all: 4096, one: 512, least: 32)
    /// Imports that added so few rows together have one window: a statement costs as much as some hundred rows.
    private static let groupedRows = 512
    /// Rows that a window behind a landmark begins with.
    private static let firstRows = 32
    /// Windows that items went on behind, and that are kept.
    private static let mostPassed = 16
    /// Jumps that are allowed in any case, and matches that allow one more: a file in another order is sorted.
    private static let freeJumps = 64
    private static let matchesForJump = 32

    private let db: Database
    private let condition: String
    private let unmatched: UnmatchedRows
    private var windows: [RowWindow] = []
    /// Where the rows of each window are; a split leaves them as they were.
    private var ranges: [[ClosedRange<Int64>]] = []
    private var passed: [Int] = []
    private var index = WindowIndex()
    /// The window that matched last.
    private var current = 0
    /// The ids of landmarks by the first eight bytes of their identities; nil until they are needed.
    private var landmarks: [UInt64: Int64]?
    /// Whether all windows were read ahead and are in the index, but for the current one.
    private var isReadAhead = false
    private var misses = 0
    private var matches = 0
    private var jumps = 0

    /// - Parameters:
    ///   - ranges: where the rows are; those of small imports have one window together.
    ///   - condition: the SQL condition on `c` for them.
    init(_ db: Database, _ ranges: [ClosedRange<Int64>], _ condition: String, _ unmatched: UnmatchedRows) {
        self.db = db
        self.condition = condition
        self.unmatched = unmatched
        var groups: [[ClosedRange<Int64>]] = []
        var count = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            count += range.count
            if count <= Self.groupedRows, var group = groups.popLast() {
                group.append(range)
                groups.append(group)
            } else {
                groups.append([range])
                count = range.count
            }
        }
        let reach = min(Self.reach.one, max(Self.reach.least, Self.reach.all / groups.count))
        for group in groups {
            let held = group.count > 1 ? Self.groupedRows : reach
            addWindow(group, reach: held, ahead: 2 * held)
        }
    }

    private func addWindow(_ ranges: [ClosedRange<Int64>], reach: Int, ahead: Int) {
        self.ranges.append(ranges)
        windows.append(
            RowWindow(
                first: ranges[0].lowerBound, last: ranges[ranges.count - 1].upperBound, reach: reach, ahead: ahead,
                unmatched
            ) {
                [db, condition] in
                try PreparedStatement(
                    db, Self.query("c.id, c.sample_type_id, c.identity, c.version, c.sample_id", ranges, condition))
            })
    }

    /// A query for columns of the rows `c` in ranges of ids, in their order.
    private static func query(_ columns: String, _ ranges: [ClosedRange<Int64>], _ condition: String) -> String {
        if ranges.count == 1 {
            return """
                SELECT \(columns) FROM full_record_versions c
                WHERE c.id BETWEEN \(ranges[0].lowerBound) AND \(ranges[0].upperBound) AND \(condition) ORDER BY c.id
                """
        }
        // The outer loop goes through the ranges as they are listed.
        let list = ranges.map { "(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")
        return """
            SELECT \(columns) FROM (VALUES \(list)) s CROSS JOIN full_record_versions c
            ON c.id BETWEEN s.column1 AND s.column2 WHERE \(condition)
            """
    }

    /// The part of a window's ranges from an id on up to its present end.
    private func ranges(of window: Int, from id: Int64) -> [ClosedRange<Int64>] {
        let last = windows[window].last
        return ranges[window].filter { $0.upperBound >= id && $0.lowerBound <= last }
            .map { max($0.lowerBound, id)...min($0.upperBound, last) }
    }

    // MARK: - Looking for an item

    /// Takes the expected row if it has this identity and version, and returns its id.
    @inline(__always)
    func takeExpected(_ identity: Digest256, _ version: Digest256) throws -> Int64? {
        guard let id = try windows[current].takeExpected(identity, version) else { return nil }
        misses = 0
        matches += 1
        return id
    }

    /// A row of this sample, if possible of this version.
    func find(_ identity: Digest256, _ version: Digest256) throws -> Place? {
        // Most items that are not found are the expected row's new representation: those are not looked for.
        if let expected = try windows[current].expected(), expected.row.identity == identity {
            return Place(window: current, position: expected.position, isEqual: expected.row.version == version)
        }
        try readAhead()
        var found: Place?
        index.forEach(identity) { window, position in
            guard let row = windows[window].row(at: position), row.identity == identity else { return true }
            if found == nil || row.version == version {
                found = Place(window: window, position: position, isEqual: row.version == version)
            }
            return row.version != version
        }
        return try found ?? findBehind(identity, version)
    }

    /// Takes a row that was found, behind which the next item is expected.
    func take(_ place: Place) throws -> Int64 {
        use(place)
        return try windows[place.window].take(place.position)
    }

    /// Notes the item of the same sample that came in the place of a row; false if it has one.
    func setSuccessor(_ number: Int64, of place: Place) throws -> Bool {
        guard try windows[place.window].setSuccessor(number, of: place.position) else { return false }
        use(place)
        return true
    }

    private func use(_ place: Place) {
        misses = 0
        matches += 1
        current = place.window
        windows[current].lastUse = matches
    }

    // MARK: - Windows

    /// Reads ahead in the window that moved since, and adds its rows to the index. Entries of rows that are gone stay until
    /// the index is made again.
    private func readAhead() throws {
        let moved = isReadAhead ? current..<current + 1 : windows.indices
        for number in moved { try windows[number].readAhead() }
        isReadAhead = true
        if index.hasRoom(for: moved.reduce(0) { $0 + windows[$1].held.upperBound - windows[$1].indexed }) {
            for number in moved { addToIndex(number) }
            return
        }
        index = WindowIndex(for: windows.reduce(0) { $0 + $1.held.count })
        for number in windows.indices {
            windows[number].indexed = 0
            addToIndex(number)
        }
    }

    private func addToIndex(_ number: Int) {
        let window = windows[number]
        let held = window.held
        guard window.indexed < held.upperBound else { return }
        for position in max(window.indexed, held.lowerBound)..<held.upperBound {
            if let row = window.row(at: position) { index.insert(row.identity, number, position) }
        }
        window.indexed = held.upperBound
    }

    /// A row that is a landmark behind all rows that were read: a window begins with it.
    private func findBehind(_ identity: Digest256, _ version: Digest256) throws -> Place? {
        misses += 1
        if landmarks == nil, misses >= Self.patience { try readLandmarks() }
        guard let id = landmarks?[identity.a], jumps < Self.freeJumps + matches / Self.matchesForJump,
            let left = windows.firstIndex(where: { $0.lastRead < id && id <= $0.last })
        else { return nil }
        jumps += 1
        addWindow(ranges(of: left, from: id), reach: windows[left].reach, ahead: Self.firstRows)
        windows[left].split(before: id)
        passed.append(left)
        current = windows.count - 1
        try forgetPassed()
        guard let expected = try windows[current].expected(), expected.row.identity == identity else { return nil }
        return Place(window: current, position: expected.position, isEqual: expected.row.version == version)
    }

    /// Reports the rows of the passed window that was used least lately, if there are many.
    private func forgetPassed() throws {
        guard passed.count > Self.mostPassed,
            let least = passed.indices.min(by: { windows[passed[$0]].lastUse < windows[passed[$1]].lastUse })
        else { return }
        try windows[passed.remove(at: least)].finish()
    }

    private func readLandmarks() throws {
        var found: [UInt64: Int64] = [:]
        for (number, window) in windows.enumerated() where window.lastRead < window.last {
            let rows = try PreparedStatement(
                db, Self.query("c.id, c.identity", ranges(of: number, from: window.lastRead + 1), condition))
            var count = 0
            while try rows.step() {
                if count % Self.landmarkDistance == 0, let identity = rows.digest(1) { found[identity.a] = rows.int(0) }
                count += 1
            }
        }
        landmarks = found
    }

    /// Gives back the memory of windows of which all rows are behind.
    func leave() throws {
        for window in windows { try window.leave() }
    }

    /// Reports all rows that are left.
    func finish() throws {
        for window in windows { try window.finish() }
    }
}

/// Where the rows of windows are, by their identities: a table with open addressing.
private struct WindowIndex {
    /// 0 for an empty place; else the window's number from 1, and in the lower 40 bits the position.
    private var entries: [UInt64]
    private var count = 0

    init(for rows: Int = 0) {
        // An export may have thousands of types.
        var capacity = 64
        while capacity < 4 * rows { capacity *= 2 }
        entries = [UInt64](repeating: 0, count: capacity)
    }

    /// Whether more rows may be added; otherwise it is made again, without the entries of rows that are gone.
    func hasRoom(for rows: Int) -> Bool { 2 * (count + rows) <= entries.count }

    mutating func insert(_ identity: Digest256, _ window: Int, _ position: Int) {
        var place = Int(truncatingIfNeeded: identity.b) & (entries.count - 1)
        while entries[place] != 0 { place = (place + 1) & (entries.count - 1) }
        entries[place] = UInt64(window + 1) << 40 | UInt64(position)
        count += 1
    }

    /// Calls `body` with the rows that may have an identity, until it returns false.
    func forEach(_ identity: Digest256, _ body: (_ window: Int, _ position: Int) -> Bool) {
        var place = Int(truncatingIfNeeded: identity.b) & (entries.count - 1)
        while entries[place] != 0 {
            guard body(Int(entries[place] >> 40) - 1, Int(entries[place] & (1 << 40 - 1))) else { return }
            place = (place + 1) & (entries.count - 1)
        }
    }
}
