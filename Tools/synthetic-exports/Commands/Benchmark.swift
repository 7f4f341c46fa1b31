import ArgumentParser
import SyntheticExportGenerator

struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the benchmark's inputs: a base export and later ones that each change one thing.",
        discussion: """
            Writes base.xml and, of the same phone, later exports each with its summary (base.summary.json, …):
              unchanged.xml   exported an hour later in another zone: only offset and addresses differ
              churn.xml       about 1 % changed: records deleted and new days
              renamed.xml     the source that holds about 40 % of the records was renamed
              unit.xml        ActiveEnergyBurned in kJ in place of kcal

            Example:
              synthetic-exports benchmark --records 2000000 --output /tmp/bench
            """)

    @OptionGroup var sizing: SizeOptions

    @Option(
        help: ArgumentHelp(
            "Which later exports to write: unchanged, churn, renamed, unit; default all.", valueName: "name"))
    var only: [String] = []

    @Option(name: .shortAndLong, help: "The folder to write into.")
    var output: String

    func run() throws {
        let base = try sizing.scenario()
        let churnDays = max(1, base.dumps[0].days / 300)
        let later: [(String, DumpPlan)] = [
            ("unchanged", DumpPlan(days: 0, changes: [.offset(seconds: -18_000)])),
            ("churn", DumpPlan(days: churnDays, changes: [.delete(type: nil, share: 0.005)])),
            ("renamed", DumpPlan(days: 0, changes: [.rename(.oldWatch)])),
            ("unit", DumpPlan(days: 0, changes: [.unit(type: "HKQuantityTypeIdentifierActiveEnergyBurned", to: "kJ")])),
        ]
        try write("base", base)
        for (name, plan) in later where only.isEmpty || only.contains(name) {
            var scenario = base
            scenario.dumps.append(plan)
            try write(name, scenario)
        }
    }

    /// Writes the last dump of a scenario.
    private func write(_ name: String, _ scenario: Scenario) throws {
        let generator = SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: .counts)
        let summary = try generator.write(dump: scenario.dumps.count - 1, to: "\(output)/\(name).xml")
        try SyntheticExportGenerator.save(summary, to: "\(output)/\(name).summary.json")
        report(summary)
    }
}
