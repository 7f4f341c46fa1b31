internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Presentation
internal import Reporting

/// On which clocks tables print times.
struct DisplayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Print times and read days in this zone instead of UTC.", valueName: "zone"))
    var timeZone: String?

    /// The zone.
    /// - Throws: `usage` where there is none of that name.
    func zone() throws -> TimeZone { try Self.zone(timeZone) }

    /// How tables are laid out on standard output.
    func layout() throws -> TextLayout { Self.layout(try zone()) }

    /// The same with times in a zone.
    static func layout(_ zone: TimeZone) -> TextLayout {
        TextLayout(
            style: Style.forOutput(isTerminal: Terminal.isTerminal(1)), width: Terminal.columns(1), zone: zone)
    }

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
