internal import ArgumentParser
internal import Foundation

/// Measures what is computed from workouts and days.
struct MeasureMetrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Measures workouts, days, replay and impact of an athlete's two exports and writes the report.",
        discussion: """
            The second export has seven tenths of the old workouts condensed.

            Example:
              healthprobe-benchmarks metrics --records 400000 --healthprobe .build/release/healthprobe
            """)

    @Option(help: ArgumentHelp("About so many records in the first export.", valueName: "count"))
    var records = 400_000

    @Option(help: ArgumentHelp("The program to measure.", valueName: "path"))
    var healthprobe: String = ".build/release/healthprobe"

    @Option(help: ArgumentHelp("How often each command runs; the median counts.", valueName: "n"))
    var rounds = 3

    @Option(help: ArgumentHelp("Where inputs and archives lie.", valueName: "folder"))
    var scratch: String = NSTemporaryDirectory() + "healthprobe-benchmarks"

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the report as Markdown.", valueName: "path"))
    var output: String?

    @Flag(help: "Exit with 1 where a bar is missed.")
    var strict = false

    func validate() throws {
        guard records > 0, rounds > 0 else { throw ValidationError("--records and --rounds must be positive") }
    }

    func run() throws {
        defer { ChildProcess.removeFiles() }
        let program = Program(path: URL(fileURLWithPath: healthprobe).path)
        let scratch = URL(fileURLWithPath: scratch).path
        setenv("XDG_DATA_HOME", "\(scratch)/data", 1)
        setenv("XDG_STATE_HOME", "\(scratch)/\(Files.stateFolder)", 1)
        setenv("XDG_CONFIG_HOME", "\(scratch)/config", 1)
        let input = try AthleteInput(records: records, scratch: scratch)
        let result = try MetricsSeries(input, program, rounds: rounds).run()
        let report = MetricsReport(
            date: Date(), machine: try Machine.current(program: program), records: records, result: result)
        print(report.markdown)
        if let output { try Data(report.markdown.utf8).write(to: URL(fileURLWithPath: output)) }
        if strict, !report.bars.allSatisfy(\.isMet) { throw ExitCode(1) }
    }
}
