internal import ArgumentParser

/// Bare inserts of so many rows: what storing costs before anything is compared.
struct SQLiteFloorPass: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor-sqlite", abstract: "Inserts rows into a new SQLite file.", shouldDisplay: false)

    @Argument var rows: Int
    @Argument var file: String

    func run() throws {
        try UnsafeSQLiteFloor.insert(rows: rows, into: file)
    }
}
