internal import ArgumentParser

/// One query of the documentation: what its reader waits for.
struct QueryPass: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Runs a query and reads all its rows.", shouldDisplay: false)

    @Argument var sql: String
    @Argument var file: String

    func run() throws {
        try UnsafeSQLiteFloor.query(sql, in: file)
    }
}
