import Foundation
import GRDB
import Testing
import TestSupport

/// The statements that `--show-sql` prints, run on the archive as it is.
struct PrintedQueries {
    /// What each statement returned that returned any row.
    let results: [[Row]]

    /// Runs the statements that a command prints.
    init(_ sandbox: Sandbox, _ command: [String]) throws {
        let answer = try sandbox.run(command + ["--show-sql", "--json"]).expecting(0).object()
        try self.init(sandbox.archive, try #require(answer["queries"] as? [[String: String]]))
    }

    /// Runs statements on an archive that nothing may write to; what they rest on goes to temporary tables.
    init(_ archive: String, _ queries: [[String: String]]) throws {
        var configuration = Configuration()
        configuration.readonly = true
        results = try DatabaseQueue(path: archive, configuration: configuration).read { db in
            var results: [[Row]] = []
            for query in queries {
                #expect(query["title"]?.isEmpty == false)
                let statements = try db.allStatements(sql: try #require(query["sql"]))
                while let statement = try statements.next() { results.append(try Row.fetchAll(statement)) }
            }
            return results.filter { !$0.isEmpty }
        }
    }

    /// All rows that have these columns.
    func rows(_ columns: String...) -> [Row] {
        results.joined().filter { row in columns.allSatisfy { row.hasColumn($0) } }
    }

    /// The sum of a column of whole numbers.
    func sum(_ column: String) -> Int { rows(column).reduce(0) { $0 + ($1[column] as Int) } }

    /// A count by type identifier, and by another column where one is named.
    func counts(_ column: String, by key: String? = nil) -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in rows(column) where key.map(row.hasColumn) ?? true {
            let name: String = row["type_identifier"]
            counts[key.map { "\(name) \(row[$0] as String)" } ?? name, default: 0] += row[column] as Int
        }
        return counts
    }

    /// Whether a number of a row is that of the command; what SQL adds up may differ in the last digits.
    static func agree(_ found: Double?, _ said: Any?) -> Bool {
        guard let found, let said = said as? Double else { return found == nil && (said == nil || said is NSNull) }
        return abs(found - said) <= 1e-9 * max(abs(found), abs(said))
    }
}
