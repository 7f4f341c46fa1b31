import Foundation
import Testing
import TestSupport

/// An export that is killed, interrupted or meets a full disk leaves nothing that looks like an export.
@Suite("Export torture", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExportTortureTests {
    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 6000, dumps: 1, into: sandbox.path("made"))
        try sandbox.run("import", sandbox.path("made/dump-1.xml")).expecting(0)
        return sandbox
    }

    @Test(arguments: [SIGKILL, SIGINT, SIGTERM])
    func signals(_ signal: Int32) throws {
        let sandbox = try imported()
        let began = Date()
        try sandbox.run("export", "records", "-o", sandbox.path("whole"), "--quiet").expecting(0)
        var longest = Date().timeIntervalSince(began)
        var stopped = 0
        for round in 0..<5 {
            let place = sandbox.path("bag-\(round)")
            let child = try sandbox.start(["export", "records", "-o", place, "--quiet"])
            usleep(UInt32(Double.random(in: 0..<longest) * 1e6))
            child.signal(signal)
            let answer = try child.wait()
            // The export that was timed may have had a busier machine.
            if answer.status != 0 { stopped += 1 } else { longest *= 0.5 }
            if signal != SIGKILL { #expect([0, 130, 128 + signal].contains(answer.status), "\(answer.errorText)") }
            if FileManager.default.fileExists(atPath: place) {
                try sandbox.run("verify-export", place).expecting(0)
            } else {
                #expect(answer.status != 0)
            }
            // What a kill leaves does not stop the next export, and is no bag.
            for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
            where name.contains(".partial-") {
                try sandbox.run("verify-export", sandbox.path(name)).expecting(0, 4)
            }
            try sandbox.run("export", "records", "-o", place, "--force", "--quiet").expecting(0)
            try sandbox.run("verify-export", place).expecting(0)
            let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
            #expect(!names.contains { $0.contains(".partial-") })
        }
        #expect(stopped > 0, "all signals came too late")
        try sandbox.run("check").expecting(0)
    }

    @Test(.enabled(if: Mount.isPossible, "only root can mount"), arguments: [4, 64, 600, 3000])
    func fullDisk(_ kilobytes: Int) throws {
        let sandbox = try imported()
        let mount = try Mount(tmpfs: sandbox.path("small"), kilobytes: kilobytes)
        try withExtendedLifetime(mount) {
            for format in ["json", "csv"] {
                let answer = try sandbox.run(
                    "export", "records", "-o", sandbox.path("small/bag"), "--format", format, "--json")
                #expect(answer.status == 74, "\(answer.errorText)")
                #expect(answer.failure()?["code"] as? String == "diskFull")
                #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path("small")).isEmpty)
            }
        }
    }
}
