internal import Foundation

/// An example of docs/archive-format.md: the sentence above it and its SQL.
struct DocumentedQuery: Sendable {
    var title: String
    var sql: String

    /// The examples of the file, in its order.
    ///
    /// - Throws: `BenchmarkError` where it has none.
    static func read(_ path: String) throws -> [DocumentedQuery] {
        let blocks = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "```sql\n")
        let queries = zip(blocks, blocks.dropFirst()).map { text, block in
            DocumentedQuery(
                title: title(text),
                sql: block.components(separatedBy: "```")[0])
        }
        guard !queries.isEmpty else { throw BenchmarkError("\(path) has no examples in SQL") }
        return queries
    }

    /// The last paragraph before the SQL, as one line without its colon.
    private static func title(_ text: String) -> String {
        let paragraphs = text.components(separatedBy: "\n\n").filter { !$0.allSatisfy(\.isWhitespace) }
        let line = (paragraphs.last ?? "").split(separator: "\n").joined(separator: " ")
        return line.hasSuffix(":") ? String(line.dropLast()) : line
    }
}
