import Foundation
import Testing
import TestSupport

/// Options that exports share: changes that add up, intervals, offsets, signatures.
@Suite("Options of exports", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExportOptionTests {
    private func imported() throws -> Sandbox { try Inputs.imported(10..<40, 14..<42) }

    /// Two records appeared and four disappeared.
    @Test(
        "--change given several times adds up, as with commas",
        arguments: [
            (["appeared"], 2), (["appeared", "disappeared"], 6), (["disappeared", "appeared,disappeared"], 6),
            (["disappeared", "representationChanged"], 4),
        ])
    func changes(_ changes: [String], _ count: Int) throws {
        let sandbox = try imported()
        let options = changes.flatMap { ["--change", $0] }
        #expect(try sandbox.run(["diff", "--records", "--json"] + options).expecting(0).objects().count == count)
        for kind in ["diff", "selection", "xml"] {
            let sides = ["--from", "first", "--to", "latest"]
            let made = try sandbox.run(["export", kind, "--preview", "--json"] + sides + options).expecting(0).object()
            #expect(made[kind == "xml" ? "itemCount" : "recordCount"] as? Int == count, "\(kind)")
        }
    }

    @Test("the changes of a diff are part of its question")
    func diffOfChanges() throws {
        let sandbox = try imported()
        var identifiers: Set<String> = []
        for (index, options) in [[], ["--change", "appeared"], ["--change", "disappeared"]].enumerated() {
            let bag = sandbox.path("bag-\(index)")
            let made = try sandbox.run(["export", "diff", "-o", bag, "--json"] + options).expecting(0).object()
            identifiers.insert(try #require(made["exportId"] as? String))
            #expect(made["recordCount"] as? Int == [6, 2, 4][index])
            try sandbox.run("verify-export", bag).expecting(0)
        }
        #expect(identifiers.count == 3)
        let exports = try sandbox.run("exports", "--rerun", "--json").expecting(0).object()["exports"]
        #expect((exports as? [[String: Any]])?.allSatisfy { $0["status"] as? String == "reproduced" } == true)
        try sandbox.run("export", "diff", "-o", sandbox.path("x"), "--change", "consolidated").expecting(64)
        try sandbox.run("export", "xml", "-o", sandbox.path("x"), "--from", "first", "--change", "gone").expecting(64)
        try sandbox.run("export", "selection", "-o", sandbox.path("x")).expecting(64)
    }

    @Test(
        "what an export cannot be narrowed by is refused",
        arguments: [
            ["types", "--since", "2024-05-01"], ["types", "--until", "2024-05-01"],
            ["manifest", "--type", "HeartRate"], ["manifest", "--since", "2024-05-01"],
        ])
    func meaninglessFilters(_ options: [String]) throws {
        let sandbox = try imported()
        try expectFailure(try sandbox.run(["export"] + options + ["--preview", "--json"]), 64, code: "usage")
    }

    @Test(
        "an interval that ends before it begins is a usage error",
        arguments: [
            ["records"], ["aggregates"], ["export", "records", "--preview"], ["export", "diff", "--preview"],
            ["export", "selection", "--change", "appeared", "--preview"], ["export", "xml", "--preview"],
        ])
    func intervals(_ command: [String]) throws {
        let sandbox = try imported()
        for (since, until, code) in [
            ("2024-05-02", "2024-05-01", Int32(64)), ("2024-05-01T10:00:00Z", "2024-05-01T09:00:00Z", 64),
            ("2024-05-02", "2024-05-01T20:00:00Z", 64), ("2024-05-01", "2024-05-01", 0),
            ("2024-05-01T10:00:00Z", "2024-05-01", 0), ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z", 0),
        ] {
            let answer = try sandbox.run(command + ["--since", since, "--until", until]).expecting(code)
            #expect(code == 0 || answer.errorText.contains("--since is later than --until"))
        }
    }

    @Test("offsets west of Greenwich are taken as they are written")
    func offsets() throws {
        let sandbox = try imported()
        for (index, offset) in ["-0800", "-08:00", "+0530"].enumerated() {
            let path = sandbox.path("out-\(index).xml")
            try sandbox.run("export", "xml", "--offset", offset, "-o", path).expecting(0)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains(" \(offset.replacing(":", with: ""))\"/>") && !text.contains(" +0200\""))
        }
        try sandbox.run("export", "xml", "--offset", "--zip", "-o", sandbox.path("x")).expecting(64)
    }

    @Test(
        "a Health export is signed and checked by the program",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen"), "ssh-keygen is not there"))
    func signature() throws {
        let sandbox = try imported()
        let (key, path) = (sandbox.path("key"), sandbox.path("signed.zip"))
        try RunningChild.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]).expecting(0)
        try sandbox.run("export", "xml", "--zip", "-o", path, "--sign", key).expecting(0)
        let verified = try sandbox.run("verify-export", path, "--json").expecting(0).object()
        #expect(verified["signature"] as? String == "unknownSigner")
        let signers = try sandbox.write(
            "me@example.org " + String(contentsOfFile: key + ".pub", encoding: .utf8), to: "signers")
        let trusted = try sandbox.run("verify-export", path, "--signers", signers, "--json").expecting(0).object()
        #expect(trusted["signature"] as? String == "me@example.org")
        let odd = try sandbox.write("none " + String(contentsOfFile: key + ".pub", encoding: .utf8), to: "odd")
        let said = try sandbox.run("verify-export", path, "--signers", odd).expecting(0).outputText
        #expect(said.contains("signed by none.") && !said.contains("not signed"))
        try FileManager.default.removeItem(atPath: path + ".manifest.json.sig")
        try sandbox.run("verify-export", path, "--signers", signers).expecting(4)
        try sandbox.run("export", "xml", "-o", sandbox.path("x"), "--sign", sandbox.path("a.xml")).expecting(64)
        try sandbox.run("export", "xml", "-o", sandbox.path("x"), "--sign", sandbox.path("no key")).expecting(66)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("x")))
    }
}
