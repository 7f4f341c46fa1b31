internal import Basics
internal import Foundation
internal import GRDB
internal import Store

/// What a stored text has to be: UTF-8 without a NUL.
///
/// SQLite stores any bytes as a text, and compares all of them. The `String` that the program reads ends at a NUL, and
/// has U+FFFD where bytes are no UTF-8: a changed text would be the old one to hashes, and another one to queries. No
/// import stores such a text: XML forbids a NUL, JSON escapes it, and the byte filter replaces what is no UTF-8.
enum UTF8Texts {
    /// The SQL function that tests a text, given as a BLOB: a text would reach it as a `String`.
    static let isUTF8 = DatabaseFunction("is_utf8", argumentCount: 1, pure: true) { values in
        guard case .blob(let bytes) = values[0].storage else { return false }
        let isSound: Bool = bytes.withByteView { !$0.contains(0) && String(validating: $0, as: UTF8.self) != nil }
        return isSound
    }

    /// The queries for rows that have another text, one a table: what they find, and their SQL.
    static func tests(_ tables: [Schema.Table]) -> [(what: String, sql: String)] {
        tables.filter { !$0.textColumns.isEmpty }.map { table in
            let conditions = table.textColumns.map { "typeof(\($0)) = 'text' AND NOT is_utf8(CAST(\($0) AS BLOB))" }
            return (
                what: "rows of \(table.name) with a text that has a NUL or is not UTF-8",
                sql: "SELECT \(table.row) FROM \(table.name) WHERE \(conditions.joined(separator: " OR "))"
            )
        }
    }
}
