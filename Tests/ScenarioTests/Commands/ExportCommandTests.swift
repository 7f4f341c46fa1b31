import Foundation
import Testing
import TestSupport

/// `export`, `exports` and `verify-export` through the built program: exit codes, refusals, what they leave behind.
@Suite("Export commands", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExportCommandTests {
    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// Where ssh-keygen is missing, nothing is known of a signature.
    @Test func withoutThePrograms() throws {
        let sandbox = try Inputs.imported()
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag).expecting(0)
        try sandbox.write("a signature", to: "bag/tagmanifest-sha256.txt.sig")
        let signers = try sandbox.write("", to: "signers")
        sandbox.environment["PATH"] = sandbox.path("nothing")
        let signed = sandbox.path("signed")
        for command in [
            ["verify-export", bag], ["verify-export", bag, "--signers", signers],
            ["export", "records", "-o", signed, "--sign", signers],
            ["export", "xml", "-o", signed, "--sign", signers],
        ] {
            let answer = try sandbox.run(command + ["--json"]).expecting(74)
            #expect((answer.failure()?["message"] as? String)?.contains("ssh-keygen") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: signed))
    }

    /// What is to be known about an export is a message; the result is the answer.
    @Test func notesAreMessages() throws {
        let sandbox = try Inputs.imported()
        for (command, note) in [(["records"], "warning: "), (["xml", "--provenance", "hashed"], "note: ")] {
            let export = ["export"] + command + ["--force", "-o", sandbox.path(command[0])]
            let loud = try sandbox.run(export).expecting(0)
            let quiet = try sandbox.run(export + ["--quiet"]).expecting(0)
            #expect(loud.errorText.contains(note) && !loud.outputText.contains(note), "\(loud.outputText)")
            #expect(quiet.outputText == loud.outputText && !quiet.outputText.isEmpty && quiet.errorText.isEmpty)
            #expect(try sandbox.run(export + ["--preview"]).expecting(0).outputText.contains(note))
            #expect(try sandbox.run(export + ["--json"]).expecting(0).errorText.isEmpty)
        }
    }

    @Test func aStateGoesWithAnObservation() throws {
        let sandbox = try Inputs.imported()
        let answer = try sandbox.run("export", "xml", "-o", sandbox.path("x"), "--from", "1", "--state", "ever")
        #expect(try answer.expecting(64).errorText.contains("--state goes with --at"), "\(answer.errorText)")
    }

    @Test func everyKindIsValidAndRecorded() throws {
        let sandbox = try Inputs.imported()
        for kind in ["records", "types", "manifest", "diff", "selection"] {
            for format in ["json", "ndjson", "csv"] {
                let bag = sandbox.path("\(kind)-\(format)")
                let more = kind == "selection" ? ["--change", "appeared,disappeared"] : []
                let made = try sandbox.run(["export", kind, "-o", bag, "--format", format, "--json"] + more).expecting(
                    0
                ).object()
                #expect(made["recorded"] as? Bool == true)
                let verified = try sandbox.run("verify-export", bag, "--json").expecting(0).object()
                #expect(verified["valid"] as? Bool == true)
                #expect(verified["manifestHash"] as? String == made["manifestHash"] as? String)
                #expect(
                    try names(bag) == [
                        "bag-info.txt", "bagit.txt", "data", "manifest-sha256.txt", "tagmanifest-sha256.txt",
                    ])
            }
        }
        let listed =
            try sandbox.run("exports", "--rerun", "--json").expecting(0).object()["exports"] as? [[String: Any]] ?? []
        #expect(listed.count == 15)
        #expect(listed.allSatisfy { $0["status"] as? String == "reproduced" })
        try sandbox.run("exports").expecting(0)
        let invariants =
            try sandbox.run("check", "--json").expecting(0).object()["invariants"] as? [[String: Any]] ?? []
        #expect(invariants.contains { $0["id"] as? String == "X01-exportsReproduce" && $0["holds"] as? Bool == true })
    }

    @Test func healthExportsAreRecordedToo() throws {
        let sandbox = try Inputs.imported()
        for (name, more) in [("a.xml", []), ("b.zip", ["--zip"]), ("c.xml", ["--provenance", "hashed"])] {
            let made = try sandbox.run(["export", "xml", "-o", sandbox.path("out-\(name)"), "--json"] + more).expecting(
                0
            )
            .object()
            #expect(made["recorded"] as? Bool == true)
            let verified = try sandbox.run("verify-export", sandbox.path("out-\(name)"), "--json").expecting(0).object()
            #expect(verified["manifestHash"] as? String == made["manifestHash"] as? String)
        }
        try sandbox.run("export", "xml", "--preview").expecting(0)
        let listed =
            try sandbox.run("exports", "--rerun", "--json").expecting(0).object()["exports"] as? [[String: Any]] ?? []
        #expect(listed.map { $0["status"] as? String } == ["reproduced", "reproduced", "reproduced"])
        #expect(
            listed.map { $0["kind"] as? String } == ["health_export_xml", "health_export_zip", "health_export_xml"])
        try sandbox.run("check").expecting(0)
        let log = try sandbox.run("archive", "log", "--json").expecting(0).outputText
        #expect(log.contains("health_export_zip"))
    }

    @Test func pseudonymsNeedTheArchivesKey() throws {
        let sandbox = try Inputs.imported()
        let keys = try names(sandbox.path("data/healthprobe/keys"))
        let key = sandbox.path("data/healthprobe/keys/\(try #require(keys.first))")
        let other = try sandbox.write(String(repeating: "k", count: 32), to: "other.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        for kind in ["xml", "records"] {
            let command = ["export", kind, "-o", sandbox.path("with-\(kind)"), "--provenance", "hashed"]
            try sandbox.run(command + ["--secret-file", other]).expecting(64)
            try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
            try sandbox.run(command).expecting(74)
            try sandbox.run(["export", kind, "-o", sandbox.path("none-\(kind)"), "--provenance", "none"]).expecting(0)
            try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
            #expect(!FileManager.default.fileExists(atPath: sandbox.path("with-\(kind)")))
        }
        try sandbox.run("export", "xml", "-o", sandbox.path("x"), "--provenance", "some").expecting(64)
    }

    @Test func previewWritesNothing() throws {
        let sandbox = try Inputs.imported()
        let before = try names(sandbox.folder)
        let preview = try sandbox.run("export", "records", "--preview", "--json").expecting(0).object()
        #expect(preview["recordCount"] as? Int == 30)
        #expect((preview["warnings"] as? [Any] ?? []).isEmpty == false)
        try sandbox.run("export", "diff", "--preview").expecting(0)
        #expect(try names(sandbox.folder) == before)
        #expect((try sandbox.run("exports", "--json").object()["exports"] as? [Any])?.isEmpty == true)
    }

    @Test func nothingIsReplacedUnasked() throws {
        let sandbox = try Inputs.imported()
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag).expecting(0)
        try sandbox.run("export", "types", "-o", bag).expecting(73)
        try sandbox.run("export", "types", "-o", bag, "--force").expecting(0)
        #expect(try sandbox.run("verify-export", bag, "--json").object()["kind"] as? String == "type_summary_json")
        // What is no export is not replaced even then.
        let photographs = sandbox.path("photographs")
        try FileManager.default.createDirectory(atPath: photographs, withIntermediateDirectories: true)
        try sandbox.write("x", to: "photographs/one.jpg")
        try sandbox.run("export", "records", "-o", photographs, "--force").expecting(73)
        try sandbox.run("export", "records", "-o", sandbox.path("photographs/one.jpg"), "--force").expecting(73)
        #expect(try names(photographs) == ["one.jpg"])
        try sandbox.run("export", "records", "-o", sandbox.path("no/such/folder")).expecting(73)
        #expect(try names(sandbox.folder).allSatisfy { !$0.contains("partial") && !$0.contains("replaced") })
    }

    @Test(arguments: [
        ["export", "records"], ["export", "records", "-o", "x", "--format", "xml"],
        ["export", "records", "-o", "x", "--provenance", "some"],
        ["export", "records", "-o", "x", "--include", "all"], ["export", "selection", "-o", "x", "--change", "gone"],
        ["export", "records", "-o", "x", "--at", "99"],
        ["export", "diff", "-o", "x", "--from", "latest", "--to", "first"],
        ["export", "records", "-o", "x", "--chain", "other"], ["export", "records", "-o", "x", "--since", "yesterday"],
    ])
    func wrongQuestionsAreUsage(_ arguments: [String]) throws {
        let sandbox = try Inputs.imported()
        let placed = arguments.map { $0 == "x" ? sandbox.path("x") : $0 }
        try sandbox.run(placed).expecting(64)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("x")))
    }

    @Test func verificationNamesWhatIsWrong() throws {
        let sandbox = try Inputs.imported()
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag, "--format", "ndjson").expecting(0)
        let file = bag + "/data/items.ndjson"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: #""value":"66""#, with: #""value":"67""#)
            .write(toFile: file, atomically: false, encoding: .utf8)
        let failure = try sandbox.run("verify-export", bag, "--json").expecting(4).object()["failure"] as? [String: Any]
        #expect(failure?["file"] as? String == "data/items.ndjson")
        #expect(failure?["item"] as? Int == 2)
        try sandbox.run("verify-export", bag).expecting(4)
        try sandbox.run("verify-export", sandbox.path("nothing")).expecting(66)
        try sandbox.run("verify-export", sandbox.path("a.xml")).expecting(4)
    }

    @Test(.enabled(if: Mount.isPossible, "only root can mount"))
    func aReadOnlyArchiveIsExportedAndNotRecorded() throws {
        let sandbox = try Inputs.imported()
        let mount = try Mount(readOnly: sandbox.path("archive"), at: sandbox.path("medium"))
        try withExtendedLifetime(mount) {
            sandbox.archive = sandbox.path("medium/archive.sqlite")
            let made = try sandbox.run("export", "records", "-o", sandbox.path("bag"), "--json").expecting(0)
            #expect(try made.object()["recorded"] as? Bool == false)
            #expect(made.errorText.contains("not recorded"))
            try sandbox.run("verify-export", sandbox.path("bag")).expecting(0)
            let xml = try sandbox.run("export", "xml", "-o", sandbox.path("again.xml"), "--json").expecting(0)
            #expect(try xml.object()["recorded"] as? Bool == false && xml.errorText.contains("not recorded"))
            try sandbox.run("verify-export", sandbox.path("again.xml")).expecting(0)
        }
    }

    /// Names that a spreadsheet, a terminal, a browser or a shell could take for something else.
    @Test func hostileNamesStayText() throws {
        let sandbox = try Sandbox()
        let names = [
            "=HYPERLINK(&quot;http://x&quot;)", "+1+1", "-1+1", "@SUM(A1)", "&#9;tab", "&#13;return", "A\u{1B}[31mred",
            "B\u{202E}gnp.exe", "&lt;script&gt;alert(1)&lt;/script&gt;", "../../etc/passwd", "'=1",
            "&quot;quoted&quot;, and",
            "line&#10;break", String(repeating: "名", count: 350_000),
        ]
        let body = names.enumerated().map {
            Inputs.heartRate(60 + $0, source: $1, inner: #"<MetadataEntry key="\#($1.prefix(200))" value="\#($1)"/>"#)
        }
        try sandbox.run(
            "import", try sandbox.write(Inputs.export("2024-05-01 10:00:00 +0200", body.joined()), to: "a.xml")
        ).expecting(0)
        for format in ["json", "ndjson", "csv"] {
            for provenance in ["full", "hashed", "none"] {
                let bag = sandbox.path("\(format)-\(provenance)")
                let made = try sandbox.run(
                    ["export", "records", "-o", bag, "--format", format, "--provenance", provenance]
                ).expecting(0)
                let said = made.output + made.errors + (try sandbox.run("verify-export", bag).expecting(0).output)
                #expect(!said.contains(0x1B) && !String(decoding: said, as: UTF8.self).contains("\u{202E}"))
                if format == "csv" {
                    let rows = try String(contentsOfFile: bag + "/data/items.csv", encoding: .utf8)
                    #expect(
                        !rows.contains(",=") && !rows.contains(",@") && !rows.contains(",\"=") && !rows.contains(",\"@")
                    )
                }
            }
        }
    }

    @Test("a selection of types that names an element of somebody's own is no free text of an export")
    func selectionOfTypes() throws {
        let sandbox = try Sandbox()
        let text = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(60..<63) + "<Élan_Zorn/>")
        let path = try sandbox.write(text, to: "a.xml")
        try sandbox.run("import", path, "--exclude-type", "Element/Élan_Zorn").expecting(0)
        for provenance in ["full", "hashed", "none"] {
            let bag = sandbox.path(provenance)
            try sandbox.run("export", "manifest", "-o", bag, "--format", "ndjson", "--provenance", provenance)
                .expecting(0)
            let items = try String(contentsOfFile: bag + "/data/items.ndjson", encoding: .utf8)
            #expect(items.contains("Zorn") == (provenance == "full"), "\(provenance)")
            try sandbox.run("verify-export", bag).expecting(0)
        }
    }
}
