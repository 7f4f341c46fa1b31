internal import ArgumentParser
internal import Foundation
internal import SyntheticExportGenerator

/// Two exports of an athlete's phone: workouts at full resolution, most of which are condensed before the second.
struct AthleteInput {
    let folder: String

    /// Makes what is not there yet.
    ///
    /// - Throws: `BenchmarkError`, and what the file system says.
    init(records: Int, scratch: String) throws {
        folder = "\(scratch)/athlete-\(records)"
        if exports.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        Progress.say("writing an athlete's exports of \(Text.count(records)) records")
        try ChildProcess.run(
            try Program.own(), ["generate-athlete", "--records", "\(records)", "--folder", folder]
        ).requireSuccess()
    }

    /// Their paths, the earlier one first.
    var exports: [String] { (1...2).map { "\(folder)/dump-\($0).xml" } }

    /// A companion file with one script of so many messages, and the script's id.
    ///
    /// - Throws: what the file system says.
    func companion(messages: Int) throws -> (path: String, script: String) {
        func id(_ number: Int) -> String { String(format: "00000000-0000-4000-8000-%012d", number) }
        let list = (0..<messages).map { number in
            let trigger =
                switch number % 4 {
                case 0: "{\"type\":\"distance\",\"everyMeters\":\(100 + number)}"
                case 1: "{\"type\":\"time\",\"everySeconds\":\(60 + number)}"
                case 2: "{\"type\":\"condition\",\"expression\":\"hr > \(90 + number) AND distance > 500\"}"
                default:
                    "{\"type\":\"condition\",\"expression\":\"current_pace < avg_pace\",\"cooldownSeconds\":\(number)}"
                }
            return "{\"id\":\"\(id(number + 10))\",\"text\":\"t\",\"triggerSpec\":\(trigger)}"
        }
        let text = """
            {"schema":"healthprobe.companion/1","runs":[{"id":"\(id(1))","startedAt":"2024-04-10T09:00:01Z",
            "runType":"outdoor","mode":"training","personality":"p","script":{"id":"\(id(2))","runId":"\(id(1))",
            "personality":"p","generatedAt":"2024-04-10T08:00:00Z","model":"m","inputDigest":"d","branchPolicy":"linear",
            "messages":[\(list.joined(separator: ","))]}}]}
            """
        let path = "\(folder)/companion.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return (path, id(2))
    }
}

/// Writes an athlete's exports; in a process of its own, as every input.
struct GenerateAthlete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-athlete", abstract: "Writes an athlete's exports.", shouldDisplay: false)

    @Option var records: Int
    @Option var folder: String

    /// Records of a day with workouts at full resolution.
    private static let recordsPerDay = 2_700

    func run() throws {
        let days = max(10, records / Self.recordsPerDay)
        var scenario = Scenario(
            seed: 1, density: 0.01,
            dumps: [DumpPlan(days: days), DumpPlan(days: 130, changes: [try Change(parsing: "condense=0.7")])])
        scenario.athleteDays = days
        _ = try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: .counts).writeAll(to: folder)
    }
}
