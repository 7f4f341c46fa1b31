internal import ArgumentParser
internal import Foundation

/// Runs the benchmark for each number of records and writes the report.
struct RunBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the benchmark for each number of records and writes the report (the default).",
        discussion: """
            Inputs and archives lie in the scratch folder; inputs are used again by the next run. Eight million
            records need about 30 GB there.

            Example:
              healthprobe-benchmarks --records 400000,2000000 --healthprobe .build/release/healthprobe
            """)

    @Option(help: ArgumentHelp("Numbers of records, separated by commas.", valueName: "list"))
    var records: String = "400000,2000000"

    @Option(help: ArgumentHelp("The program to measure.", valueName: "path"))
    var healthprobe: String = ".build/release/healthprobe"

    @Option(
        help: ArgumentHelp(
            "Rounds for every size; without it 3 up to 0.4 M records, 2 up to 2 M, else 1.", valueName: "n"))
    var rounds: Int?

    @Option(help: ArgumentHelp("Where inputs and archives lie.", valueName: "folder"))
    var scratch: String = NSTemporaryDirectory() + "healthprobe-benchmarks"

    @Option(help: ArgumentHelp("The documentation whose examples in SQL are timed.", valueName: "path"))
    var examples: String = "docs/archive-format.md"

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the report as Markdown.", valueName: "path"))
    var output: String?

    @Flag(help: "Exit with 1 where a bar is missed.")
    var strict = false

    func validate() throws {
        guard !sizes.isEmpty, sizes.count == records.split(separator: ",").count, sizes.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--records takes positive numbers, separated by commas")
        }
        guard (rounds ?? 1) > 0 else { throw ValidationError("--rounds must be positive") }
    }

    func run() throws {
        guard FileManager.default.isExecutableFile(atPath: healthprobe) else {
            throw ValidationError("there is no program at \(healthprobe); build it with: swift build -c release")
        }
        defer { ChildProcess.removeFiles() }
        let program = Program(path: URL(fileURLWithPath: healthprobe).path)
        let scratch = URL(fileURLWithPath: scratch).path
        // Keys of the archives made here go here too.
        setenv("XDG_DATA_HOME", "\(scratch)/data", 1)
        setenv("XDG_STATE_HOME", "\(scratch)/\(Files.stateFolder)", 1)
        let date = Date()
        let examples = try DocumentedQuery.read(examples)
        var results: [SizeResult] = []
        for size in sizes {
            let inputs = try BenchmarkInputs(records: size, scratch: scratch)
            let series = Series(inputs: inputs, program: program, rounds: rounds(for: size), examples: examples)
            results.append(try series.run())
        }
        let report = PerformanceReport(
            date: date, machine: try Machine.current(program: program), results: results)
        print(report.markdown)
        if let output { try Data(report.markdown.utf8).write(to: URL(fileURLWithPath: output)) }
        if strict, !report.meetsAllBars { throw ExitCode(1) }
    }

    private var sizes: [Int] { records.split(separator: ",").compactMap { Int($0) } }

    private func rounds(for size: Int) -> Int {
        rounds ?? (size <= 400_000 ? 3 : size <= 2_000_000 ? 2 : 1)
    }
}
