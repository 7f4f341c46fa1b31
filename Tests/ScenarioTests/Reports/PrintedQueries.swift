import Foundation
import GRDB
import TestSupport
import Testing

/// The queries that `--show-sql` prints, run on the archive as it is.
enum PrintedQueries {
    /// The rows of each query that a command names.
    static func rows(_ sandbox: Sandbox, _ command: [String]) throws -> [[Row]] {
        let answer = try sandbox.run(command + ["--show-sql", "--json"]).expecting(0).object()
        let queries = try #require(answer["queries"] as? [[String: String]])
        #expect(!queries.isEmpty)
        var configuration = Configuration()
        configuration.readonly = true
        let archive = try DatabaseQueue(path: sandbox.archive, configuration: configuration)
        return try archive.read { db in
            try queries.map { query in try Row.fetchAll(db, sql: try #require(query["sql"])) }
        }
    }

    /// Whether a number of a row is that of the command; what SQL adds up may differ in the last digits.
    static func agree(_ found: Double?, _ said: Any?) -> Bool {
        guard let found, let said = said as? Double else { return found == nil && (said == nil || said is NSNull) }
        return abs(found - said) <= 1e-9 * max(abs(found), abs(said))
    }
}
