internal import Foundation
internal import SyntheticExportGenerator

/// The inputs of one size in the scratch folder, generated where they are not there yet.
struct BenchmarkInputs {
    let records: Int
    /// `SCRATCH/RECORDS`, with the inputs; archives are made in it and removed.
    let folder: String

    /// - Throws: `BenchmarkError` where an input cannot be written.
    init(records: Int, scratch: String) throws {
        self.records = records
        folder = "\(scratch)/\(records)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for input in BenchmarkInput.allCases where try !isComplete(input) {
            Progress.say("\(records) records: writing \(input.rawValue).xml")
            let arguments = ["generate", "--records", "\(records)", "--folder", folder, input.rawValue]
            try ChildProcess.run(try Program.own(), arguments).requireSuccess()
        }
    }

    /// The export's path.
    func path(_ input: BenchmarkInput) -> String { "\(folder)/\(input.rawValue).xml" }

    /// Bytes of the export.
    func byteCount(_ input: BenchmarkInput) throws -> Int { try Files.byteCount(path(input)) }

    /// What the generator says of the export.
    func summary(_ input: BenchmarkInput) throws -> DumpSummary {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(input.rawValue).summary.json"))
        return try JSONDecoder().decode(DumpSummary.self, from: data)
    }

    /// The summary is written last: an export without one was interrupted.
    private func isComplete(_ input: BenchmarkInput) throws -> Bool {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(input.rawValue).summary.json"),
            FileManager.default.fileExists(atPath: path(input))
        else { return false }
        return try byteCount(input) == summary(input).xmlByteCount
    }
}
