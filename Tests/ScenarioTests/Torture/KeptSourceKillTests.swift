import Foundation
import Testing
import TestSupport

/// SIGKILL while an export is copied beside the archive: the next writer leaves nothing of the copy.
@Suite("Kill of keeping", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct KeptSourceKillTests {
    @Test func noHalfCopyStays() throws {
        let sandbox = try Sandbox()
        let sources = sandbox.archive + ".sources"
        // Large enough that the copy is seen while it is made.
        let export = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(50..<60))
        let large = try sandbox.write(export + String(repeating: "\n", count: 1 << 26), to: "large.xml")
        let child = try sandbox.start(["import", large, "--keep-source", "copy"])
        func left() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? [] }
        let half = ".keeping-\(child.process)"
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !left().contains(half), clock.now < end { usleep(200) }
        child.signal(SIGKILL)
        #expect(try child.wait().status == 128 + SIGKILL)
        try #require(left() == [half])
        // That of a process that lives is not touched, nor what has another name.
        let others = [".keeping-\(getpid())", ".keeping-x", "note"]
        for name in others { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(sources)/\(name)")) }
        let small = try sandbox.write(export, to: "small.xml")
        try sandbox.run("import", small).expecting(0)
        #expect(Set(left()) == Set(others))
        for name in others { unlink("\(sources)/\(name)") }
        try sandbox.run("check", "--sources").expecting(0)
        #expect(!FileManager.default.fileExists(atPath: sources))
    }
}
