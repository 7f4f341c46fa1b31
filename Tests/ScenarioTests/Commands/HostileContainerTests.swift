import Foundation
import Testing
import TestSupport

/// Member names, routes, ECGs, clinical files and attributes made to do harm, from a zip through every output.
@Suite("Hostile containers", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct HostileContainerTests {
    private static let markup = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    private static let sequence = "\u{1B}]0;owned\u{07}\u{1B}[31m\u{202E}"

    /// Route files by member name: each with a track of its own, or with no track at all.
    private static let routes: [(name: String, text: String)] =
        [
            "../evil.gpx", "../../../evil.gpx", "\u{1B}[31mred\nFORGED.gpx", "\u{202E}xpg.gpx", "a.gpx", "A.gpx",
            "a.GPX",
            "..\\..\\evil.gpx", "sub/../../evil.gpx", "<img src=x onerror=alert(1)>.gpx", "=1+1.gpx",
            String(repeating: "n", count: 60_000) + ".gpx", "twice.gpx", "twice.gpx",
        ].enumerated().map { ($1, gpx("<trkpt lat=\"\($0)\"/>", name: "\($0)")) } + [
            ("names.gpx", gpx("<trkpt lat=\"50\"/>", name: escaped(markup) + "\u{202E}")),
            (
                "entities.gpx",
                "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY x SYSTEM "
                    + "\"file:///etc/passwd\">]>" + gpx("<trkpt lat=\"51\"/>", name: "&b;&x;")
            ),
            ("broken.gpx", "<gpx><trk><trkseg><trkpt"), ("control.gpx", "\u{0}\u{1B}[31m no track"), ("empty.gpx", ""),
            ("deep.gpx", String(repeating: "<a>", count: 20_000)),
            ("long.gpx", gpx("<trkpt lat=\"52\"/>", name: String(repeating: "w", count: 2 << 20))),
        ]

    private static let others: [(name: String, text: String)] = [
        (
            "electrocardiograms/1.csv",
            """
            Name,\(markup)\(sequence)
            Recorded Date,2024-01-01 08:00:00 +0000
            Classification,"=HYPERLINK(""http://x"")\(sequence)"
            Symptoms,"+1,
            @SUM(1)"
            Device,\(markup)
            Sample Rate,512 hertz

            Lead,Lead I

            1.5
            =1+1
            """
        ),
        ("electrocardiograms/2.csv", ""), ("electrocardiograms/3.csv", "Recorded Date,never\n\n1\n"),
        ("electrocardiograms/4.csv", String(repeating: "\"", count: 100_000)),
        ("electrocardiograms/../../evil.csv", "Recorded Date,2024-01-02 08:00:00 +0000\n\n1\n"),
        ("electrocardiograms/\u{1B}[2J.csv", "Recorded Date,2024-01-03 08:00:00 +0000\n\n1\n"),
        ("clinical-records/1.json", "{\"resourceType\":\"\(markup)\(sequence)\"}"),
        ("clinical-records/2.json", String(repeating: "{\"a\":", count: 50_000)),
        ("attachments/../../../evil.pdf", "x"), ("attachments/<script>.html", markup),
    ]

    @Test func everyCommand() throws {
        let sandbox = try imported()
        let second = sandbox.path("2.zip")
        let records = try sandbox.run("records", "--json").expecting(0).objects().compactMap {
            $0["identity"] as? String
        }
        #expect(records.count > 30)
        let one = try #require(records.last)
        let commands: [[String]] =
            [
                ["inspect", second], ["show"], ["timeline"], ["records"], ["diff", "--records"], ["aggregates"],
                ["consolidation", "--groups"], ["check", "--deep"], ["archive", "info"], ["archive", "log"],
                ["exports"],
                ["locate", one, "--in", second],
            ] + records.map { ["history", $0] }
        for command in commands {
            Self.expectHarmless(try sandbox.run(command).expecting(0), isTable: true)
            let answer = try sandbox.run(command + ["--json"]).expecting(0)
            Self.expectHarmless(answer, isTable: false)
            _ = try answer.objects()
        }
    }

    @Test func report() throws {
        let sandbox = try imported()
        let page = sandbox.path("report.html")
        Self.expectHarmless(try sandbox.run("report", "--output", page).expecting(0), isTable: true)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for active in ["<script>alert", "<img", "onerror=alert(1)>", "javascript:"] {
            #expect(!html.contains(active), "\(active) in the page")
        }
        #expect(controlCharacter(in: html) == nil)
    }

    @Test func structuredExports() throws {
        let sandbox = try imported()
        for (kind, format) in [
            ("records", "json"), ("records", "csv"), ("types", "csv"), ("manifest", "ndjson"), ("diff", "json"),
        ] {
            let bag = sandbox.path("\(kind)-\(format)")
            let command = [
                "export", kind, "-o", bag, "--provenance", "full", "--include", "routes,clinical", "--format", format,
            ]
            Self.expectHarmless(try sandbox.run(command).expecting(0), isTable: true)
            try sandbox.run("verify-export", bag).expecting(0)
        }
        try expectNothingOutside(sandbox)
    }

    @Test func healthExport() throws {
        let sandbox = try imported()
        let zip = sandbox.path("again.zip")
        let written = try sandbox.run("export", "xml", "--zip", "--output", zip, "--json").expecting(0)
        Self.expectHarmless(written, isTable: false)
        let names = try Self.names(in: zip)
        #expect(names.count > 12 && Set(names).count == names.count)
        for name in names {
            #expect(name.hasPrefix("apple_health_export/") && name.utf8.count < 1100, "\(name.prefix(80))")
            #expect(!name.split(separator: "/").contains("..") && !name.contains("\\"), "\(name)")
            #expect(controlCharacter(in: name) == nil && !name.unicodeScalars.contains("\u{202E}"), "\(name)")
        }
        sandbox.archive = sandbox.path("back.sqlite")
        let back = try sandbox.run("import", zip, "--json").expecting(0).object()["observation"] as? [String: Any]
        #expect(try back?["streamDigest"] as? String == written.object()["streamDigest"] as? String)
        try expectNothingOutside(sandbox)
    }

    @Test func namesOfCandidatesInErrors() throws {
        let sandbox = try Sandbox()
        let text = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(1..<3))
        let names = ["a\u{1B}[31m\nFORGED/export.xml", "\u{202E}/x.xml"]
        let path = try Self.zip(names.map { .init($0, text) }, sandbox, "several.zip")
        for command in [["inspect", path], ["import", path], ["import", path, "--json"]] {
            Self.expectHarmless(try sandbox.run(command).expecting(65), isTable: true)
        }
        let alone = try Self.zip([.init("../../a\u{1B}[31m\nFORGED/<script>.xml", text)], sandbox, "alone.zip")
        for command in [["inspect", alone], ["import", alone], ["show"]] {
            Self.expectHarmless(try sandbox.run(command).expecting(0), isTable: true)
        }
        try expectNothingOutside(sandbox)
    }

    // MARK: -

    private static func gpx(_ points: String, name: String) -> String {
        "<gpx><metadata><time>2024-04-20T09:00:00Z</time></metadata><trk><name>\(name)</name><trkseg>\(points)</trkseg></trk></gpx>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\n", with: "&#10;").replacingOccurrences(of: "\u{1B}", with: "?")
    }

    /// Records with attributes and elements that nobody knows, routes to all files, and clinical records.
    private static var body: String {
        let strange = ["a:b", "_x", "ünï", "script", "onload", String(repeating: "x", count: 5000)]
        let text = escaped(markup + "\u{202E}\nFORGED")
        let records = strange.enumerated().map { index, name in
            Inputs.heartRate(index, inner: "<\(name) \(name)=\"\(text)\">\(text)</\(name)>")
        }
        let elements = strange.map { " <\($0) \($0)=\"../../x\" onclick=\"=2\">\(text)</\($0)>\n" }
        let dates = { (index: Int) in
            let date = "2024-04-\(10 + index % 10) 0\(index / 10):00:00 +0200"
            return "creationDate=\"\(date)\" startDate=\"\(date)\" endDate=\"\(date)\""
        }
        let workouts = routes.enumerated().filter { $1.name.utf8.count < 1000 }.map { index, file in
            """
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W" \(dates(index))>\
            <WorkoutRoute sourceName="W" \(dates(index))><FileReference path="/workout-routes/\(escaped(file.name))"/>\
            </WorkoutRoute></Workout>

            """
        }
        let clinical = ["1.json", "../../../etc/passwd"].map {
            """
             <ClinicalRecord type="\(text)" identifier="\($0)" sourceURL="javascript:alert(1)" \
            resourceFilePath="/clinical-records/\($0)"/>

            """
        }
        return (records + elements + workouts + clinical).joined()
    }

    private static func zip(_ members: [ZipWriter.Member], _ sandbox: Sandbox, _ name: String) throws -> String {
        let path = sandbox.path(name)
        try Data(ZipWriter.zip(members)).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        let files =
            Self.routes.map { ("workout-routes/" + $0.name, $0.text) } + Self.others.map { ($0.name, $0.text) } + [
                ("WORKOUT-ROUTES/a.gpx", "x"), ("export_cda.xml", "<ClinicalDocument/>"),
            ]
        for (index, body) in [Inputs.heartRates(20..<24) + Self.body, Self.body].enumerated() {
            let date = "2024-05-0\(index + 1) 10:00:00 +0200"
            var members = [ZipWriter.Member("apple_health_export/export.xml", Inputs.export(date, body))]
            members += files.dropFirst(index).map { ZipWriter.Member("apple_health_export/" + $0.0, $0.1) }
            members += ["/evil.gpx", "../evil.gpx", "C:/evil.gpx"].map { ZipWriter.Member($0, "x") }
            let answer = try sandbox.run("import", try Self.zip(members, sandbox, "\(index + 1).zip")).expecting(0)
            Self.expectHarmless(answer, isTable: true)
        }
        return sandbox
    }

    private func expectNothingOutside(_ sandbox: Sandbox) throws {
        let files = FileManager.default.enumerator(atPath: sandbox.folder)?.compactMap { $0 as? String } ?? []
        #expect(files.allSatisfy { !$0.contains("evil") && !$0.contains("passwd") }, "\(files)")
    }

    private static func expectHarmless(_ answer: Answer, isTable: Bool) {
        for text in [answer.outputText, answer.errorText] {
            #expect(controlCharacter(in: text) == nil, "\(answer.command)")
            guard isTable else { continue }
            #expect(!text.unicodeScalars.contains("\u{202E}"), "\(answer.command) lets a name turn the line around")
            #expect(
                !text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }, "\(answer.command): a forged line")
        }
    }

    /// The names in the directory of a zip.
    private static func names(in path: String) throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        var names: [String] = []
        for at in 0..<max(0, bytes.count - 46)
        where bytes[at] == 0x50 && Array(bytes[at..<at + 4]) == [0x50, 0x4B, 1, 2] {
            names.append(String(decoding: bytes[(at + 46)..<(at + 46 + number(at + 28))], as: UTF8.self))
        }
        return names
    }
}
