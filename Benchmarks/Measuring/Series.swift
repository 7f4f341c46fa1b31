internal import Foundation
internal import SyntheticExportGenerator

/// All measurements of one size: floor and program in alternation, round after round, every answer checked.
struct Series {
    let inputs: BenchmarkInputs
    let program: Program
    let rounds: Int
    /// The examples of the documentation.
    let examples: [DocumentedQuery]

    private var baseArchive: String { "\(inputs.folder)/base.sqlite" }
    private var laterArchive: String { "\(inputs.folder)/later.sqlite" }
    private static let pageSize = 1000

    /// - Throws: `BenchmarkError` where a child fails or answers wrongly.
    func run() throws -> SizeResult {
        var result = SizeResult(records: inputs.records, items: try inputs.summary(.base).items)
        for input in BenchmarkInput.allCases { result.xmlBytes[input] = try inputs.byteCount(input) }
        for round in 1...rounds {
            Progress.say("\(inputs.records) records, round \(round) of \(rounds): first import")
            try measureFirstImport(&result)
            try measurePages(&result)
            try measureExports(&result)
            for input in BenchmarkInput.allCases where input != .base {
                Progress.say("\(inputs.records) records, round \(round) of \(rounds): \(input.rawValue)")
                try measureLaterImport(of: input, &result)
            }
            try ImportChain(inputs: inputs, program: program).measure(&result)
        }
        try Files.removeArchive(baseArchive)
        try Files.removeArchive(laterArchive)
        return result
    }

    private func measureFirstImport(_ result: inout SizeResult) throws {
        let rows = "\(inputs.folder)/floor.sqlite"
        try Files.removeArchive(rows)
        let sqlite = try ChildProcess.run(try Program.own(), ["floor-sqlite", "\(result.items)", rows])
        result.sqliteFloor.append(try sqlite.requireSuccess().measurement)
        try Files.removeArchive(rows)
        try Files.removeArchive(baseArchive)
        if let arrow = try ArrowPass.measure(inputs.path(.base)) { result.arrow.append(arrow) }
        try measureImport(of: .base, into: baseArchive, &result)
    }

    private func measureLaterImport(of input: BenchmarkInput, _ result: inout SizeResult) throws {
        try Files.copyArchive(baseArchive, to: laterArchive)
        let answer = try measureImport(of: input, into: laterArchive, &result)
        switch input {
        case .churn:
            try measureDiff(answer, &result)
            result.check.append(try program.run(["check", "--json"], archive: laterArchive).measurement)
            try measureThreeObservations(&result)
        case .condensed: try measureConsolidation(&result)
        case .renamed: try measureRenameBack(&result)
        default: break
        }
    }

    private func measureDiff(_ answer: ImportAnswer, _ result: inout SizeResult) throws {
        let diff = try program.run(["diff", "latest~1", "latest", "--json"], archive: laterArchive)
        let differences = try JSONDecoder().decode(DiffAnswer.self, from: diff.output())
        try differences.require(equal: answer.totals)
        result.diff.append(diff.measurement)
        result.changes = differences.totals.changes
    }

    /// Adds a third export, in which most old workouts were condensed, and compares it with the first.
    private func measureThreeObservations(_ result: inout SizeResult) throws {
        let third = ["import", inputs.path(.condensed), "--json", "--quiet"]
        try Files.warm(inputs.path(.condensed))
        result.thirdImport.append(try program.run(third, archive: laterArchive).measurement)
        let diff = try program.run(["diff", "first", "latest", "--json"], archive: laterArchive)
        result.distantDiff.append(diff.measurement)
        let cache = try program.run(["cache", "rebuild", "--json"], archive: laterArchive)
        result.cacheRebuild.append(cache.measurement)
        let share = Double(try Files.archiveByteCount("\(laterArchive).cache"))
        result.cacheShare = share / Double(try Files.archiveByteCount(laterArchive))
        if result.examples.isEmpty { result.examples = examples.map { ($0.title, []) } }
        for (index, example) in examples.enumerated() {
            let child = try ChildProcess.run(try Program.own(), ["query", example.sql, laterArchive])
            result.examples[index].times.append(try child.requireSuccess().measurement)
        }
    }

    /// Adds an export in which the source has its old name again, and one with 1 % changed, and compares these two: what
    /// came back before does not concern them.
    private func measureRenameBack(_ result: inout SizeResult) throws {
        for (input, day) in [(BenchmarkInput.unchanged, "01"), (.churn, "02")] {
            let date = ["--observed-at", "2040-01-\(day)T12:00:00Z"]
            try Files.warm(inputs.path(input))
            let child = try program.run(
                ["import", inputs.path(input), "--json", "--quiet"] + date, archive: laterArchive)
            if input == .unchanged { result.renameBack.append(child.measurement) }
        }
        let diff = try program.run(["diff", "latest~1", "latest", "--json"], archive: laterArchive)
        result.diffBehindRenames.append(diff.measurement)
    }

