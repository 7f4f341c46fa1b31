internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Presentation

/// On whose clocks times are printed and read.
struct DisplayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Print times and read days in this zone instead of UTC.", valueName: "zone"))
    var timeZone: String?

    /// The zone.
    /// - Throws: `usage` where there is none of that name.
    func zone() throws -> DisplayZone { DisplayZone(try Self.zone(timeZone)) }

    /// The zone of a name; UTC without one.
    static func zone(_ name: String?) throws -> TimeZone {
        guard let name else { return .gmt }
        guard let zone = TimeZone(identifier: name) else {
            throw ArchiveError(
                .usage, "There is no time zone \(name).", hint: "Name one like Europe/Bucharest or America/New_York.")
        }
        return zone
    }
}

/// `--show-sql`: the queries behind a command's numbers instead of the numbers.
struct ShowSQL: ParsableArguments {
    @Flag(help: "Print the SQL behind the numbers, for the sqlite3 shell, instead of them.")
    var showSql = false
}
