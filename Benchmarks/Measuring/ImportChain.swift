internal import Foundation

/// Fifty imports of one chain, each a day later with few records deleted: what an import costs must not grow with their
/// number.
struct ImportChain {
    let inputs: BenchmarkInputs
    let program: Program

    private static let exports = 50
    /// Records of each export; of fewer, starting the program is most of the time.
    private static let mostRecords = 50_000
    /// The imports around the fifth and the last ones, of which the medians are compared.
    private static let early = 3...7
    private static let late = 46...50

    private var folder: String { "\(inputs.folder)/chain" }
    private var archive: String { "\(inputs.folder)/chain.sqlite" }

    /// Adds the time of a bare pass and of an import of each export to the result.
    ///
    /// - Throws: `BenchmarkError` if a child fails.
    func measure(_ result: inout SizeResult) throws {
        try generate()
        try Files.removeArchive(archive)
        var ratios: [Int: Double] = [:]
        for number in 1...Self.exports {
            let export = "\(folder)/\(number).xml"
            try Files.warm(export)
            let floor = try ChildProcess.run(try Program.own(), ["floor-sax", export]).requireSuccess().measurement
            let child = try program.run(["import", export, "--json", "--quiet"], archive: archive)
            ratios[number] = child.measurement.wallSeconds / floor.wallSeconds
        }
        try Files.removeArchive(archive)
        let medians = [Self.early, Self.late].map { range in Median.of(range.compactMap { ratios[$0] }) }
        result.chain.append((early: medians[0], late: medians[1]))
        Progress.say("  imports of a chain: \(Text.ratio(medians[0])) early, \(Text.ratio(medians[1])) late")
    }

    private func generate() throws {
        guard !FileManager.default.fileExists(atPath: "\(folder)/\(Self.exports).xml") else { return }
        let records = min(inputs.records, Self.mostRecords)
        Progress.say("\(inputs.records) records: writing \(Self.exports) exports of \(records) records")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let arguments = [
            "generate-chain", "--records", "\(records)", "--exports", "\(Self.exports)", "--folder", folder,
        ]
        try ChildProcess.run(try Program.own(), arguments).requireSuccess()
    }
}
