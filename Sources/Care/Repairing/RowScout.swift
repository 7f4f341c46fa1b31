internal import GRDB
internal import Store

/// Finds which row ids of a damaged table can be reached, each page read once or twice.
///
/// All ids of a damaged page are lost; where the page ends only its parent knows, so the next readable one is sought id by
/// id. That is as long as what is lost, and not as the table times what is lost.
struct RowScout {
    private enum Sight {
        case row(Int64)
        case end
        case damaged
    }

    private let seek: PreparedStatement
    private let walk: PreparedStatement
    private let isDamage: (DatabaseError) -> Bool
    /// Behind the last row that can be read, so many ids are tried where nothing says how high they go.
    private static let furthest: Int64 = 20_000
    private static let beyondAll = Int64(1) << 40
    /// The highest row id as other tables know it; 0 where they say nothing.
    private let highest: Int64

    init(_ db: Database, _ table: String, isDamage: @escaping (DatabaseError) -> Bool) throws {
        let known = "SELECT max(last_record_version_id) FROM old.imports"
        highest = table == "record_versions" ? (try? Int64.fetchOne(db, sql: known)) ?? 0 : 0
        let rows = "SELECT rowid FROM old.\(table) NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid"
        seek = try PreparedStatement(db, rows + " LIMIT 1")
        walk = try PreparedStatement(db, rows)
        self.isDamage = isDamage
    }

    /// Calls `read` with each stretch of readable rows and `lose` with each stretch of ids that cannot be reached, in
    /// order; the last stretch has no end where nothing behind it can be read.
    func run(_ read: (ClosedRange<Int64>) throws -> Void, lose: (Int64, Int64?) -> Void) throws {
        var next: Int64 = 1
        while true {
            switch try sight(next) {
            case .end: return
            case .row(let first):
                let (last, isEnd) = try walk(from: first)
                // Alone: whoever reads on behind the last one meets the damaged page.
                if last > first { try read(first...last - 1) }
                try read(last...last)
                if isEnd { return }
                next = last + 1
            case .damaged:
                guard let found = try readable(behind: next) else {
                    lose(next, nil)
                    return
                }
                lose(next, found - 1)
                next = found
            }
        }
    }

    private func sight(_ id: Int64) throws -> Sight {
        defer { seek.reset() }
        seek.bind(1, id)
        do {
            return try seek.step() ? .row(seek.int(0)) : .end
        } catch let error as DatabaseError where isDamage(error) {
            return .damaged
        }
    }

    /// The last row before the next damaged page, or before the end.
    private func walk(from first: Int64) throws -> (last: Int64, isEnd: Bool) {
        defer { walk.reset() }
        walk.bind(1, first)
        var last = first
        do {
            while try walk.step() { last = walk.int(0) }
            return (last, true)
        } catch let error as DatabaseError where isDamage(error) {
            return (last, false)
        }
    }

    /// The first id behind a damaged one from which on a row or the end can be read; nil where there is none.
    private func readable(behind id: Int64) throws -> Int64? {
        // Far ids first: they tell how far it is worth going.
        var (limit, step) = (max(id + Self.furthest, highest), Int64(1))
        while id + step < Self.beyondAll {
            if case .damaged = try sight(id + step) {
                step *= 2
            } else {
                limit = id + step
                break
            }
        }
        var next = id + 1
        while next <= limit {
            switch try sight(next) {
            case .damaged: next += 1
            case .row, .end: return next
            }
        }
        return nil
    }
}