    private func measureConsolidation(_ result: inout SizeResult) throws {
        let child = try program.run(["consolidation", "latest~1", "latest", "--json"], archive: laterArchive)
        let answer = try JSONDecoder().decode(ConsolidationAnswer.self, from: child.output())
        try answer.require(inputs.summary(.condensed))
        result.consolidation.append(child.measurement)
        result.disappeared = answer.disappeared
    }

    @discardableResult
    private func measureImport(
        of input: BenchmarkInput, into archive: String, _ result: inout SizeResult
    ) throws -> ImportAnswer {
        try Files.warm(inputs.path(input))
        let (floor, measurement, output) = try between(input) {
            try program.run(["import", inputs.path(input), "--json", "--quiet"], archive: archive)
        }
        let answer = try JSONDecoder().decode(ImportAnswer.self, from: output)
        try ImportCheck(input: input, summary: inputs.summary(input)).require(answer)
        let round = ImportRound(
            floor: floor, program: measurement,
            archiveBytes: try Files.archiveByteCount(archive))
        result.imports[input, default: []].append(round)
        let (ratio, seconds) = (Text.ratio(round.wallRatio), Text.seconds(round.program.wallSeconds))
        Progress.say("  \(seconds), \(ratio) of the bare pass, \(Text.megabytes(round.program.peakBytes)) at most")
        return answer
    }

    /// Runs something between two bare passes: a machine that grows slower or faster meanwhile does so for both.
    private func between(
        _ input: BenchmarkInput, _ body: () throws -> ChildProcess
    ) throws -> (floor: Measurement, child: Measurement, output: Data) {
        func pass() throws -> Measurement {
            try ChildProcess.run(try Program.own(), ["floor-sax", inputs.path(input)]).requireSuccess().measurement
        }
        let before = try pass()
        let child = try body()
        // The next child writes to the same files.
        let output = try child.output()
        return (Measurement.mean(before, try pass()), child.measurement, output)
    }

    /// The first page of the newest observation and one nine tenths behind it, with the start of the program alone.
    private func measurePages(_ result: inout SizeResult) throws {
        let cursor = try cursor(behind: result.items * 9 / 10)
        for _ in 0..<5 {
            let command = Self.listing(after: nil, limit: Self.pageSize)
            result.start.append(try program.start(command, archive: "\(inputs.folder)/no.sqlite").measurement)
            result.firstPage.append(try page(after: nil))
            result.farPage.append(try page(after: cursor))
        }
    }

    private func measureExports(_ result: inout SizeResult) throws {
        for form in ExportedForm.allCases {
            let output = "\(inputs.folder)/exported-\(form.rawValue)"
            let (floor, measurement, answer) = try between(.base) {
                try program.run(form.arguments + ["--output", output], archive: baseArchive)
            }
            try JSONDecoder().decode(ExportAnswer.self, from: answer).require(items: result.items)
            let round = ExportRound(floor: floor, program: measurement)
            result.exports[form, default: []].append(round)
            Progress.say("  export \(form.rawValue): \(Text.ratio(round.wallRatio)) of the bare pass")
            try Files.removeArchive(output)
        }
    }

    private func page(after cursor: String?) throws -> Measurement {
        let child = try listing(after: cursor, limit: Self.pageSize)
        let lines = try child.output().split(separator: 0x0A).count
        // The page's records and the cursor of the next.
        guard lines == Self.pageSize + 1 else { throw BenchmarkError("\(child.command)\ngave \(lines) lines") }
        return child.measurement
    }

    /// Reads the listing up to a cursor after about so many records.
    private func cursor(behind count: Int) throws -> String? {
        let limit = max(Self.pageSize, min(50_000, count / 4))
        var cursor: String?
        for _ in 0..<(count / limit) {
            let child = try listing(after: cursor, limit: limit)
            cursor = try JSONDecoder().decode(NextPage.self, from: Files.lastLine(child.outputPath)).next
        }
        return cursor
    }

    private func listing(after cursor: String?, limit: Int) throws -> ChildProcess {
        try program.run(Self.listing(after: cursor, limit: limit), archive: baseArchive)
    }

    private static func listing(after cursor: String?, limit: Int) -> [String] {
        ["records", "--at", "latest", "--limit", "\(limit)", "--json"] + (cursor.map { ["--after", $0] } ?? [])
    }
}
