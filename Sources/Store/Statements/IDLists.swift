/// Ids as text of SQL statements.
extension Sequence<Int64> {
    /// `1, 2, 3`, for `IN (...)` in the text of a statement.
    package var sqlList: String { map(String.init).joined(separator: ", ") }

    /// `[1, 2, 3]`, for `IN (SELECT value FROM json_each(?))`: a list of any length in one bound argument.
    package var boundList: String { "[\(sqlList)]" }
}
