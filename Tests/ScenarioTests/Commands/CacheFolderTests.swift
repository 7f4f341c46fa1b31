import Foundation
import Testing
import TestSupport

/// An import is the same whatever becomes of its cache.
@Suite(
    "Folders of the cache", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"),
    .enabled(if: Mount.isPossible, "only root can mount"))
struct CacheFolderTests {
    /// Kilobytes of room for the cache; nil for a read-only folder.
    @Test(arguments: [0, 60, 100, nil])
    func anImportIsTheSame(_ kilobytes: Int?) throws {
        let plain = try Sandbox("plain")
        try Inputs.generate(records: 500, into: plain.path("made"))
        let sandbox = try Sandbox("cache")
        try FileManager.default.createDirectory(atPath: sandbox.path("empty"), withIntermediateDirectories: true)
        let place = sandbox.path("elsewhere")
        let mount =
            try kilobytes.map { try Mount(tmpfs: place, kilobytes: max($0, 4)) }
            ?? Mount(readOnly: sandbox.path("empty"), at: place)
        try withExtendedLifetime(mount) {
            if kilobytes == 0 { try Data(count: 4096).write(to: URL(fileURLWithPath: place + "/full")) }
            sandbox.environment["HEALTHPROBE_CACHE"] = place + "/cache"
            for name in ["dump-1.xml", "dump-2.xml"] {
                let import_ = ["import", plain.path("made/\(name)"), "--json"]
                let expected = try plain.run(import_ + ["--cache", "off"])
                let answer = try sandbox.run(import_)
                #expect(answer.status == expected.status)
                #expect(try text(answer, sandbox) == text(expected, plain))
                // With some room the import may give up for the time that it takes instead.
                if kilobytes ?? 0 == 0 {
                    #expect(answer.errorText.contains("The cache was not brought up to date"))
                }
            }
            #expect(try ArchiveState(sandbox) == ArchiveState(plain))
            try sandbox.run("check", "--deep").expecting(0)
            try sandbox.run("cache", "rebuild").expecting(73, 74)
            try sandbox.run("cache", "info").expecting(0)
            #expect(!FileManager.default.fileExists(atPath: sandbox.archive + ".cache"))
        }
    }

    /// What an import printed, without what differs from run to run.
    private func text(_ answer: Answer, _ sandbox: Sandbox) throws -> String {
        let object = Normaliser(folders: [sandbox.folder]).normalised(try answer.object())
        return String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }
}
