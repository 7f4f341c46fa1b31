internal import GRDB
internal import HealthModel

/// Section 3's comparison of two states, on the copies that are in only one of them.
///
/// Each side is a temporary table with the columns `ref`, `identity` and `version`. Passes 1 and 2 merge both sides
/// sorted by identity; passes 3 to 5 work on what is left, sorted by their own keys. Nothing is paired by trying all
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
    private let before: Side
    private let after: Side
    private let names: SourceNames
    private var takenBefore = Bitmap()
    private var takenAfter = Bitmap()
    private(set) var pairCount: Int64 = 0
    /// Called for copies equal on both sides.
    var unchanged: (_ before: Int64, _ after: Int64) throws -> Void = { _, _ in }
    /// Called for each linked pair.
    var paired: (_ before: Int64, _ after: Int64, _ evidence: Evidence) throws -> Void = { _, _, _ in }

    init(_ db: Database, before: Side, after: Side, names: SourceNames) {
        self.db = db
        self.before = before
        self.after = after
        self.names = names
    }

    func isTaken(before reference: Int64) -> Bool { takenBefore.contains(reference) }

    func isTaken(after reference: Int64) -> Bool { takenAfter.contains(reference) }

    /// Runs all passes.
    func run() throws {
        try matchIdentities()
        let rest = ComparisonRest(db, names: names)
        guard try rest.fill(before: before, after: after, isTaken: { side, reference in
            side == 0 ? self.takenBefore.contains(reference) : self.takenAfter.contains(reference)
        }) else { return }
        defer { try? rest.drop() }
        try rest.linkAll { try self.take($0, $1, $2) }
    }

    private func take(_ before: Int64, _ after: Int64, _ evidence: Evidence) throws {
        takenBefore.insert(before)
        takenAfter.insert(after)
        pairCount += 1
        try paired(before, after, evidence)
    }

    // MARK: - Passes 1 and 2

    /// A side's rows in ascending order of identity and version.
    private struct Stream {
        let statement: UnsafeStatement
        var reference: Int64 = 0
        var identity = Digest256()
        var version = Digest256()
        var ended = false

        init(_ db: Database, _ table: String) throws {
            statement = try UnsafeStatement(
                db, "SELECT ref, identity, version FROM \(table) ORDER BY identity, version, ref")
            try advance()
        }

        mutating func advance() throws {
            guard try statement.step(), let identity = statement.digest(1), let version = statement.digest(2) else {
                ended = true
                return
            }
            reference = statement.int(0)
            self.identity = identity
            self.version = version
        }
    }

    private func matchIdentities() throws {
        var old = try Stream(db, before.table)
        var new = try Stream(db, after.table)
        var olds: [(reference: Int64, version: Digest256)] = []
        var news: [(reference: Int64, version: Digest256)] = []
        while !old.ended, !new.ended {
            if old.identity < new.identity {
                try old.advance()
            } else if new.identity < old.identity {
                try new.advance()
            } else {
                let identity = old.identity
                olds.removeAll(keepingCapacity: true)
                news.removeAll(keepingCapacity: true)
                while !old.ended, old.identity == identity {
                    olds.append((old.reference, old.version))
                    try old.advance()
                }
                while !new.ended, new.identity == identity {
                    news.append((new.reference, new.version))
                    try new.advance()
                }
                try matchVersions(olds, news)
            }
        }
    }

    /// Within one identity: equal versions first, then the representation changes.
    private func matchVersions(
        _ olds: [(reference: Int64, version: Digest256)], _ news: [(reference: Int64, version: Digest256)]
    ) throws {
        var restOld: [Int64] = []
        var restNew: [Int64] = []
        var o = 0
        var n = 0
        while o < olds.count || n < news.count {
            if n == news.count || (o < olds.count && olds[o].version < news[n].version) {
                restOld.append(olds[o].reference)
                o += 1
            } else if o == olds.count || news[n].version < olds[o].version {
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
        guard !restOld.isEmpty, !restNew.isEmpty else { return }
        if restOld.count == 1, restNew.count == 1 {
            try take(restOld[0], restNew[0], .strictKey)
        } else {
            try RepresentationPairing(names: names).pair(
                try restOld.map { ($0, try before.reader.fetch($0)) },
                try restNew.map { ($0, try after.reader.fetch($0)) }
            ) { try self.take($0, $1, .strictKey) }
        }
    }
}
