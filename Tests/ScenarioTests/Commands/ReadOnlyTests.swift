import Foundation
import Testing
import TestSupport

/// An archive on a read-only medium answers every question and stays what it is.
@Suite("Read-only medium", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ReadOnlyTests {
    /// How the last import left the archive.
    enum Leftover: CaseIterable {
        case nothing
        /// A write-ahead log that had only just begun.
        case beginningOfLog
        /// A write-ahead log that no process has closed.
        case log
        /// One with a whole observation in it, copied without the file of shared memory beside it.
        case logAlone
    }

    @Test(.enabled(if: Mount.isPossible, "only root can mount"), arguments: Leftover.allCases, [0.3, 0.8])
    func readersChangeNoByte(_ leftover: Leftover, _ share: Double) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 3000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        if leftover == .logAlone {
            try killUntilCommitted(sandbox)
        } else if leftover != .nothing {
            try killLaterImport(sandbox, after: leftover == .beginningOfLog ? nil : share)
        }
        let folder = sandbox.path("archive")
        if leftover == .logAlone { try? FileManager.default.removeItem(atPath: sandbox.archive + "-shm") }
        let before = try contents(of: folder)
        let expected = try stateOfCopy(of: sandbox)

        let mount = try Mount(readOnly: folder, at: sandbox.path("medium"))
        try withExtendedLifetime(mount) {
            sandbox.archive = sandbox.path("medium/archive.sqlite")
            #expect(try ArchiveState(sandbox) == expected)
            let identity = try #require(
                try sandbox.run("records", "--at", "latest", "--limit", "1", "--json").expecting(0)
                    .objects().first?["identity"] as? String)
            let commands = [
                ["timeline"], ["show", "latest"], ["records", "--at", "latest"], ["diff", "latest", "latest"],
                ["check"],
                ["check", "--deep"], ["history", identity], ["archive", "info"],
            ]
            for command in commands { try sandbox.run(command).expecting(0) }
            #expect(try sandbox.run("import", sandbox.path("made/dump-2.xml")).status == 74)
            let repaired = sandbox.path("output/repaired.sqlite")
            try sandbox.run("archive", "repair", repaired).expecting(0)
            let state = try sandbox.run("timeline", "--json").outputText
            #expect(try sandbox.run("timeline", "--json", "--archive", repaired).outputText == state)
        }
        #expect(try contents(of: folder) == before)
    }

    /// What a copy says that its reader may write beside.
    private func stateOfCopy(of sandbox: Sandbox) throws -> ArchiveState {
        let copy = try Sandbox()
        try copy.restoreArchive(from: sandbox.copyOfArchive())
        return try ArchiveState(copy)
    }

    /// Kills imports until one leaves a log that holds a whole observation, which the archive's file does not.
    private func killUntilCommitted(_ sandbox: Sandbox) throws {
        let copy = try sandbox.copyOfArchive()
        for attempt in 0..<30 {
            try sandbox.restoreArchive(from: copy)
            try killLaterImport(sandbox, after: 0.9 + Double(attempt % 10) * 0.02)
            if bytes(of: sandbox.archive + "-wal") > 32, try stateOfCopy(of: sandbox).records.count == 2 { return }
        }
    }

    /// Kills an import after a share of the time that it takes, or as soon as it has a write-ahead log.
    private func killLaterImport(_ sandbox: Sandbox, after share: Double?) throws {
        let copy = try sandbox.copyOfArchive()
        let (_, seconds) = try timed { try sandbox.run("import", sandbox.path("made/dump-2.xml")).expecting(0) }
        try sandbox.restoreArchive(from: copy)
        let child = try sandbox.start(["import", sandbox.path("made/dump-2.xml")])
        if let share {
            usleep(UInt32(seconds * share * 1e6))
        } else {
            for _ in 0..<4000 where bytes(of: sandbox.archive + "-wal") == 0 { usleep(250) }
        }
        child.signal(SIGKILL)
        _ = try child.wait()
    }

    /// Bytes of a file; 0 where there is none.
    private func bytes(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    private func contents(of folder: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
    }
}
