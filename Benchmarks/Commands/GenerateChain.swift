internal import ArgumentParser
internal import SyntheticExportGenerator

/// Writes the exports of `ImportChain`. It has a process of its own as `GenerateInput` has.
struct GenerateChain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-chain", abstract: "Writes successive exports of one phone.", shouldDisplay: false)

    @Option var records: Int
    @Option var exports: Int
    @Option var folder: String

    func run() throws {
        let days = min(3650, max(3, Int(Double(records) / Scenario.recordsPerDay)))
        let later = DumpPlan(days: 1, changes: [.delete(type: nil, share: 0.003)])
        let plans = [DumpPlan(days: days)] + Array(repeating: later, count: exports - 1)
        let density = Scenario.density(records: records, days: days, seed: 1)
        let generator = SyntheticExportGenerator(
            scenario: Scenario(seed: 1, density: density, dumps: plans), form: .xml, truthDetail: .counts)
        for number in 1...exports { _ = try generator.write(dump: number - 1, to: "\(folder)/\(number).xml") }
    }
}
