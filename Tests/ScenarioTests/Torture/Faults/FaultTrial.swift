import Foundation
import SyntheticExportGenerator
import TestSupport

/// One operation with what it does undisturbed, to be disturbed at any of its system calls.
final class FaultTrial {
    let operation: FaultOperation
    /// All points at which it can be disturbed.
    let points: [FaultPoint]
    private let reference: Sandbox
    private let start: String
    private let before: ArchiveState?
    private let expected: ArchiveState
    /// The hash of what an undisturbed export says, or of what the cache holds.
    private let exported: String?
    private let documented: Set<Int32>

    /// Runs the operation undisturbed twice, the second time to write down its system calls.
    ///
    /// - Throws: where it does not succeed.
    init(_ operation: FaultOperation) throws {
        self.operation = operation
        let reference = try Sandbox("fault-reference")
        try Inputs.generate(records: 120, dumps: 3, form: .zip, into: reference.path("made"))
        for name in operation.before { try reference.run("import", reference.path("made/\(name)")).expecting(0) }
        if operation == .rebuildCache { try reference.run("cache", "delete").expecting(0) }
        start = try reference.copyOfArchive()
        before = operation.before.isEmpty ? nil : try ArchiveState(reference)
        try FileManager.default.createDirectory(atPath: reference.path("out"), withIntermediateDirectories: true)
        let command = operation.command(reference.path("made"), reference)
        let answer = try reference.run(command).expecting(0)
        exported = operation.isImport ? nil : try Self.exported(operation, reference, answer)
        expected = try ArchiveState(reference)

        let traced = try Sandbox("fault-trace")
        try traced.restoreArchive(from: start)
        try FileManager.default.createDirectory(atPath: traced.path("out"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: reference.path("made"), toPath: traced.path("made"))
        let names = Fault.calls.map { "?" + $0 }.joined(separator: ",")
        let tool = [Strace.path ?? "strace", "-f", "-y", "-o", traced.path("trace"), "-e", "trace=" + names]
        _ = try traced.run(under: tool, operation.command(traced.path("made"), traced)).expecting(0)
        let trace = try String(decoding: Data(contentsOf: URL(fileURLWithPath: traced.path("trace"))), as: UTF8.self)
        points = FaultPoint.all(Strace.calls(in: trace, below: traced.folder))
        documented = try Self.documentedExitCodes()
        self.reference = reference
    }

    /// The operation with one fault, and all that must hold then.
    ///
    /// - Returns: the exit code, and whether the fault came about.
    /// - Throws: where a command does not do what it must.
    func attempt(_ point: FaultPoint) throws -> (status: Int32, fired: Bool) {
        let sandbox = try Sandbox("fault")
        try sandbox.restoreArchive(from: start)
        try FileManager.default.createDirectory(atPath: sandbox.path("out"), withIntermediateDirectories: true)
        let command = operation.command(reference.path("made"), sandbox)
        // With a seccomp filter, which is faster, no signal comes.
        let filter = point.fault == .kill ? [] : ["--seccomp-bpf"]
        let options = ["-o", sandbox.path("trace"), "-e", "trace=" + point.call.name, "-e", point.injection]
        let tool = [Strace.path ?? "strace", "-f"] + filter + options
        let answer = try sandbox.run(under: tool, command)
        let trace = FileManager.default.contents(atPath: sandbox.path("trace")) ?? Data()
        let mark = point.fault == .kill ? "killed by SIGKILL" : "(INJECTED)"
        let fired = String(decoding: trace, as: UTF8.self).contains(mark)
        // What was to hit another thread hit the loader, before the program began.
        if answer.status == 127, answer.errorText.contains("loading shared libraries") { return (answer.status, false) }
        if point.fault == .kill {
            try Self.require(fired ? answer.status == 128 + SIGKILL : answer.status == 0, "\(point)")
        } else {
            try Self.require(documented.contains(answer.status), "\(point): exit \(answer.status)\n\(answer.errorText)")
        }
        switch operation {
        case .firstImport, .laterImport, .importBetween: try expectImported(sandbox, answer, point)
        case .recordExport, .healthExport: try expectExported(sandbox, answer, point)
        case .rebuildCache: try expectCache(sandbox, answer, point)
        }
        return (answer.status, fired)
    }

    /// The archive shows what it showed before or what an undisturbed import shows; importing again ends in the latter.
    private func expectImported(_ sandbox: Sandbox, _ answer: Answer, _ point: FaultPoint) throws {
        // 66: no archive yet; 64: one without any chain.
        let seen = try sandbox.run("timeline", "--json").expecting(0, 64, 66)
        try Self.require(seen.status == 0 || before == nil, "\(point): exit \(answer.status), and the archive is gone")
        if seen.status != 66 { try expectHealthy(sandbox, "\(point)") }
        if seen.status == 0 {
            let state = try ArchiveState(sandbox)
            let isBefore = state == before || (before == nil && state.records.isEmpty)
            // 3: the input could not be read to its end, and what was read is an observation that says so.
            try Self.require(
                isBefore || state == expected || answer.status == 3,
                "\(point): exit \(answer.status), something half is visible")
            if answer.status == 0 { try Self.require(state == expected, "\(point): it said it was done") }
            if answer.status == 3 { try Self.require(keeps(state, before), "\(point): something is gone") }
        }
        try sandbox.run(operation.command(reference.path("made"), sandbox)).expecting(0)
        let again = try ArchiveState(sandbox)
        let isExpected = answer.status == 3 ? keeps(again, expected) : again == expected
        try Self.require(isExpected, "\(point): exit \(answer.status), importing again differs")
        try expectHealthy(sandbox, "\(point), imported again")
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("archive")).filter {
            !["archive.sqlite", "archive.sqlite.lock", "archive.sqlite-wal", "archive.sqlite-shm"].contains($0)
                && !$0.hasPrefix("archive.sqlite.cache")
        }
        try Self.require(left.isEmpty, "\(point): \(left) beside the archive")
    }

