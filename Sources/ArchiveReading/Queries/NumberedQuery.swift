/// A number's query: what it yields, and SQL that the `sqlite3` shell runs on the archive as it is.
package struct NumberedQuery: Sendable, Equatable {
    package var title: String
    package var sql: String

    package init(_ title: String, _ sql: String) {
        self.title = title
        self.sql = sql
    }
}
