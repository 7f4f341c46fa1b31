import Foundation
import Testing
import TestSupport

/// What observations behind an export, and those before it that show a sample otherwise, do to it.
@Suite("Exports and other observations", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ExportHistoryTests {
    private static let date = "2024-05-01 08:00:00 +0200"

    private func importing(_ bodies: [String]) throws -> Sandbox {
        let sandbox = try Sandbox()
        for (index, body) in bodies.enumerated() { try add(body, number: index + 1, sandbox) }
        return sandbox
    }

    private func add(_ body: String, number: Int, _ sandbox: Sandbox) throws {
        let text = Inputs.export("2024-06-0\(number) 10:00:00 +0200", body)
        try sandbox.run("import", sandbox.write(text, to: "\(number).xml")).expecting(0)
    }

    private func contents(_ name: String, _ sandbox: Sandbox) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: sandbox.path(name)))
    }

    private func meal(_ grams: Int) -> String {
        let record = Inputs.record("HKQuantityTypeIdentifierDietarySugar", "g", "\(grams)", Self.date, Self.date)
        return """
             <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Watch" startDate="\(Self.date)" \
            endDate="\(Self.date)">\(record)</Correlation>

            """
    }

    @Test("a member that only a later observation states is in no export of an earlier one")
    func laterMembers() throws {
        let sandbox = try importing([meal(9)])
        try sandbox.run("export", "records", "--at", "1", "-o", sandbox.path("before")).expecting(0)
        try add(meal(10), number: 2, sandbox)
        try sandbox.run("export", "records", "--at", "1", "-o", sandbox.path("after")).expecting(0)
        let items = try ["before", "after"].map { try contents("\($0)/data/items.json", sandbox) }
        #expect(items[0] == items[1])
        try sandbox.run("exports", "--rerun").expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
    }

    private func steps(_ value: Int, created second: Int, key: String = "") -> String {
        """
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" \
        creationDate="2024-05-01 08:00:0\(second) +0200" startDate="\(Self.date)" endDate="\(Self.date)" \
        value="\(value)">\(key)</Record>

        """
    }

    @Test("of a sample that came back as another representation the last one is printed")
    func cameBack() throws {
        let other = steps(7, created: 0)
        let first = steps(1, created: 1)
        let second = steps(1, created: 2)
        let cases: [([String], count: Int)] = [
            ([first + other, other, second + other], 2), ([first + first + other, second + other], 2),
            ([first + first + other, first + other, second + other], 2),
            // What is beside another representation, or equal, and then gone is a record of its own.
            ([first + second + other, second + other], 3), ([first + first + other, first + other], 3),
            ([first + other, second + other, first + other], 2), ([first + other, other], 2),
        ]
        for (bodies, count) in cases {
            let sandbox = try importing(bodies)
            try sandbox.run("export", "xml", "--state", "ever", "-o", sandbox.path("ever.xml")).expecting(0)
            let text = String(decoding: try contents("ever.xml", sandbox), as: UTF8.self)
            #expect(text.matches(of: /<Record/).count == count, "\(bodies)")
        }
    }

    @Test("names of elements and values of odd metadata are as secret in a Health export as elsewhere")
    func secrets() throws {
        let secret = "<MetadataEntry key=\"HKExternalUUID\" value=\"654321\" extra=\"1\"/>"
        let body = steps(1, created: 1, key: secret) + " <_Secret a=\"1\"/>\n"
        let sandbox = try importing([body])
        for profile in ["hashed", "none"] {
            let path = sandbox.path("\(profile).xml")
            try sandbox.run("export", "xml", "--provenance", profile, "-o", path).expecting(0)
            try sandbox.run("export", "records", "--provenance", profile, "-o", sandbox.path(profile)).expecting(0)
            for name in ["\(profile).xml", "\(profile).xml.manifest.json", "\(profile)/data/items.json"] {
                let text = String(decoding: try contents(name, sandbox), as: UTF8.self)
                #expect(!text.contains("654321") && !text.contains("Secret"), "\(name)")
            }
            try sandbox.run("verify-export", path).expecting(0)
        }
    }

    @Test("a workout keeps the attributes that a reader needs when their values are left out")
    func neededAttributes() throws {
        let workout = """
             <Workout workoutActivityType="Yoga with somebody" sourceName="Watch" startDate="\(Self.date)" \
            endDate="2024-05-01 09:00:00 +0200"/>

            """
        let sandbox = try importing([workout])
        let path = sandbox.path("none.xml")
        try sandbox.run("export", "xml", "--provenance", "none", "-o", path).expecting(0)
        let text = String(decoding: try contents("none.xml", sandbox), as: UTF8.self)
        #expect(text.contains("workoutActivityType=\"\"") && !text.contains("somebody"))
        let found = try sandbox.run("inspect", path, "--json").expecting(0).object()
        #expect((found["quarantine"] as? [Any])?.isEmpty == true)
    }

    @Test("numbers of unknown names do not depend on observations that the export is not about")
    func numbersOfNames() throws {
        let sandbox = try Sandbox()
        try add(" <_newer a=\"1\"/>\n", number: 2, sandbox)
        try add(" <_older a=\"1\"/>\n" + steps(1, created: 1), number: 1, sandbox)
        let ask = ["export", "records", "--at", "@2024-06-01", "--provenance", "none", "-o"]
        try sandbox.run(ask + [sandbox.path("before")]).expecting(0)
        try sandbox.run(
            "observation", "withdraw", "@2024-06-02", "--reason", "wrong", "--confirm",
            URL(fileURLWithPath: sandbox.archive).lastPathComponent
        ).expecting(0)
        try sandbox.run(ask + [sandbox.path("after")]).expecting(0)
        #expect(try contents("before/data/items.json", sandbox) == contents("after/data/items.json", sandbox))
        try sandbox.run("check").expecting(0)
    }
}
