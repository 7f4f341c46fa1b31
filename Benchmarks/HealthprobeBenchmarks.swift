internal import ArgumentParser

/// Measures the built `healthprobe` against the floors under it: a bare libxml2 pass and bare SQLite inserts.
///
/// The data flow: `Inputs` makes a base export and later ones that each change one thing; `Floors` are what no importer
/// can go below, run as child processes of this very program; `Measuring` runs floors and program in alternation and
/// takes time and memory of every child from the kernel; `Checking` holds each answer against what the generator did, so
/// that a fast wrong program fails; `Report` writes docs/performance.md with a verdict for every bar.
@main
struct HealthprobeBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthprobe-benchmarks",
        abstract: "Measures the built healthprobe against a bare libxml2 pass and bare SQLite inserts.",
        subcommands: [
            RunBenchmarks.self, MeasureMetrics.self, GenerateInput.self, GenerateChain.self, GenerateAthlete.self,
            SAXFloorPass.self, SQLiteFloorPass.self, QueryPass.self,
        ],
        defaultSubcommand: RunBenchmarks.self)
}
