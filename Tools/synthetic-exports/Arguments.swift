import ArgumentParser
import Foundation
import SyntheticExportGenerator

extension ExportForm: ExpressibleByArgument {}
extension TruthDetail: ExpressibleByArgument {}

extension Malformation: ExpressibleByArgument {}

/// Options that size and seed a phone.
struct SizeOptions: ParsableArguments {
    @Option(help: "Decides every random thing.")
    var seed: UInt64 = 1

    @Option(help: "About so many records in the first dump; without it an ordinary day's 1,650 or so.")
    var records: Int?

    @Option(help: "Days of history in the first dump; without it as many as the records need at an ordinary density.")
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "Workouts on most of the first DAYS days, recorded at full resolution however few the records are.",
            valueName: "days"))
    var athlete = 0

    @Option(help: "Export version: 3, 8, 11, 12 (malformed DTD), 13 or 14.")
    var exportVersion: Int = 14

    @Option(help: "Language and region of the first dump; names the main file and Apple's own sources.")
    var locale: String = "en_US"

    func validate() throws {
        guard (records ?? 1) > 0, (1...36_500).contains(days ?? 1) else {
            throw ValidationError("--records must be positive, --days between 1 and 36500")
        }
        _ = try Self.version(exportVersion)
    }

    /// A phone with its first dump.
    func scenario() throws -> Scenario {
        let records = records ?? Int(Scenario.recordsPerDay) * (days ?? 400)
        let history = days ?? min(3650, max(3, Int(Double(records) / Scenario.recordsPerDay)))
        var scenario = Scenario(
            seed: seed,
            density: Scenario.density(records: records, days: history, seed: seed, athleteDays: athlete),
            dumps: [DumpPlan(days: history, version: try Self.version(exportVersion))], locale: locale)
        scenario.athleteDays = athlete
        return scenario
    }

    static func version(_ number: Int) throws -> ExportVersion {
        guard let version = ExportVersion(rawValue: number) else {
            throw ValidationError("unknown export version \(number); known are 3, 8, 11, 12, 13, 14")
        }
        return version
    }
}

/// Prints what a dump holds, on stderr.
func report(_ summary: DumpSummary) {
    let line =
        "\(summary.file): \(summary.records) records, \(summary.items) items, \(summary.xmlByteCount) bytes of XML, "
        + "exported \(summary.exportDate)\n"
    FileHandle.standardError.write(Data(line.utf8))
}
