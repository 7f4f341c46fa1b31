import Foundation
import TestSupport

/// The built `healthprobe`, one process a question.
struct ProgramUnderTest: ArchiveUnderTest {
    private let executable: String
    private let folder: String
    private let pageSize: Int

    /// An archive of its own in a scratch folder.
    /// - Parameter pageSize: the `--limit` of record listings; small ones test the cursors.
    init(executable: String, folder: URL, pageSize: Int = 1000) {
        self.executable = executable
        self.folder = folder.path
        self.pageSize = pageSize
    }

    /// Imports an export; random ones may have nothing in common, or no records.
    func importExport(at path: String) throws -> [String: Any] {
        let answer = try run(["import", path, "--allow-unrelated"], allowed: 0, 3)
        var object = try answer.object()
        object["exitCode"] = Int(answer.status)
        return object
    }

    func importMistake(at path: String) throws -> Int? {
        let object = try importExport(at: path)
        return (object["observation"] as? [String: Any])?["id"] as? Int
    }

    func withdraw(_ observation: Int) throws {
        _ = try run(
            ["observation", "withdraw", "\(observation)", "--reason", "a mistake", "--confirm", "archive.sqlite"],
            allowed: 0)
    }

    func show(_ observation: Int) throws -> [String: Any] {
        try run(["show", "\(observation)"], allowed: 0).object()
    }

    func records(at observation: Int) throws -> [[String: Any]] {
        var records: [[String: Any]] = []
        var cursor: String?
        repeat {
            let more = cursor.map { ["--after", $0] } ?? []
            let arguments = ["records", "--at", "\(observation)", "--limit", "\(pageSize)"] + more
            cursor = nil
            for line in try run(arguments, allowed: 0).objects() {
                if let next = line["next"] as? String { cursor = next } else { records.append(line) }
            }
        } while cursor != nil
        return records
    }

    func diff(from: Int, to: Int, through: Bool) throws -> [String: Any] {
        try run(Self.comparison(from, to, through), allowed: 0).object()
    }

    func diffRecords(from: Int, to: Int, through: Bool) throws -> [[String: Any]] {
        try run(Self.comparison(from, to, through) + ["--records"], allowed: 0).objects()
    }

    private static func comparison(_ from: Int, _ to: Int, _ through: Bool) -> [String] {
        ["diff", "--from", "\(from)", "--to", "\(to)"] + (through ? ["--through"] : [])
    }

    func check() throws -> [String: Any] {
        let answer = try run(["check", "--deep"], allowed: 0, 4)
        var object = try answer.object()
        object["exitCode"] = Int(answer.status)
        return object
    }

    /// Runs one command on this archive.
    private func run(_ arguments: [String], allowed: Int32...) throws -> Answer {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_DATA_HOME"] = folder + "/data"
        environment["HEALTHPROBE_ARCHIVE"] = nil
        let child = try RunningChild(
            executable, arguments + ["--archive", folder + "/archive.sqlite", "--json"], environment: environment,
            folder: folder)
        return try child.wait().expecting(allowed)
    }
}
