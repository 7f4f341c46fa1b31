internal import Foundation

/// The report on workouts and days as Markdown.
struct MetricsReport {
    let date: Date
    let machine: Machine
    let records: Int
    let result: MetricsResult

    /// The bars for two million records with 1,500 workouts; what grows with the workouts is scaled to these.
    var bars: [Bar] {
        let share = Double(max(1, result.workouts)) / 1500
        let touched = 2 * Double(result.touched) * result.beyondStart(.one)
        return [
            Bar("a page of 100 workouts", within: 0.05, result.beyondStart(.page)),
            Bar("all workouts, as 1,500", within: 0.5, result.beyondStart(.all) / share),
            Bar("one workout", within: 0.05, result.beyondStart(.one)),
            Bar("one workout at two observations", within: 0.1, result.beyondStart(.two)),
            Bar("a replay of 200 messages", within: 0.2, result.beyondStart(.replay)),
            Bar(
                "metrics daily", most: 0.6, "a bare SAX pass",
                measured: result.beyondStart(.daily) / max(0.001, Median.of(result.floor.map(\.cpuSeconds)))),
            Bar(
                "impact beyond consolidation", within: touched,
                max(0, result.seconds(.impact) - result.seconds(.consolidation))),
            Bar("metrics daily, asked again", within: 0.1, result.beyondStart(.dailyAgain)),
            Bar("impact, asked again", within: 0.2, result.beyondStart(.impactAgain)),
            Bar(
                "peak memory", "150 MB", Text.megabytes(result.peakBytes),
                isMet: result.peakBytes <= 150_000_000),
        ]
    }

    var markdown: String {
        let table =
            ["| work | bar | measured | met |", "|---|---|---|---|"]
            + bars.map { "| \($0.work) | ≤ \($0.limit) | \($0.measured) | \($0.isMet ? "yes" : "**no**") |" }
        let rows =
            ["| command with --json | wall | user + system | peak memory |", "|---|---|---|---|"]
            + (result.commands.map { (name: $0.name.rawValue, runs: $0.runs) } + [("a bare SAX pass", result.floor)])
            .map {
                let cpu = Text.seconds(Median.of($0.runs.map(\.cpuSeconds)))
                let peak = Text.megabytes($0.runs.map(\.peakBytes).max() ?? 0)
                return "| \($0.name) | \(Text.seconds(Median.wall($0.runs))) | \(cpu) | \(peak) |"
            }
        let head = [
            "# Performance of workouts and days", "",
            "Written by `make bench-metrics` on \(date.formatted(.iso8601.year().month().day())); do not edit.", "",
        ]
        let text = [
            "",
            "Two exports of an athlete, the first of about \(Text.count(records)) records; before the second, seven tenths of",
            "the old workouts were condensed: \(Text.count(result.workouts)) workouts, \(Text.count(result.touched)) of them"
                + " with another figure. Only what is asked again comes from the cache. Bars are",
            "user and system time beyond the program's start; that of all workouts is scaled to 1,500 of them, that of impact is twice the time of",
            "one workout for each that it touches.", "",
        ]
        return (head + machine.lines.map { "- \($0)" } + text + table + [""] + rows).joined(separator: "\n") + "\n"
    }
}
