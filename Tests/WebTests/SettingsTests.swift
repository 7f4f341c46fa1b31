import Foundation
import Testing
import TestSupport
import Web

/// How pages look, set by a command and by a form.
@Suite("Settings", .enabled(if: BuiltProgram.isExpected))
struct SettingsTests {
    @Test func commandsReadAndWriteTheKeys() throws {
        let sandbox = try Sandbox()
        let all = #"""
            {"schema":"healthprobe.settings/1","settings":[{"key":"types.selected","value":[]},\#
            {"key":"display.timeZone","value":"UTC"},{"key":"display.pageSize","value":100},\#
            {"key":"display.units","value":"metric"},{"key":"display.theme","value":"auto"},\#
            {"key":"display.simplify","value":"off"}]}

            """#
        #expect(try sandbox.run("settings", "list", "--json").expecting(0).outputText == all)
        try sandbox.run("settings", "set", "display.pageSize", "50").expecting(0)
        try sandbox.run("settings", "set", "types.selected", "B,A").expecting(0)
        #expect(try sandbox.run("settings", "get", "display.pageSize").outputText == "50\n")
        #expect(
            try sandbox.run("settings", "get", "types.selected", "--json").outputText
                == #"{"schema":"healthprobe.settings/1","settings":[{"key":"types.selected","value":["A","B"]}]}"#
                + "\n")
        for (key, value) in [
            ("display.pageSize", "24"), ("display.pageSize", "many"), ("display.theme", "red"),
            ("display.timeZone", "Nowhere/There"), ("display.units", "stones"), ("display.simplify", "1"),
            ("other.key", "1"),
        ] {
            try sandbox.run("settings", "set", key, value).expecting(64)
        }
        try sandbox.run("settings", "get", "other.key").expecting(64)
        // A file that somebody wrote by hand is held to the same.
        let file = SettingsFile(["HOME": sandbox.folder]).path
        for text in [#"{"other.key":"1"}"#, #"{"display.theme":"red"}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            for command in [["list"], ["get", "display.theme"], ["set", "display.theme", "dark"]] {
                try sandbox.run(["settings"] + command).expecting(64)
            }
            #expect(FileManager.default.contents(atPath: file) == Data(text.utf8))
        }
        try sandbox.run("settings", "reset").expecting(0)
        #expect(try sandbox.run("settings", "list", "--json").outputText == all)
    }

    @Test func aTypeThatNoSettingTakesIsNotOffered() throws {
        let sandbox = try Sandbox()
        let types = ["StepCount", String(repeating: "A", count: 300)].map { "HKQuantityTypeIdentifier\($0)" }
        let records = types.map { type in
            """
            <Record type="\(type)" sourceName="Watch" unit="count" value="5" \
            startDate="2024-04-05 08:00:00 +0200" endDate="2024-04-05 08:10:00 +0200"/>
            """
        }
        let export = """
            <HealthData locale="en_US"><ExportDate value="2024-05-01 10:00:00 +0200"/>\(records.joined())</HealthData>
            """
        try sandbox.run("import", sandbox.write(export, to: "1.xml")).expecting(0)
        let page = try WebArchive(path: sandbox.archive).get("/settings").text
        #expect(page.contains("value=\"\(types[0])\"") && !page.contains(types[1]))
    }

    @Test func formsWriteThemAndPagesFollow() throws {
        let archive = try WebArchive("first-and-unchanged")
        #expect(
            archive.post("/settings", [.init("display.theme", "dark"), .init("display.timeZone", "Asia/Tokyo")]).status
                == 303)
        let page = try archive.get("/timeline").text
        #expect(page.contains("<html lang=\"en\" data-theme=\"dark\">") && page.contains("Asia/Tokyo"))
        #expect(!(try archive.get("/timeline.json").text.contains("Tokyo")))
        #expect(try archive.get("/settings.json").text.contains(#"{"key":"display.theme","value":"dark"}"#))
        try PageCheck.wellFormed(try archive.get("/settings").text, archive.sandbox, "/settings")
        let path = SettingsFile(["HOME": archive.sandbox.folder]).path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        for (name, value) in [("display.theme", "red"), ("theme", "dark"), ("display.pageSize", "")] {
            #expect(archive.post("/settings", [.init(name, value)]).status == 400, "\(name)")
        }
        #expect(archive.post("/settings", [.init("types.selected", ""), .init("types.selected", "A")]).status == 303)
        #expect(try archive.get("/settings.json").text.contains(#""value":["A"]"#))
        #expect(try archive.get("/types").text.contains("none of the types that are chosen in the settings"))
        // A type may have a comma in its name.
        let types = ["", "A,B", "C"].map { Request.Parameter("types.selected", $0) }
        #expect(archive.post("/settings", types).status == 303)
        #expect(try archive.get("/settings.json").text.contains(#""value":["A,B","C"]"#))
        // What is no settings file is not believed, and told on its own page.
        try Data("[1]".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try archive.get("/timeline").status == 200)
        let refusal = try archive.get("/settings.json")
        #expect(refusal.status == 503 && refusal.text.contains("healthprobe settings reset"))
        // A form does not write over it: it may be a newer version's.
        for text in ["[1]", #"{"display.theme":"dark","future.key":1}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let answer = try WebArchive.Reply(archive.post("/settings", [.init("display.units", "imperial")]))
            #expect(answer.status == 503 && answer.text.contains("healthprobe settings reset"))
            #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        }
        // Nor is there anything to write to.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.removeItem(at: folder)
        try Data().write(to: folder)
        let answer = try WebArchive.Reply(archive.post("/settings", [.init("display.units", "imperial")]))
        #expect(answer.status == 503 && answer.text.contains("The settings cannot be written."))
        #expect(try archive.get("/settings").status == 200)
    }
}
