package import GRDB

/// A statement behind an answer's numbers: `--show-sql` prints it for the `sqlite3` shell.
package struct PrintedQuery: Sendable, Equatable {
    package var title: String
    package var sql: String

    package init(_ title: String, _ sql: String) {
        self.title = title
        self.sql = sql
    }

    /// Runs a body, and returns with its result the statements that it ran on a connection, their arguments as literals.
    ///
    /// These are the statements whose text begins with a title, `/* … */`; the others prepare or look up single rows.
    ///
    /// - Parameter isKept: asked of each; an analysis of millions of records runs more than fit into memory.
    package static func run<R>(
        on db: Database, where isKept: @escaping (PrintedQuery) -> Bool = { _ in true }, _ body: () throws -> R
    ) rethrows -> (result: R, queries: [PrintedQuery]) {
        var queries: [PrintedQuery] = []
        let trace = StatementTrace(db, startingWith: titleStart) { text in
            let query = PrintedQuery(titled: text)
            if isKept(query) { queries.append(query) }
        }
        let result = try withExtendedLifetime(trace, body)
        return (result, queries)
    }

    /// The statements that make a temporary table with some columns of its rows.
    package static func rows(_ db: Database, _ title: String, of table: String, _ columns: [String]) throws
        -> PrintedQuery
    {
        let names = columns.joined(separator: ", ")
        let values = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
        var sql = "DROP TABLE IF EXISTS temp.\(table);\nCREATE TEMP TABLE \(table) (\(names));"
        var batch: [String] = []
        func finish() {
            if !batch.isEmpty { sql += "\nINSERT INTO temp.\(table) VALUES " + batch.joined(separator: ",") + ";" }
            batch.removeAll(keepingCapacity: true)
        }
        let rows = try PreparedStatement(db, "SELECT '(' || \(values) || ')' FROM temp.\(table)")
        defer { rows.reset() }
        while try rows.step() {
            batch.append(rows.text(0) ?? "")
            if batch.count == batchSize { finish() }
        }
        finish()
        return PrintedQuery(title, sql)
    }

    /// How many rows one statement inserts.
    private static let batchSize = 500
    private static let titleStart: StaticString = "/* "
    private static let titleEnd = " */\n"

    /// - Parameter text: a statement behind its title.
    private init(titled text: String) {
        let end = text.firstRange(of: Self.titleEnd) ?? text.endIndex..<text.endIndex
        title = String(text[..<end.lowerBound].dropFirst(Self.titleStart.utf8CodeUnitCount))
        sql = text[end.upperBound...] + ";"
    }
}
