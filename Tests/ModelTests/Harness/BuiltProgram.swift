import Foundation

/// The built `healthprobe`, one process a question.
struct BuiltProgram: ArchiveUnderTest {
    /// The program answered in a way that its contract does not allow.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let executable: URL
    private let folder: URL
    private let pageSize: Int

    /// An archive of its own in a scratch folder.
    /// - Parameter pageSize: the `--limit` of record listings; small ones test the cursors.
    init(executable: URL, folder: URL, pageSize: Int = 1000) {
        self.executable = executable
        self.folder = folder
        self.pageSize = pageSize
    }

    /// `$HEALTHPROBE_BIN`, else `healthprobe` beside the test bundle or above it; `nil` where there is none.
    static var executable: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["HEALTHPROBE_BIN"], !path.isEmpty { return URL(fileURLWithPath: path) }
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("healthprobe")
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder)
            if exists && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: candidate.path) {
                return candidate
            }
        }
        return nil
    }

    func importExport(at path: String) throws -> [String: Any] {
        let answer = try run(["import", path], allowed: [0, 3])
        var object = try Self.onlyObject(answer.lines)
        object["exitCode"] = answer.status
        return object
    }

    func show(_ observation: Int) throws -> [String: Any] {
        try Self.onlyObject(run(["show", "\(observation)"], allowed: [0]).lines)
    }

    func records(at observation: Int) throws -> [[String: Any]] {
        var records: [[String: Any]] = []
        var cursor: String?
        repeat {
            let more = cursor.map { ["--after", $0] } ?? []
            let arguments = ["records", "--at", "\(observation)", "--limit", "\(pageSize)"] + more
            cursor = nil
            for line in try run(arguments, allowed: [0]).lines {
                if let next = line["next"] as? String { cursor = next } else { records.append(line) }
            }
        } while cursor != nil
        return records
    }

    func diff(from: Int, to: Int, through: Bool) throws -> [String: Any] {
        try Self.onlyObject(run(Self.comparison(from, to, through), allowed: [0]).lines)
    }

    func diffRecords(from: Int, to: Int, through: Bool) throws -> [[String: Any]] {
        try run(Self.comparison(from, to, through) + ["--records"], allowed: [0]).lines
    }

    private static func comparison(_ from: Int, _ to: Int, _ through: Bool) -> [String] {
        ["diff", "--from", "\(from)", "--to", "\(to)"] + (through ? ["--through"] : [])
    }

    func check() throws -> [String: Any] {
        let answer = try run(["check", "--deep"], allowed: [0, 4])
        var object = try Self.onlyObject(answer.lines)
        object["exitCode"] = answer.status
        return object
    }

    /// Runs one command on this archive and reads its lines of JSON.
    private func run(_ arguments: [String], allowed: [Int]) throws -> (lines: [[String: Any]], status: Int) {
        let process = Process()
        process.executableURL = executable
        let archive = folder.appendingPathComponent("archive.sqlite").path
        process.arguments = arguments + ["--archive", archive, "--json"]
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_DATA_HOME"] = folder.appendingPathComponent("data").path
        environment["HEALTHPROBE_ARCHIVE"] = nil
        process.environment = environment
        // A pipe for standard output and a file for standard error: neither can block the other.
        let output = Pipe()
        let messages = folder.appendingPathComponent("stderr.txt")
        try Data().write(to: messages)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: messages)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status = Int(process.terminationStatus)
        let command = arguments.joined(separator: " ")
        guard process.terminationReason == .exit, allowed.contains(status) else {
            let text = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
            throw Failure(description: "healthprobe \(command): status \(status)\n\(text.prefix(2000))")
        }
        let lines = try data.split(separator: UInt8(ascii: "\n")).map { line -> [String: Any] in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw Failure(
                    description: "healthprobe \(command): no JSON object: \(String(decoding: line, as: UTF8.self))")
            }
            return object
        }
        return (lines, status)
    }

    private static func onlyObject(_ lines: [[String: Any]]) throws -> [String: Any] {
        guard lines.count == 1, let line = lines.first else {
            throw Failure(description: "expected one line of JSON, got \(lines.count)")
        }
        return line
    }
}
