package import Basics
internal import Days
internal import Presentation
internal import Store
package import Training

/// What rows of nights are rows of.
package struct NightListing: Sendable {
    var zone: String
    /// Nil for a night of an answer about a day.
    var answer: NightsAnswer?
}

extension NightsAnswer {
    /// What `metrics nights` says of the sleep of a day; stages in minutes.
    package static let columns = Columns<Night, NightListing>("nights") {
        Figure("date", .day, "The day on which the sleep ends.") { LocalDate.text(day: $0.row.day) }
            .shown(.exact("Day"), link: { .init("day", ["date": LocalDate.text(day: $0.row.day)]) }) {
                LocalDate.text(day: $0.row.day)
            }
        Figure("zone", .text, "The zone of the days.") { $0.answer.zone }
        Figure("fellAsleep", .instant.optional, "When sleep begins.") {
            $0.row.sleep.night?.fellAsleep.map { JSON.instant($0) }
        }
        .shown(.right("From")) { time($0.row.sleep.night?.fellAsleep, $0.looks) }
        Figure("wokeUp", .instant.optional, "When it ends; null without stages.") {
            wakes($0.row).map { JSON.instant($0) }
        }
        .shown(.right("To")) { time(wakes($0.row), $0.looks) }
        duration("asleep", "Asleep, without naps.", .right("Asleep"), .before("fellAsleep")) { $0.durationSeconds }
        duration("core", "In core sleep.", .right("Core", leftOut: 3)) { $0.night?.stages?.core }
        duration("deep", "In deep sleep.", .right("Deep", leftOut: 3)) { $0.night?.stages?.deep }
        duration("rem", "In REM sleep.", .right("REM", leftOut: 3)) { $0.night?.stages?.rem }
        duration("unspecified", "Asleep without a stage.", .right("No stage", leftOut: 4)) {
            $0.night?.stages?.unspecified
        }
        duration("awake", "Awake between falling asleep and waking.", .right("Awake", leftOut: 3)) {
            $0.night?.stages?.awake
        }
        duration("inBed", "In bed.", .right("In bed", leftOut: 5)) { $0.night?.inBedSeconds }
        Figure("inBedFrom", .instant.optional, "When the time in bed begins.") {
            $0.row.sleep.night?.inBed.map { JSON.instant($0.start) }
        }
        Figure("inBedTo", .instant.optional, "When it ends.") {
            $0.row.sleep.night?.inBed.map { JSON.instant($0.end) }
        }
        Figure("efficiency", .number(.score).optional, "Asleep by asleep and awake.") {
            $0.row.sleep.night?.stages?.efficiency
        }
        .shown(.right("Efficiency"), .before("core")) {
            $0.row.sleep.night?.stages?.efficiency.map { "\(Int(($0 * 100).rounded())) %" } ?? "-"
        }
        Figure("sourceName", .text.optional, "The source that counts.") { $0.row.sleep.night?.sourceName }
            .shown(.words("Source", maxWidth: 30, leftOut: 2)) { $0.row.sleep.night?.sourceName.quoted ?? "" }
        Figure("napMinutes", .number(.measure, in: "min").optional, "Asleep in naps.") { $0.row.sleep.napSeconds / 60 }
            .shown(.right("Naps", leftOut: 6), .before("sourceName")) {
                $0.row.sleep.naps.isEmpty ? "" : DailyDocument.clock($0.row.sleep.napSeconds)
            }
        Figure("naps", .list(.object(naps, defined: "nap")), "The naps.", csv: "") {
            $0.row.sleep.naps.map { naps.json($0, of: ()) }
        }
        Figure("labels", .labels, "Remarks on the night.") { $0.row.labels.json }
            .shown(.left("Labels", leftOut: 1)) { $0.row.labels.ordered.map(\.rawValue).joined(separator: ", ") }
        Figure("observation", .count, "The observation.", csv: "", when: listed) { $0.answer.answer?.observation.id }
        Figure("state", .choice(WorkoutState.self), "Which records are read.", csv: "", when: listed) {
            $0.answer.answer?.state.rawValue
        }
        Figure("definitionsVersion", .count, "Version of the formulas.", csv: "", when: listed) { _ in
            Metrics.definitionsVersion
        }
    }

    private typealias Figure = Column<Night, NightListing>

    private static let listed = Figure.Condition("not in `day`") { $0.answer != nil }

    private static let naps = Columns<SleepEpisode, Void>(nil) {
        Column("startDate", .instant, "When it begins.") { JSON.instant($0.row.interval.start) }
        Column("endDate", .instant, "When it ends.") { JSON.instant($0.row.interval.end) }
        Column("asleep", .number(.measure, in: "min"), "Asleep in it.") { $0.row.asleepSeconds / 60 }
        Column("sourceName", .text, "Its source.") { $0.row.sourceName }
    }

    private var listing: NightListing { NightListing(zone: zone.name, answer: self) }

    /// The rows of `metrics nights --json`, one a day with sleep.
    package var jsonRows: [JSON] { nights.map { Self.columns.json($0, of: listing) } }

    /// The lines of `metrics nights --json`.
    package var lines: [UInt8] { Self.columns.lines(nights, of: listing) }

    /// The rows of `metrics nights --csv`.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] { Self.columns.csv(nights, of: listing, forTerminal: forTerminal) }

    /// The last nights for people.
    func table(_ count: Int) -> Table {
        Self.columns.table(nights.suffix(count), of: listing, Looks(DisplayZone(zone.timeZone)))
    }

    /// Minutes of sleep, in hours and minutes for people.
    private static func duration(
        _ name: String, _ meaning: String, _ column: Table.Column, _ place: Figure.Place? = nil,
        _ seconds: @escaping @Sendable (SleepDay) -> Double?
    ) -> Figure {
        Figure(name, .number(.measure, in: "min").optional, meaning) { seconds($0.row.sleep).map { $0 / 60 } }
            .shown(column, place) { DailyDocument.clock(seconds($0.row.sleep)) }
    }

    /// When a night with stages ends.
    private static func wakes(_ night: Night) -> Double? {
        night.sleep.night?.stages == nil ? nil : night.sleep.night?.wakes
    }

    private static func time(_ instant: Double?, _ looks: Looks) -> String {
        instant.map { String(looks.zone.time(Int64($0)).dropFirst(11).prefix(5)) } ?? "-"
    }
}
