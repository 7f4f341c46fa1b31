import Foundation
import Testing
import TestSupport

/// The same answers wherever the machine stands and whatever language it speaks.
@Suite("Surroundings", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct SurroundingsTests {
    private static let commands: [[String]] = [
        ["timeline"], ["show", "latest"], ["records", "--at", "latest"], ["diff"], ["diff", "--records"],
    ]

    @Test func zoneAndLanguageChangeNothing() throws {
        let plain = try answers([:])
        let elsewhere = try answers(["TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"])
        let posix = try answers(["TZ": "America/St_Johns", "LANG": "C", "LC_ALL": "C"])
        for (command, text) in plain {
            #expect(elsewhere[command] == text, "\(command) in Kathmandu")
            #expect(posix[command] == text, "\(command) without a language")
        }
    }

    @Test func timeZoneShiftsTablesAndSaysSo() throws {
        let sandbox = try imported([:])
        let universal = try sandbox.run("records", "--at", "latest").expecting(0).outputText
        #expect(universal.contains("UTC") && universal.contains("06:00"))
        let shifted = try sandbox.run("records", "--at", "latest", "--time-zone", "Asia/Kathmandu").expecting(0)
            .outputText
        #expect(shifted.contains("Asia/Kathmandu") && shifted.contains("11:45"), "\(shifted.prefix(400))")
        #expect(try sandbox.run("records", "--at", "latest", "--time-zone", "Mars/Olympus").status == 64)
        let objects = try sandbox.run("records", "--at", "latest", "--json", "--time-zone", "Asia/Kathmandu").outputText
        #expect(objects.contains("T06:00:"), "JSON stays in UTC")
    }

    @Test func yearsBeyondFourDigitsHaveASign() throws {
        let sandbox = try Sandbox()
        let late = Inputs.steps(12, at: "9999-12-31 13:00:00 -1000", until: "9999-12-31 14:00:00 -1000")
        let path = try sandbox.write(Inputs.export("2024-05-01 10:00:00 +0200", late), to: "late.xml")
        try sandbox.run("import", path).expecting(0)
        let record = try sandbox.run("records", "--json").expecting(0).object()
        #expect(record["startDate"] as? String == "9999-12-31T23:00:00.000Z")
        #expect(record["endDate"] as? String == "+10000-01-01T00:00:00.000Z")
    }

    /// A file that is opened would otherwise have the number of the stream, and what is printed would go into it.
    @Test func whereStandardOutputIsClosedNothingIsPrintedIntoFiles() throws {
        let sandbox = try imported([:])
        let third = Inputs.export("2024-05-03 10:00:00 +0200", Inputs.heartRates(52..<92))
        let path = try sandbox.write(third, to: "third.xml")
        let shell = ["/usr/bin/env", "bash", "-c", #""$0" "$@" >&-"#]
        let answer = try sandbox.run(under: shell, ["import", path, "--json"]).expecting(74)
        #expect(answer.failure()?["code"] as? String == "inputOutput")
        for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.path("")) where name.hasSuffix(".lock")
        {
            #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.path(name))).isEmpty, "\(name)")
        }
        // The import itself was done.
        try sandbox.run("check").expecting(0)
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()
        #expect((timeline["observations"] as? [Any])?.count == 3)
    }

    private func imported(_ environment: [String: String]) throws -> Sandbox {
        let sandbox = try Sandbox()
        sandbox.environment = environment
        let first = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(50..<90))
        let second = Inputs.export("2024-05-02 10:00:00 +0200", Inputs.heartRates(51..<92))
        for (name, text) in [("first.xml", first), ("second.xml", second)] {
            try sandbox.run("import", try sandbox.write(text, to: name)).expecting(0)
        }
        return sandbox
    }

    private func answers(_ environment: [String: String]) throws -> [String: String] {
        let sandbox = try imported(environment)
        var result: [String: String] = [:]
        for command in Self.commands {
            let name = command.joined(separator: " ")
            // The timeline says when the imports ran; only its JSON can be freed of that.
            if command != ["timeline"] { result[name] = try sandbox.run(command).expecting(0).outputText }
            let objects = try sandbox.run(command + ["--json"]).expecting(0).objects()
            let normalised = Normaliser(folders: [sandbox.folder]).normalised(objects)
            let data = try JSONSerialization.data(withJSONObject: normalised, options: [.sortedKeys])
            result[name + " --json"] = String(decoding: data, as: UTF8.self)
        }
        return result
    }
}
