internal import GRDB
internal import HealthModel

/// Section 3's comparison of two states, on the copies that are in only one of them.
///
/// Each side is a temporary table with the columns `ref`, `key` (the identity's first eight bytes), `identity` and
/// `version`. Passes 1 and 2 merge both sides sorted by key; passes 3 to 5 work on what is left, sorted by their own keys. Nothing is paired by trying all
/// combinations, so a million copies may share a key.
/// - Complexity: O(n log n) in the number of candidates.
final class StateComparison {
    /// One side of the comparison.
    struct Side {
        /// The temporary table, with its schema.
        var table: String
        var reader: CandidateReader
    }

    private let db: Database
    private var before: Side
    private var after: Side
    private var names: SourceNames
    private var takenBefore = Bitmap()
    private var takenAfter = Bitmap()
    /// What `pairAgain` found paired.
    private var replaced = Bitmap()
    private(set) var pairCount: Int64 = 0
    /// Whether only pass 1 is run.
    var comparesEqualOnly = false
    /// Called for copies equal on both sides.
    var unchanged: (_ before: Int64, _ after: Int64) throws -> Void = { _, _ in }
    /// Called for each linked pair.
    var paired: (_ before: Int64, _ after: Int64, _ rule: MatchRule) throws -> Void = { _, _, _ in }

    init(_ db: Database, before: Side, after: Side, names: SourceNames) {
        self.db = db
        self.before = before
        self.after = after
        self.names = names
    }

    func isTaken(before reference: Int64) -> Bool { takenBefore.contains(reference) }

    func isTaken(after reference: Int64) -> Bool { takenAfter.contains(reference) }

    /// Whether a copy gives way to the later side, by a pair of this or of the former pairing.
    func isReplaced(before reference: Int64) -> Bool { isTaken(before: reference) || replaced.contains(reference) }

    /// Pairs once more, under other names, what was paired and what was left of the later side.
    ///
    /// - Parameter pairs: the table of the pairs, of the columns after, before and evidence in this order; emptied, for
    ///   `paired` to fill it anew.
    func pairAgain(_ names: SourceNames, pairs: String) throws {
        let former = try UnsafeStatement(db, "SELECT * FROM \(pairs)")
        while try former.step() {
            takenAfter.remove(former.int(0))
            takenBefore.remove(former.int(1))
            replaced.insert(former.int(1))
        }
        try db.execute(sql: "DELETE FROM \(pairs)")
        before.table = try ComparisonTable.copy(db, before.table, to: "again_before") { self.replaced.contains($0) }
        after.table = try ComparisonTable.copy(db, after.table, to: "again_after") { !self.isTaken(after: $0) }
        self.names = names
        pairCount = 0
        try run()
        for side in [before, after] { try db.execute(sql: "DROP TABLE \(side.table)") }
    }

    /// Runs all passes.
    func run() throws {
        try matchIdentities()
        if comparesEqualOnly { return }
        let rest = ComparisonRest(db, names: names) { side, reference in
            side == 0 ? self.takenBefore.contains(reference) : self.takenAfter.contains(reference)
        }
        guard try rest.fill(before: before, after: after) else { return }
        defer { try? rest.drop() }
        try rest.linkAll { try self.take($0, $1, $2) }
    }

    private func take(_ before: Int64, _ after: Int64, _ rule: MatchRule) throws {
        takenBefore.insert(before)
        takenAfter.insert(after)
        pairCount += 1
        try paired(before, after, rule)
    }

    // MARK: - Passes 1 and 2

    private struct Entry {
        var reference: Int64
        var identity: Digest256
        var version: Digest256
    }

    /// A side's rows in ascending order of key.
    private struct Stream {
        let statement: UnsafeStatement
        var key: Int64 = 0
        var entry = Entry(reference: 0, identity: Digest256(), version: Digest256())
        var ended = false

        init(_ db: Database, _ table: String) throws {
            statement = try UnsafeStatement(db, "SELECT ref, identity, version, key FROM \(table) ORDER BY key")
            try advance()
        }

        mutating func advance() throws {
            guard try statement.step(), let identity = statement.digest(1), let version = statement.digest(2) else {
                ended = true
                return
            }
            entry = Entry(reference: statement.int(0), identity: identity, version: version)
            key = statement.int(3)
        }

        /// The rows with one key, in ascending order of identity, version and reference.
        mutating func takeGroup(_ group: inout [Entry]) throws {
            let wanted = key
            group.removeAll(keepingCapacity: true)
            while !ended, key == wanted {
                group.append(entry)
                try advance()
            }
            if group.count > 1 {
                group.sort {
                    if $0.identity != $1.identity { return $0.identity < $1.identity }
                    return $0.version != $1.version ? $0.version < $1.version : $0.reference < $1.reference
                }
            }
        }
    }

    private func matchIdentities() throws {
        var old = try Stream(db, before.table)
        var new = try Stream(db, after.table)
        var olds: [Entry] = []
        var news: [Entry] = []
        while !old.ended, !new.ended {
            if old.key < new.key {
                try old.advance()
            } else if new.key < old.key {
                try new.advance()
            } else {
                try old.takeGroup(&olds)
                try new.takeGroup(&news)
                try matchGroup(olds, news)
            }
        }
    }

    /// Splits rows with one key by their identity, which nearly always is one.
    private func matchGroup(_ olds: [Entry], _ news: [Entry]) throws {
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
                try matchVersions(olds[o..<oldEnd], news[n..<newEnd])
                o = oldEnd
                n = newEnd
            }
        }
    }

    /// Within one identity: equal versions first, then the representation changes.
    private func matchVersions(
        _ olds: ArraySlice<Entry>, _ news: ArraySlice<Entry>
    ) throws {
        var restOld: [Entry] = []
        var restNew: [Int64] = []
        var o = olds.startIndex
        var n = news.startIndex
        while o < olds.endIndex || n < news.endIndex {
            if n == news.endIndex || (o < olds.endIndex && olds[o].version < news[n].version) {
                restOld.append(olds[o])
                o += 1
            } else if o == olds.endIndex || news[n].version < olds[o].version {
                restNew.append(news[n].reference)
                n += 1
            } else {
                takenBefore.insert(olds[o].reference)
                takenAfter.insert(news[n].reference)
                try unchanged(olds[o].reference, news[n].reference)
                o += 1
                n += 1
            }
        }
        guard !comparesEqualOnly, !restOld.isEmpty, !restNew.isEmpty else { return }
        // Of equal copies the last ones are linked: those that stay (in a partial observation) are then the first ones.
        restOld.sort { $0.version != $1.version ? $0.version < $1.version : $0.reference > $1.reference }
        if restOld.count == 1, restNew.count == 1 {
            try take(restOld[0].reference, restNew[0], .strictKey)
        } else {
            try RepresentationPairing(names: names).pair(
                restOld.map(\.reference), restNew, before: before.reader, after: after.reader
            ) { try self.take($0, $1, .strictKey) }
        }
    }
}