    /// The archive is as it was; the export is whole or not there; exporting again gives the same.
    private func expectExported(_ sandbox: Sandbox, _ answer: Answer, _ point: FaultPoint) throws {
        try expectHealthy(sandbox, "\(point)")
        try Self.require(ArchiveState(sandbox) == before, "\(point): the archive differs")
        let place = sandbox.path(operation.output)
        if FileManager.default.fileExists(atPath: place) {
            try Self.require(Self.isWhole(operation, sandbox, exported), "\(point): exit \(answer.status), not whole")
        } else {
            try Self.require(answer.status != 0, "\(point): nothing was written")
        }
        let cleaning = ["unlink", "unlinkat", "rmdir", "openat", "newfstatat", "getdents64", "close"]
        if point.fault != .kill, !cleaning.contains(point.call.name) {
            let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("out")).filter {
                $0.contains(".partial") || $0.contains(".creating")
            }
            try Self.require(left.isEmpty, "\(point): \(left) left")
        }
        let again = try sandbox.run(operation.command("", sandbox) + ["--force"]).expecting(0)
        try Self.require(Self.exported(operation, sandbox, again) == exported, "\(point): exporting again differs")
        try expectHealthy(sandbox, "\(point), exported again")
    }

    /// The archive is as it was; the cache is whole or as it was; making it again makes all of it.
    private func expectCache(_ sandbox: Sandbox, _ answer: Answer, _ point: FaultPoint) throws {
        let state = try sandbox.run("cache", "info", "--json").expecting(0).object()["state"] as? String
        let isWhole = answer.status != 0 || state == "current"
        try Self.require(isWhole, "\(point): exit \(answer.status), \(state ?? "no state")")
        let again = try sandbox.run(operation.command("", sandbox)).expecting(0)
        try Self.require(Self.exported(operation, sandbox, again) == exported, "\(point): making it again differs")
        try Self.require(ArchiveState(sandbox) == before, "\(point): the archive differs")
        // At the end: a check is a row of the run log, which the cache shows.
        try expectHealthy(sandbox, "\(point)")
    }

    /// Whether a state shows all observations that another has.
    private func keeps(_ state: ArchiveState, _ other: ArchiveState?) -> Bool {
        (other?.records ?? []).allSatisfy { state.records.contains($0) }
    }

    private static func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        guard holds else { throw TestSupport.Failure(what()) }
    }

    private func expectHealthy(_ sandbox: Sandbox, _ when: String) throws {
        let check = try sandbox.run("check", "--deep", "--json")
        try Self.require(check.status == 0, "\(when)\n\(check.outputText.prefix(2000))\(check.errorText)")
    }

    // MARK: - What is exported

    private static func exported(_ operation: FaultOperation, _ sandbox: Sandbox, _ answer: Answer) throws -> String? {
        if operation == .rebuildCache { return try answer.object()["contentDigest"] as? String }
        try require(isWhole(operation, sandbox, nil), "the undisturbed export is not whole")
        if operation == .recordExport { return try answer.object()["manifestHash"] as? String }
        return try Data(contentsOf: URL(fileURLWithPath: sandbox.path(operation.output))).base64EncodedString()
    }

    private static func isWhole(_ operation: FaultOperation, _ sandbox: Sandbox, _ expected: String?) throws -> Bool {
        let place = sandbox.path(operation.output)
        if operation == .recordExport { return try sandbox.run("verify-export", place).status == 0 }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: place))
        return expected == nil || bytes.base64EncodedString() == expected
    }

    /// The codes in the table of `docs/cli.md`.
    private static func documentedExitCodes() throws -> Set<Int32> {
        let page = TestSupport.repository.appendingPathComponent("docs/cli.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        guard let start = text.range(of: "\n## Exit codes\n"), let end = text.range(of: "\n## Error codes\n") else {
            throw TestSupport.Failure("docs/cli.md has no exit codes")
        }
        let rows = text[start.upperBound..<end.lowerBound].split(separator: "\n")
        return Set(rows.compactMap { $0.split(separator: "|").first.flatMap { Int32($0.filter { $0 != " " }) } })
    }
}
