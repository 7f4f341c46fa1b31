import Foundation
import TestSupport
import Testing

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
