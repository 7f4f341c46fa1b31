internal import Archive
internal import ArgumentParser
internal import Reporting
internal import TextFormats

/// `--show-sql`: the queries behind a command's numbers instead of the numbers.
struct ShowSQL: ParsableArguments {
    @Flag(help: "Print the SQL behind the numbers, for the sqlite3 shell, instead of them.")
    var showSql = false

    /// Prints queries as SQL with their titles as comments, or as a JSON object.
    static func print(_ queries: [NumberedQuery], asJSON: Bool) throws {
        try Output.with { try print(queries, asJSON: asJSON, to: $0) }
    }

    /// Prints queries as SQL with their titles as comments, or as a JSON object.
    static func print(_ queries: [NumberedQuery], asJSON: Bool, to output: Output) throws {
        if asJSON { return try output.writeLine(QueryJSON.line(queries)) }
        for query in queries {
            try output.write("-- \(TerminalText.safe(query.title))\n")
            for line in query.sql.split(separator: "\n", omittingEmptySubsequences: false) {
                try output.write(TerminalText.safe(String(line)) + "\n")
            }
            try output.write("\n")
        }
    }
}
