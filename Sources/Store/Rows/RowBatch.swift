package import GRDB
package import HealthModel

/// Rows for a statement that takes many at once: SQLite opens a table and its indexes once for each run, which takes two
/// fifths of the time of single rows.
package final class RowBatch {
    /// Rows of a run; twice as many save less than a twentieth.
    package static let rowsAtOnce: Int32 = 32
    private let statement: PreparedStatement
    private let columns: Int32
    private var waiting: Int32 = 0

    /// - Parameters:
    ///   - columns: how many values a row has.
    ///   - sql: the statement for a list of rows as it is behind `VALUES`. Rows of that list that were not given have NULL
    ///     in their first column, `column1`; the statement must pass over them.
    package init(_ db: Database, columns: Int, _ sql: (_ rows: String) -> String) throws {
        self.columns = Int32(columns)
        let row = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
        let rows = Array(repeating: row, count: Int(Self.rowsAtOnce)).joined(separator: ", ")
        statement = try PreparedStatement(db, sql(rows))
    }

    /// Prepares inserting into columns, of which the first is never NULL.
    package convenience init(_ db: Database, insert: String = "INSERT", into table: String, _ names: [String]) throws {
        try self.init(db, columns: names.count) { rows in
            """
            \(insert) INTO \(table) (\(names.joined(separator: ", ")))
            SELECT * FROM (VALUES \(rows)) WHERE column1 IS NOT NULL
            """
        }
    }

    // MARK: - The next row: every column is bound, counted from 1

    @inline(__always)
    package func bind(_ column: Int32, _ value: Int64) { statement.bind(waiting * columns + column, value) }

    @inline(__always)
    package func bind(_ column: Int32, optional value: Int64?) {
        statement.bind(waiting * columns + column, optional: value)
    }

    @inline(__always)
    package func bind(_ column: Int32, _ value: Double) { statement.bind(waiting * columns + column, value) }

    @inline(__always)
    package func bind(_ column: Int32, _ digest: Digest256) { statement.bind(waiting * columns + column, digest) }

    /// Whether no row waits.
    package var isEmpty: Bool { waiting == 0 }

    /// Ends the row; it is written now or by `flush`.
    @inline(__always)
    package func endRow() throws {
        waiting += 1
        if waiting == Self.rowsAtOnce { try flush() }
    }

    /// Writes the rows that wait.
    package func flush() throws {
        guard waiting > 0 else { return }
        for row in waiting..<Self.rowsAtOnce { statement.bindNull(row * columns + 1) }
        waiting = 0
        try statement.run()
    }
}
