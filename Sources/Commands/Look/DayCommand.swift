internal import ArgumentParser
internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Training

/// One local day.
struct DayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day",
        abstract: "Shows one local day: totals, workouts, night, ECGs and every kind of record.",
        discussion: """
            The day is one of the chain's zone. Beside what the observation shows stands what the first one showed that \
            has records of the day. Totals count once what several sources recorded at one time.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var athlete: SettingsOption

    @Argument(help: ArgumentHelp("The day, as 2024-05-01.", valueName: "date"))
    var date: String

    @Option(help: .observation) var at = "latest"

    func run() throws {
        guard let day = CivilDate.daysSince1970(date) else {
            throw HealthProbeError(.usage, "day takes a date, not \(date).", hint: "Write it like 2024-05-01.")
        }
        try common.print(athlete) { db, settings, output in
            let answer = try sql.answer(common, db) {
                let snapshot = try Snapshot(db, chain: common.chain)
                return try DayAnswer.read(snapshot, at: snapshot.observation(at), day: Int64(day), settings)
            }
            if let answer { try common.print(.of(answer.json, DayDocument(answer).document), to: output) }
            return nil
        }
    }
}
