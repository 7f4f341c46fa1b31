import Foundation
import Testing
import TestSupport

/// A full disk ends an import with exit code 74; the archive stays whole, and with more room the import succeeds.
@Suite(
    "Disk full", .serialized,
    .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"),
    .enabled(if: Mount.isPossible, "only root can mount"))
struct DiskFullTests {
    /// Room beyond what the archive takes before the import, in kilobytes.
    @Test(arguments: [40, 150, 400])
    func laterImport(_ spare: Int) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 6000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let before = try ArchiveState(sandbox)
        let bytes = try FileManager.default.attributesOfItem(atPath: sandbox.archive)[.size] as? NSNumber
        let room = (bytes?.intValue ?? 0) / 1024 + spare
        let mount = try Mount(tmpfs: sandbox.path("small"), kilobytes: room)
        try withExtendedLifetime(mount) {
            let small = sandbox.path("small/archive.sqlite")
            try FileManager.default.copyItem(atPath: sandbox.archive, toPath: small)
            sandbox.archive = small
            let answer = try sandbox.run("import", sandbox.path("made/dump-2.xml"), "--json")
            try expectFailure(answer, 74)
            #expect(try ArchiveState(sandbox) == before)
            try sandbox.run("check", "--deep").expecting(0)
        }
    }

    /// `HEALTHPROBE_DISK_SIZES` is how many sizes are tried (2; 60 is torture): at each the command succeeds, or tells that
    /// the disk is full and changes nothing.
    @Test(arguments: ["import", "records", "xml", "cache"])
    func sizes(_ kind: String) throws {
        let count = ProcessInfo.processInfo.environment["HEALTHPROBE_DISK_SIZES"].flatMap { Int($0) } ?? 2
        let sandbox = try Sandbox()
        try Inputs.generate(records: 1000, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        let start = try sandbox.copyOfArchive()
        let before = try ArchiveState(sandbox)
        let bytes = try FileManager.default.attributesOfItem(atPath: sandbox.archive)[.size] as? NSNumber
        let archive = (bytes?.intValue ?? 0) / 1024 + 64
        var exits: [Int32: Int] = [:]
        for number in 0..<count {
            let spare = 16 * Int(pow(512, Double(number) / Double(max(count - 1, 1))).rounded())
            let trial = try Sandbox()
            try trial.restoreArchive(from: start)
            let mount = try Mount(
                tmpfs: trial.path("small"), kilobytes: kind == "import" ? archive + spare : spare)
            try withExtendedLifetime(mount) {
                var command = ["export", kind, "--output", trial.path("small/export"), "--json"]
                if kind == "import" {
                    try FileManager.default.copyItem(atPath: trial.archive, toPath: trial.path("small/archive.sqlite"))
                    trial.archive = trial.path("small/archive.sqlite")
                    command = ["import", sandbox.path("made/dump-2.xml"), "--json"]
                }
                if kind == "cache" { command = ["cache", "rebuild", "--cache", trial.path("small/cache"), "--json"] }
                // 73: not even the file of a cache has room.
                let answer = try trial.run(command).expecting(0, 74, kind == "cache" ? 73 : 74)
                exits[answer.status, default: 0] += 1
                let isAsBefore = try ArchiveState(trial) == before
                #expect(isAsBefore == (answer.status != 0 || kind != "import"), "\(spare) KiB: exit \(answer.status)")
                try trial.run("check", "--deep").expecting(0)
                guard kind != "import", kind != "cache" else { return }
                let left = try FileManager.default.contentsOfDirectory(atPath: trial.path("small"))
                #expect(left.isEmpty == (answer.status != 0), "\(spare) KiB: \(left)")
            }
        }
        // Of two sizes the smaller may have no room for the file of a cache at all.
        #expect(exits[0] != nil && (exits[74] != nil || count == 2 && exits[73] != nil), "\(exits)")
        if count > 10 { print("disk sizes, \(kind): \(exits)") }
    }

    @Test(arguments: [8, 100, 600])
    func firstImport(_ kilobytes: Int) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 6000, dumps: 1, into: sandbox.path("made"))
        let mount = try Mount(tmpfs: sandbox.path("small"), kilobytes: kilobytes)
        try withExtendedLifetime(mount) {
            sandbox.archive = sandbox.path("small/archive.sqlite")
            try expectFailure(try sandbox.run("import", sandbox.path("made/dump-1.xml"), "--json"), 74)
            let timeline = try sandbox.run("timeline", "--json").expecting(0, 66)
            if timeline.status == 0 {
                #expect(ArchiveState.observations(try timeline.object()).isEmpty)
                try sandbox.run("check").expecting(0)
            }
        }
    }
}
