internal import ArgumentParser
internal import SyntheticExportGenerator

/// Writes one input. It has a process of its own because a child's peak memory begins with that of its parent.
struct GenerateInput: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Writes one input of the benchmark.", shouldDisplay: false)

    @Option var records: Int
    @Option var folder: String
    @Argument var input: BenchmarkInput

    func run() throws {
        let days = min(3650, max(3, Int(Double(records) / Scenario.recordsPerDay)))
        let base = DumpPlan(days: days)
        let plans = input.plan(historyDays: days).map { [base, $0] } ?? [base]
        let density = Scenario.density(records: records, days: days, seed: 1)
        let generator = SyntheticExportGenerator(
            scenario: Scenario(seed: 1, density: density, dumps: plans), form: .xml, truthDetail: .counts)
        let summary = try generator.write(dump: plans.count - 1, to: "\(folder)/\(input.rawValue).xml")
        try SyntheticExportGenerator.save(summary, to: "\(folder)/\(input.rawValue).summary.json")
    }
}

extension BenchmarkInput: ExpressibleByArgument {}
