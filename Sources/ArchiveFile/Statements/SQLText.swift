/// Values as text of SQL statements.
package enum SQLText {
    /// Ids as a JSON array, for `IN (SELECT value FROM json_each(?))`: a list of any length in one bound argument.
    package static func boundList(_ ids: [Int64]) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }
}
