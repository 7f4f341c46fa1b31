import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// Exports that are probably another person's or another phone's (docs/cli.md, `import`).
@Suite("Unrelated exports", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct UnrelatedExportTests {
    /// The dumps `dump-1.xml`, … of a synthetic phone in a folder of its own.
    private func phone(seed: UInt64, dumps: Int, in sandbox: Sandbox) throws -> [String] {
        let plans = [DumpPlan(days: 30)] + (1..<dumps).map { _ in DumpPlan(days: 5, changes: []) }
        let scenario = Scenario(
            seed: seed, density: Scenario.density(records: 1_500, days: 30, seed: seed), dumps: plans)
        let folder = sandbox.path("phone-\(seed)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try SyntheticExportGenerator(scenario: scenario, form: .xml, truthDetail: .counts).writeAll(to: folder)
        return (1...dumps).map { "\(folder)/dump-\($0).xml" }
    }

    private func expectRefused(_ sandbox: Sandbox, _ path: String, _ arguments: String...) throws -> String {
        let before = try sandbox.run("timeline", "--json").expecting(0).outputText
        let answer = try sandbox.run(["import", path, "--json"] + arguments)
        try expectFailure(answer, 65, code: "unrelatedExport")
        #expect(try sandbox.run("timeline", "--json").expecting(0).outputText == before)
        let failure = answer.failure() ?? [:]
        return "\(failure["message"] ?? "") \(failure["hint"] ?? "")"
    }

    /// They have the same days, hence the same activity summaries and hours of standing.
    @Test func anotherPhoneIsRefusedAtEveryPlace() throws {
        let sandbox = try Sandbox()
        let own = try phone(seed: 7, dumps: 3, in: sandbox)
        let other = try phone(seed: 8, dumps: 3, in: sandbox)
        try sandbox.run("import", own[1]).expecting(0)
        for path in [other[0], other[2]] { _ = try expectRefused(sandbox, path) }
        try sandbox.run("import", own[0], own[2]).expecting(0)
        for path in other { _ = try expectRefused(sandbox, path) }
        // Cut off, it shows enough all the same.
        let text = try String(contentsOfFile: other[1], encoding: .utf8)
        let cut = try sandbox.write(String(text.prefix(text.count * 9 / 10)), to: "cut.xml")
        _ = try expectRefused(sandbox, cut)
        // Its steps alone are as strange.
        _ = try expectRefused(sandbox, other[1], "--type", "StepCount")
        try sandbox.run("import", other[1], "--allow-unrelated").expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
    }

    @Test func anExportWithoutRecordsIsRefusedWhereRecordsWere() throws {
        let sandbox = try Sandbox()
        let empty = try sandbox.write(Inputs.export("2030-05-01 10:00:00 +0200", ""), to: "empty.xml")
        let summaries = try sandbox.write(
            Inputs.export(
                "2030-05-02 10:00:00 +0200",
                " <Me HKCharacteristicTypeIdentifierBloodType=\"HKBloodTypeAPositive\"/>\n <Mystery a=\"1\"/>\n"
                    + " <ActivitySummary dateComponents=\"2024-05-01\" activeEnergyBurned=\"5\"/>\n"
                    + Inputs.record(
                        "HKCategoryTypeIdentifierAppleStandHour", "", "HKCategoryValueAppleStandHourStood",
                        "2024-04-20 08:00:00 +0200", "2024-04-20 09:00:00 +0200")), to: "summaries.xml")
        // A chain may begin with nothing.
        try sandbox.run("import", empty, "--chain", "new").expecting(0)
        try sandbox.run("import", summaries, "--chain", "new").expecting(0)
        let first = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(50..<90))
        try sandbox.run("import", try sandbox.write(first, to: "first.xml")).expecting(0)
        for path in [empty, summaries] {
            #expect(try expectRefused(sandbox, path).contains("shows no records"))
            #expect(
                try expectRefused(sandbox, path, "--observed-at", "2020-05-01T10:00:00Z").contains("shows no records"))
        }
        // The file has records, which are not asked for.
        let later = Inputs.export("2024-06-01 10:00:00 +0200", Inputs.heartRates(100..<140, day: 25))
        let path = try sandbox.write(later, to: "later.xml")
        try sandbox.run("import", path, "--type", "StepCount").expecting(0)
        // Of a type that the archive has never seen, too.
        let steps = Inputs.steps(5, at: "2024-04-10 08:00:00 +0200", until: "2024-04-10 08:10:00 +0200")
        let walked = try sandbox.write(Inputs.export("2024-06-02 10:00:00 +0200", steps), to: "walked.xml")
        try sandbox.run("import", walked, "--exclude-type", "StepCount").expecting(0)
        // Where it was cut off nobody knows what would have come.
        let cut = String(Inputs.export("2024-07-01 10:00:00 +0200", " <Record type=").dropLast(20))
        try sandbox.run("import", try sandbox.write(cut, to: "cut.xml")).expecting(3)
        try sandbox.run("import", empty, "--allow-unrelated").expecting(0)
    }

    /// What one of the two left out or carried over says nothing of kinship.
    @Test func onlyTypesThatBothTookCount() throws {
        let sandbox = try Sandbox()
        let steps = { (day: Int) in
            (0..<9).map {
                Inputs.steps(
                    $0 + 5, at: "2024-04-\(day) 0\($0):00:00 +0200", until: "2024-04-\(day) 0\($0):10:00 +0200")
            }.joined()
        }
        func export(_ day: Int, _ body: String) throws -> String {
            try sandbox.write(Inputs.export("2024-05-0\(day) 10:00:00 +0200", body), to: "\(day).xml")
        }
        try sandbox.run("import", try export(1, Inputs.heartRates(50..<90) + steps(10))).expecting(0)
        // No type is common with the steps of its neighbour.
        try sandbox.run("import", try export(2, Inputs.heartRates(60..<90) + steps(11)), "--type", "HeartRate")
            .expecting(0)
        // Its neighbour took heart rates alone, which it shares; the steps are carried over there.
        try sandbox.run("import", try export(3, Inputs.heartRates(70..<95) + steps(12))).expecting(0)
        #expect(
            try expectRefused(sandbox, export(4, Inputs.heartRates(10..<40, day: 21) + steps(13))).contains(
                "shares 0 of"))
        try sandbox.run("import", sandbox.path("4.xml"), "--type", "HeartRate", "--chain", "other").expecting(0)
        try sandbox.run(
            "import", try export(5, Inputs.heartRates(10..<40, day: 22)), "--exclude-type", "HeartRate",
            "--chain", "other"
        ).expecting(0)
    }

    @Test(arguments: [
        ("DateOfBirth", "1980-01-01", "1980-01-02", "date of birth"),
        ("BiologicalSex", "HKBiologicalSexMale", "HKBiologicalSexFemale", "biological sex"),
    ])
    func anotherPersonIsRefused(_ field: String, _ value: String, _ other: String, _ name: String) throws {
        let sandbox = try Sandbox()
        func export(_ day: Int, _ value: String?) throws -> String {
            let me = value.map { " <Me HKCharacteristicTypeIdentifier\(field)=\"\($0)\"/>\n" } ?? ""
            return try sandbox.write(
                Inputs.export("2024-05-0\(day) 10:00:00 +0200", me + Inputs.heartRates(50..<(80 + day))),
                to: "\(day).xml")
        }
        try sandbox.run("import", try export(3, value), try export(7, value)).expecting(0)
        for day in [1, 4, 6, 9] {
            let said = try expectRefused(sandbox, try export(day, other))
            #expect(said.contains(name) && said.contains("corrected") && !said.contains(other) && !said.contains(value))
        }
        // Not set, empty or not printed is no other value.
        for (day, unset) in [(4, "HK\(field)NotSet"), (5, ""), (6, nil)] {
            try sandbox.run("import", try export(day, unset)).expecting(0)
        }
        // Its neighbour states none.
        try sandbox.run("import", try export(9, other), "--allow-unrelated").expecting(0)
        try sandbox.run("import", try export(8, value), "--exclude-type", "HKCharacteristicTypeIdentifier\(field)")
            .expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
    }
}
