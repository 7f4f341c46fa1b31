internal import GRDB
internal import HealthModel
internal import Store

/// The passes of docs/design.md on two temporary tables of rows that are in only one of two states.
///
/// Passes 1 and 2 merge both sides sorted by key (the identity's first eight bytes); passes 3 to 5 work on what is left,
/// sorted by their own keys. Nothing is paired by trying all combinations, so a million rows may share a key.
/// - Complexity: O(n log n) in the number of rows; memory is SQLite's and two bits a row.
package final class StateComparison {
    struct Side {
        /// The temporary table, with its schema.
        var table: String
        var reader: RecordReader
        /// The SQL condition for the rows that passes 1 and 2 sort: those that they may match.
        var isSorted = "1"
    }

    /// How far a comparison goes.
    package enum Passes {
        /// Pass 1: equal identity and version.
        case equal
        /// Passes 1 and 2: equal identity.
        case identity
        /// Passes 1 to 5.
        case all
    }

    package typealias Match = (_ before: Int64, _ after: Int64) throws -> Void
    typealias Link = (_ before: Int64, _ after: Int64, _ rule: MatchRule) throws -> Void

    private let db: Database
    private var sides: [Side]
    /// The rows of each side that are equal to one of the other or paired with one.
    private var matched = [Bitmap(), Bitmap()]
    private(set) var pairCount: Int64 = 0
    private var passes = Passes.all
    private var equal: Match = { _, _ in }
    private var paired: Link = { _, _, _ in }

    init(_ db: Database, before: Side, after: Side) {
        self.db = db
        sides = [before, after]
    }

    /// Whether a row of a side (0 before, 1 after) is equal to one of the other or paired with one.
    func isMatched(_ side: Int, _ reference: Int64) -> Bool { matched[side].contains(reference) }

    /// Forgets all matches.
    func forget() {
        matched = [Bitmap(), Bitmap()]
        pairCount = 0
    }

    /// Sets the SQL conditions for the rows that passes 1 and 2 sort, or lets them sort all.
    func sortOnly(before: String = "1", after: String = "1") {
        sides[0].isSorted = before
        sides[1].isSorted = after
    }

    /// Counts a pair, found by a pass or before them.
    func adopt(_ before: Int64, _ after: Int64) {
        matched[0].insert(before)
        matched[1].insert(after)
        pairCount += 1
    }

    /// Dissolves a pair.
    func release(_ before: Int64, _ after: Int64) {
        matched[0].remove(before)
        matched[1].remove(after)
        pairCount -= 1
    }

    /// Runs the passes on the rows that are not matched yet.
    ///
    /// - Parameters:
    ///   - candidates: the rows of the earlier side that may be matched; nil for all.
    ///   - passes: those that are run.
    ///   - equal: called for rows equal on both sides.
    ///   - paired: called for each linked pair.
    func run(
        _ names: SourceNames, among candidates: Bitmap? = nil, passes: Passes = .all, equal: @escaping Match,
        paired: @escaping Link
    ) throws {
        self.passes = passes
        self.equal = equal
        self.paired = paired
        defer {
            // They may hold what holds this comparison.
            self.equal = { _, _ in }
            self.paired = { _, _, _ in }
        }
        let isFree: (Int, Int64) -> Bool = { side, reference in
            !self.isMatched(side, reference) && (side == 1 || candidates?.contains(reference) ?? true)
        }
        try db.createTemporary(TemporaryTable.secondaryKeys)
        defer { try? db.dropTemporary(TemporaryTable.secondaryKeys) }
        let keyed = try EqualKeyMatcher(db, names: names, isFree: isFree)
        try matchIdentities(keyed, isFree)
        if passes == .equal { return }
        try keyed.linkVersions { try self.link($0, $1, $2) }
        if passes == .identity { return }
        let matcher = try SecondaryKeyMatcher(db, sides, names: names, keyed, isFree: isFree)
        try matcher?.linkAll { try self.link($0, $1, $2) }
    }

    /// The order of equal rows of a side (0 before, 1 after): of the earlier state the last ones are linked, so that those
    /// that stay visible (in a partial observation) are the first ones.
    static func order(_ side: Int) -> String { side == 0 ? "ref DESC" : "ref" }

    private func link(_ before: Int64, _ after: Int64, _ rule: MatchRule) throws {
        adopt(before, after)
        try paired(before, after, rule)
    }

    // MARK: - Passes 1 and 2

    /// The most rows of one key that are sorted in memory; SQLite sorts more.
    private static let largestGroup = 4096

    private struct Entry {
        var reference: Int64
        var identity: Digest256
        var version: Digest256

        func precedes(_ other: Entry) -> Bool {
            identity != other.identity ? identity < other.identity : version < other.version
        }
    }

    /// The free rows of a side in ascending order of key.
    private struct Stream {
        let statement: PreparedStatement
        let isFree: (Int64) -> Bool
        var key: Int64 = 0
        var entry = Entry(reference: 0, identity: Digest256(), version: Digest256())
        var ended = false

        /// - Parameter keys: those of the wanted rows, which then come in order of identity, version and reference too; nil
        ///   for all rows.
        init(_ db: Database, _ side: Side, keys: [Int64]? = nil, isFree: @escaping (Int64) -> Bool) throws {
            self.isFree = isFree
            let order = keys.map { "AND key IN (\($0.sqlList)) ORDER BY key, identity, version, ref" }
            statement = try PreparedStatement(
                db,
                "SELECT ref, identity, version, key FROM \(side.table) WHERE \(side.isSorted) \(order ?? "ORDER BY key")"
            )
            try advance()
        }

        mutating func advance() throws {
            repeat {
                guard try statement.step(), let identity = statement.digest(1), let version = statement.digest(2)
                else {
                    ended = true
                    return
                }
                entry = Entry(reference: statement.int(0), identity: identity, version: version)
                key = statement.int(3)
            } while !isFree(entry.reference)
        }

        /// Reads the rows with one key, in ascending order of identity, version and reference.
        ///
        /// - Returns: whether these are all; where there are more than ``largestGroup``, the rest is passed over.
        mutating func readGroup(_ group: inout [Entry]) throws -> Bool {
            let wanted = key
            group.removeAll(keepingCapacity: true)
            var isWhole = true
            while !ended, key == wanted {
                if group.count < StateComparison.largestGroup { group.append(entry) } else { isWhole = false }
                try advance()
            }
            if group.count > 1, isWhole {
                group.sort {
                    $0.precedes($1) || !$1.precedes($0) && $0.reference < $1.reference
                }
            }
            return isWhole
        }
    }

    private func matchIdentities(_ keyed: EqualKeyMatcher, _ isFree: @escaping (Int, Int64) -> Bool) throws {
        var old = try Stream(db, sides[0]) { isFree(0, $0) }
        var new = try Stream(db, sides[1]) { isFree(1, $0) }
        var olds: [Entry] = []
        var news: [Entry] = []
        var largeKeys: [Int64] = []
        while !old.ended, !new.ended {
            if old.key < new.key {
                try old.advance()
            } else if new.key < old.key {
                try new.advance()
            } else {
                let key = old.key
                let isOldWhole = try old.readGroup(&olds)
                let isNewWhole = try new.readGroup(&news)
                if isOldWhole, isNewWhole { try matchGroup(olds, news, keyed) } else { largeKeys.append(key) }
            }
        }
        guard !largeKeys.isEmpty else { return }
        old = try Stream(db, sides[0], keys: largeKeys) { isFree(0, $0) }
        new = try Stream(db, sides[1], keys: largeKeys) { isFree(1, $0) }
        while !old.ended || !new.ended {
            let isOldFirst = old.key != new.key ? old.key < new.key : old.entry.precedes(new.entry)
            let isNewFirst = old.key != new.key ? new.key < old.key : new.entry.precedes(old.entry)
            if new.ended || !old.ended && isOldFirst {
                try add(old.entry, side: 0, keyed)
                try old.advance()
            } else if old.ended || isNewFirst {
                try add(new.entry, side: 1, keyed)
                try new.advance()
            } else {
                try match(old.entry, new.entry)
                try old.advance()
                try new.advance()
            }
        }
    }

    /// Splits rows with one key by their identity, which nearly always is one.
    private func matchGroup(_ olds: [Entry], _ news: [Entry], _ keyed: EqualKeyMatcher) throws {
        var o = 0
        var n = 0
        while o < olds.count, n < news.count {
            if olds[o].identity < news[n].identity {
                o += 1
            } else if news[n].identity < olds[o].identity {
                n += 1
            } else {
                let identity = olds[o].identity
                let oldEnd = olds[o...].firstIndex { $0.identity != identity } ?? olds.count
                let newEnd = news[n...].firstIndex { $0.identity != identity } ?? news.count
                try matchVersions(olds[o..<oldEnd], news[n..<newEnd], keyed)
                o = oldEnd
                n = newEnd
            }
        }
    }

    /// Within one identity: equal versions first, then the representation changes.
    private func matchVersions(
        _ olds: ArraySlice<Entry>, _ news: ArraySlice<Entry>, _ keyed: EqualKeyMatcher
    ) throws {
        var leftOld: [Entry] = []
        var leftNew: [Entry] = []
        var o = olds.startIndex
        var n = news.startIndex
        while o < olds.endIndex || n < news.endIndex {
            if n == news.endIndex || (o < olds.endIndex && olds[o].version < news[n].version) {
                leftOld.append(olds[o])
                o += 1
            } else if o == olds.endIndex || news[n].version < olds[o].version {
                leftNew.append(news[n])
                n += 1
            } else {
                try match(olds[o], news[n])
                o += 1
                n += 1
            }
        }
        guard passes != .equal, !leftOld.isEmpty, !leftNew.isEmpty else { return }
        if leftOld.count == 1, leftNew.count == 1 {
            try link(leftOld[0].reference, leftNew[0].reference, .strictKey)
        } else {
            for row in leftOld { try add(row, side: 0, keyed) }
            for row in leftNew { try add(row, side: 1, keyed) }
        }
    }

    /// Notes two equal rows.
    private func match(_ old: Entry, _ new: Entry) throws {
        matched[0].insert(old.reference)
        matched[1].insert(new.reference)
        try equal(old.reference, new.reference)
    }

    /// Leaves a row to the rest of pass 2.
    private func add(_ row: Entry, side: Int, _ keyed: EqualKeyMatcher) throws {
        guard passes != .equal else { return }
        try keyed.addVersion(sides[side].reader.fetch(row.reference), side: side)
    }
}
