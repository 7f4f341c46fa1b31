internal import Basics
internal import Foundation
internal import GRDB
internal import Store

/// Copies the rows of an archive, whole or damaged, into a new file with a schema of its own.
///
/// The source is attached read-only and never written to. Indexes are made after the rows.
final class ArchiveCopy {
    /// What could not be read of one table.
    struct Loss: Equatable {
        var table: String
        /// For people: ranges of row ids, or why the others could not be reached.
        var what: String
    }

    let db: Database
    private let schema: Schema
    /// Whether damaged pages are passed over; otherwise the first one ends the copy.
    private let salvages: Bool
    private(set) var losses: [Loss] = []
    private var attempts = 0
    private static let maximumAttempts = 200_000

    init(_ db: Database, schema: Schema, salvages: Bool) {
        self.db = db
        self.schema = schema
        self.salvages = salvages
    }

    /// Copies everything; the source is attached as `old`.
    func run(progress: (String) -> Void) throws {
        // SQLite itself makes what has no SQL.
        let objects = try schema.objects().compactMap { object in
            object.sql.map { (type: object.type, name: object.name, sql: $0) }
        }
        let tables = objects.filter { $0.type == "table" }
        for table in tables { try db.execute(sql: table.sql) }
        for table in tables {
            progress(table.name)
            let wanted = try columns("main", table.name)
            let there = try columns("old", table.name)
            let common = wanted.filter { there.contains($0) }
            guard !common.isEmpty else { continue }
            try copy(table.name, common.joined(separator: ", "), hasRowID: !table.sql.contains("WITHOUT ROWID"))
        }
        progress("indexes")
        for object in objects where object.type != "table" { try db.execute(sql: object.sql) }
    }

    private func columns(_ schema: String, _ table: String) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?, ?) ORDER BY cid", arguments: [table, schema])
    }

    private func copy(_ table: String, _ columns: String, hasRowID: Bool) throws {
        do {
            try insert(table, columns, where: "1")
        } catch let error as DatabaseError where salvages && Self.isDamage(error) {
            if try isCutOff(table) {
                note(table, "all rows")
            } else if hasRowID {
                attempts = 0
                try RowScout(db, table, isDamage: Self.isDamage).run(
                    { try salvageRange(table, columns, $0) }, lose: { lose(table, $0, $1) })
            } else {
                try salvageEnds(table, columns)
            }
        }
    }

    private func insert(_ table: String, _ columns: String, where condition: String) throws {
        let mode = salvages ? "INSERT OR IGNORE" : "INSERT"
        try db.execute(
            sql: "\(mode) INTO main.\(table) (\(columns)) SELECT \(columns) FROM old.\(table) WHERE \(condition)")
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_FORMAT: true
        case .SQLITE_IOERR: error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        default: false
        }
    }

    /// Whether the file ends before the page from which all rows of a table are reached: then none needs to be tried.
    private func isCutOff(_ table: String) throws -> Bool {
        let path = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'old'") ?? ""
        let root = try Int64.fetchOne(
            db, sql: "SELECT rootpage FROM old.sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
        // A write-ahead log may have the page.
        guard let root, let info = status(path), !ArchiveConnection.hasLog(path) else { return false }
        return root.multipliedReportingOverflow(by: 4096).partialValue > Int64(info.st_size)
    }

    /// Halves a range of row ids until every row is read but those of which only a part can be: the rest of a long row is
    /// on other pages.
    private func salvageRange(_ table: String, _ columns: String, _ range: ClosedRange<Int64>) throws {
        attempts += 1
        if attempts > Self.maximumAttempts {
            note(table, "row ids \(range.lowerBound) to \(range.upperBound): too much is damaged")
            return
        }
        do {
            // An interval looks at the row behind it, which may be on a damaged page.
            let isOne = range.lowerBound == range.upperBound
            let rows = isOne ? "= \(range.lowerBound)" : "BETWEEN \(range.lowerBound) AND \(range.upperBound)"
            try insert(table, columns, where: "rowid \(rows)")
        } catch let error as DatabaseError where Self.isDamage(error) {
            if range.lowerBound == range.upperBound {
                lose(table, range.lowerBound, range.lowerBound)
                return
            }
            let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
            try salvageRange(table, columns, range.lowerBound...middle)
            try salvageRange(table, columns, (middle + 1)...range.upperBound)
        }
    }

    private var openRange: (table: String, range: ClosedRange<Int64>)?

    /// Notes row ids that cannot be read, together with those just before; no last one: all that follow.
    private func lose(_ table: String, _ first: Int64, _ last: Int64?) {
        var first = first
        if let open = openRange, open.table == table, open.range.upperBound == first - 1 {
            first = open.range.lowerBound
            losses.removeLast()
        }
        openRange = last.map { (table, first...$0) }
        guard let last else { return note(table, "row ids from \(first) on") }
        note(table, first == last ? "row id \(first)" : "row ids \(first) to \(last)")
    }

    private func note(_ table: String, _ what: String) { losses.append(Loss(table: table, what: what)) }

    /// Reads a table without row ids from both ends as far as that goes.
    private func salvageEnds(_ table: String, _ columns: String) throws {
        let key = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk", arguments: [table])
        let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        for direction in ["ASC", "DESC"] {
            let order = key.map { "\($0) \(direction)" }.joined(separator: ", ")
            do {
                let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM old.\(table) ORDER BY \(order)")
                while let row = try rows.next() {
                    do {
                        try db.execute(
                            sql: "INSERT OR IGNORE INTO main.\(table) (\(columns)) VALUES (\(marks))",
                            arguments: StatementArguments(Array(row.databaseValues)))
                    } catch let error as DatabaseError where Self.isDamage(error) {
                        // This row is damaged, and others may follow.
                        continue
                    }
                }
            } catch let error as DatabaseError where Self.isDamage(error) {
                continue
            }
        }
        note(table, "the rows between those that can be read from both ends")
    }
}
