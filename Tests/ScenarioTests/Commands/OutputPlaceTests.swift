import Foundation
import Testing
import TestSupport

/// No output takes the place of an archive, a database, a key or a folder that is no earlier export.
@Suite("Places of outputs", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct OutputPlaceTests {
    @Test(
        .enabled(if: Strace.isPossible, "strace is not installed, or may not trace here"),
        arguments: [[], ["-e", "inject=?renameat2:error=EINVAL"]])
    func fileSystemsWithoutHardLinks(_ further: [String]) throws {
        let sandbox = try Sandbox()
        let exports = try (1...2).map { day in
            let text = Inputs.export("2024-05-0\(day) 10:00:00 +0200", Inputs.heartRates(50..<(70 + day)))
            return try sandbox.write(text, to: "\(day).xml")
        }
        let tracer =
            try [
                #require(Strace.path), "-f", "-qq", "-o", "/dev/null", "-e", "trace=?link,?linkat,?renameat2", "-e",
                "inject=?link,?linkat:error=EPERM",
            ] + further
        let outputs = ["1.xml", "1.html", "1.sqlite", "2.sqlite"].map { sandbox.path("output/\($0)") }
        let commands = [
            ["export", "xml", "-o", outputs[0]], ["report", "--output", outputs[1]],
            ["archive", "backup", outputs[2]], ["archive", "repair", outputs[3]],
        ]
        try sandbox.run(under: tracer, ["import"] + exports).expecting(0)
        for (command, output) in zip(commands, outputs) {
            try sandbox.run(under: tracer, command).expecting(0)
            let written = try Data(contentsOf: URL(fileURLWithPath: output))
            #expect(!written.isEmpty)
            try sandbox.run(under: tracer, command).expecting(73)
            #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == written)
        }
        try sandbox.run("check", "--archive", outputs[3]).expecting(0)
        for folder in ["output", "archive"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path(folder))
            #expect(!names.contains { $0.contains(".creating-") })
        }
    }

    static let commands = [["export", "xml"], ["export", "xml", "--zip"], ["export", "records"], ["report"]]

    private func imported() throws -> Sandbox {
        try Inputs.imported(60..<90, 65..<95, "--keep-source", "copy")
    }

    private func content(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test("the archive and what belongs to it stay", arguments: commands)
    func archive(_ command: [String]) throws {
        let sandbox = try imported()
        let manager = FileManager.default
        let archive = sandbox.archive
        let links = ["soft", "hard", "folder/archive.sqlite"].map(sandbox.path)
        try manager.createSymbolicLink(atPath: links[0], withDestinationPath: archive)
        try manager.linkItem(atPath: archive, toPath: links[1])
        try manager.createSymbolicLink(atPath: sandbox.path("folder"), withDestinationPath: sandbox.path("archive"))
        let keys = sandbox.path("data/healthprobe/keys")
        let key = try #require(try manager.contentsOfDirectory(atPath: keys).first)
        let source = try #require(try manager.contentsOfDirectory(atPath: archive + ".sources").first)
        let places =
            ["", "-wal", "-shm", "-journal", ".lock", ".sources", ".sources/\(source)", ".sources/new"].map {
                archive + $0
            }
            + links + [links[0] + "-wal", sandbox.path("archive"), sandbox.path("data"), keys, "\(keys)/\(key)"]
        // SQLite itself makes its log and its index for a reader.
        let kept = places.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        let before = kept.map(content)
        for (index, place) in places.enumerated() {
            let more = index % 3 == 0 ? [] : ["--force"]
            let answer = try sandbox.run(command + ["--output", place] + more).expecting(73)
            #expect(answer.errorText.contains(place))
        }
        #expect(kept.map(content) == before)
        // An archive reached through a link is the same one.
        sandbox.archive = links[0]
        try sandbox.run(command + ["--output", archive, "--force"]).expecting(73)
        sandbox.archive = archive
        try sandbox.run("check").expecting(0)
    }

    @Test("nothing is put inside an earlier export", arguments: commands)
    func bags(_ command: [String]) throws {
        let sandbox = try imported()
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "--output", bag).expecting(0)
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("link"), withDestinationPath: bag + "/data")
        for place in [bag + "/x", bag + "/data/x", sandbox.path("link/x")] {
            let answer = try sandbox.run(command + ["--output", place]).expecting(73)
            #expect(answer.errorText.contains("inside a bag"))
        }
        try sandbox.run("verify-export", bag).expecting(0)
        try sandbox.run("export", "records", "--output", bag, "--force").expecting(0)
    }

    @Test("a file replaces a file where it is told to", arguments: [["export", "xml"], ["report"]])
    func files(_ command: [String]) throws {
        let sandbox = try imported()
        for text in ["", "notes"] {
            let place = try sandbox.write(text, to: "notes.txt")
            try sandbox.run(command + ["--output", place]).expecting(73)
            #expect(content(place) == Data(text.utf8))
            try sandbox.run(command + ["--output", place, "--force"]).expecting(0)
            #expect(content(place)?.count ?? 0 > 100)
        }
    }

    @Test("other databases, keys and folders stay", arguments: commands)
    func others(_ command: [String]) throws {
        let sandbox = try imported()
        let database = sandbox.path("other.sqlite")
        try FileManager.default.copyItem(atPath: sandbox.archive, toPath: database)
        try sandbox.write("x", to: "other.sqlite-journal")
        try sandbox.write(String(repeating: "k", count: 32), to: "elsewhere.secret")
        try FileManager.default.createDirectory(
            atPath: sandbox.path("full"), withIntermediateDirectories: false)
        try sandbox.write("mine", to: "full/notes.txt")
        let places = ["other.sqlite", "other.sqlite-journal", "elsewhere.secret", "full"].map(sandbox.path)
        let before = places.map(content)
        for place in places { try sandbox.run(command + ["--output", place, "--force"]).expecting(73) }
        try sandbox.run(command + ["--output", database + "-wal"]).expecting(73)
        #expect(places.map(content) == before && content(database + "-wal") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        #expect(!names.contains { $0.contains("creating") || $0.contains("partial") })
    }

    @Test("an archive in an earlier export's folder stays")
    func archiveInABag() throws {
        let sandbox = try imported()
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag).expecting(0)
        try sandbox.run("export", "records", "-o", bag, "--force").expecting(0)
        try FileManager.default.moveItem(atPath: sandbox.archive, toPath: bag + "/data/items.csv")
        sandbox.archive = bag + "/data/items.csv"
        try sandbox.run("export", "records", "-o", bag, "--force").expecting(73)
        sandbox.archive = sandbox.path("archive/archive.sqlite")
        try FileManager.default.moveItem(atPath: bag + "/data/items.csv", toPath: sandbox.archive)
        try sandbox.write("mine", to: "bag/notes.txt")
        try sandbox.run("export", "records", "-o", bag, "--force").expecting(73)
        #expect(content(bag + "/notes.txt") == Data("mine".utf8))
    }

    @Test("a Health export replaces one with its manifest")
    func healthExports() throws {
        let sandbox = try imported()
        let phone = try sandbox.write(Inputs.export("2024-05-03 10:00:00 +0200", ""), to: "phone.xml")
        try sandbox.run("export", "xml", "-o", phone).expecting(73)
        for more in [[], ["--zip"], []] {
            try sandbox.run(["export", "xml", "-o", phone, "--force"] + more).expecting(0)
            try sandbox.run("verify-export", phone).expecting(0)
        }
        let other = sandbox.path("other.xml")
        try sandbox.write("{}", to: "other.xml.manifest.json")
        try sandbox.run("export", "xml", "-o", other).expecting(73)
        #expect(content(other) == nil)
        try sandbox.run("key", "export", sandbox.archive + "-wal").expecting(73)
        #expect(content(sandbox.archive + "-wal")?.count != 32)
    }

    @Test("a type that nothing answers to gives nothing", arguments: [[], ["--zip"], ["--preview"]])
    func unknownType(_ more: [String]) throws {
        let sandbox = try imported()
        for type in ["Nope", "ClinicalRecord/*"] {
            for question in [[], ["--state", "ever"], ["--state", "finest"], ["--from", "first"]] {
                let place = more == ["--preview"] ? [] : ["--output", sandbox.path("none-\(UUID().uuidString)")]
                let made = try sandbox.run(["export", "xml", "--json", "--type", type] + place + question + more)
                #expect(try made.expecting(0).object()["itemCount"] as? Int == 0)
            }
        }
    }
}
