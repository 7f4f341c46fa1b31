import Foundation
import Testing
import TestSupport

/// SIGKILL at random points of imports: the archive stays whole, nothing half is visible, and importing again ends as an
/// uninterrupted import does.
///
/// `HEALTHPROBE_KILLS` is the number of kills a phase (2; 75 is torture, with four phases here and three of `CareKillTests`), `HEALTHPROBE_KILL_RECORDS` the size of the exports.
@Suite("Kill", .serialized, .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct KillTests {
    private let kills: Int
    private let records: Int

    init() {
        let environment = ProcessInfo.processInfo.environment
        kills = environment["HEALTHPROBE_KILLS"].flatMap { Int($0) } ?? 2
        records = environment["HEALTHPROBE_KILL_RECORDS"].flatMap { Int($0) } ?? 3000
    }

    @Test func firstImport() throws { try torture(before: [], killed: "dump-1.xml") }

    @Test func laterImport() throws { try torture(before: ["dump-1.xml"], killed: "dump-2.xml") }

    @Test func olderImport() throws { try torture(before: ["dump-2.xml"], killed: "dump-1.xml") }

    @Test func olderSupplement() throws {
        try torture(before: ["dump-1.xml", "dump-2.xml"], without: "HeartRate", killed: "dump-1.xml")
    }

    /// - Parameter type: left out of the first import, which is the killed one then: it adds the type.
    private func torture(before: [String], without type: String? = nil, killed export: String) throws {
        let reference = try Sandbox("kill-reference")
        try Inputs.generate(records: records, into: reference.path("made"))
        for (index, name) in before.enumerated() {
            let selection = index == 0 ? type.map { ["--exclude-type", $0] } ?? [] : []
            try reference.run(["import", reference.path("made/\(name)")] + selection).expecting(0)
        }
        let start = try reference.copyOfArchive()
        let (_, seconds) = try timed { try reference.run("import", reference.path("made/\(export)")).expecting(0) }
        let expected = try ArchiveState(reference)

        var interrupted = 0
        for _ in 0..<kills {
            let sandbox = try Sandbox("kill")
            try sandbox.restoreArchive(from: start)
            let delay = Double.random(in: 0..<seconds)
            let child = try sandbox.start(["import", reference.path("made/\(export)")])
            usleep(UInt32(delay * 1e6))
            child.signal(SIGKILL)
            let answer = try child.wait()
            if answer.status == 128 + SIGKILL { interrupted += 1 }
            try expectWhole(sandbox, finished: before.count, delay: delay)
            try sandbox.run("import", reference.path("made/\(export)")).expecting(0)
            let state = try ArchiveState(sandbox)
            #expect(state.timeline == expected.timeline, "killed after \(delay) s")
            #expect(state.records == expected.records, "killed after \(delay) s")
            try sandbox.run("check", "--deep").expecting(0)
        }
        #expect(interrupted > 0, "all \(kills) kills came too late")
    }

    /// After the kill: either no archive yet, or a whole one that shows finished observations only.
    private func expectWhole(_ sandbox: Sandbox, finished: Int, delay: Double) throws {
        // 66: no archive yet; 64: one without any chain.
        let answer = try sandbox.run("timeline", "--json").expecting(0, 64, 66)
        if answer.status != 66 {
            let check = try sandbox.run("check", "--json")
            #expect(check.status == 0, "killed after \(delay) s\n\(check.outputText)")
        }
        guard answer.status == 0 else {
            #expect(finished == 0, "killed after \(delay) s: the archive is gone")
            return
        }
        let observations = try answer.object()["observations"] as? [[String: Any]] ?? []
        #expect(observations.allSatisfy { $0["status"] as? String == "completed" }, "killed after \(delay) s")
        #expect((finished...finished + 1).contains(observations.count), "killed after \(delay) s")
    }
}
