import Foundation
import Testing
import TestSupport

/// Containers that a phone does not write, and files with unusual times, through the program.
@Suite("Unusual containers", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct UnusualContainerTests {
    private typealias Member = ZipWriter.Member
    private static let xml = Inputs.export("2024-05-01 10:00:00 +0200", Inputs.heartRates(50..<60))

    @Test func otherFilesBeyondTheBoundAreNotHashed() throws {
        let sandbox = try Sandbox()
        let bomb = Member("bomb.bin", [UInt8](repeating: 0, count: 1 << 20)).with { $0.packed = ZipWriter.packedZeros }
        let zip = try sandbox.write(
            ZipWriter.zip([Member("export.xml", Self.xml), Member("a.txt", "x"), bomb, bomb.with { $0.name = [0x62] }]),
            to: "x.zip")
        let answer = try sandbox.run("import", zip, "--json").expecting(0).object()
        #expect(
            (answer["warnings"] as? [String])?.contains { $0.hasPrefix("2 of the zip's other files were not hashed") }
                == true)
        try sandbox.run("check", "--deep").expecting(0)
    }

    @Test(arguments: ["inspect", "import"])
    func overlappingMembersAndFarDirectoriesAreRefused(_ command: String) throws {
        let sandbox = try Sandbox()
        var overlapping = ZipWriter.zip([Member("export.xml", Self.xml), Member("a.bin", "x"), Member("b.bin", "x")])
        let last = overlapping.count - 22 - 46 - 5
        for byte in 42..<46 { overlapping[last + byte] = overlapping[last - 46 - 5 + byte] }
        var far = ZipWriter.zip([Member("export.xml", Self.xml).with { $0.isZip64 = true }])
        far[far.count - 22 - 20 - 1] = 0x7F
        for (name, bytes) in [("overlapping.zip", overlapping), ("far.zip", far)] {
            let answer = try sandbox.run(command, try sandbox.write(bytes, to: name), "--json").expecting(65)
            #expect(answer.failure()?["code"] as? String == "notAHealthExport", "\(name)")
        }
    }

    @Test(arguments: ["inspect", "import"])
    func tooManyTypes(_ command: String) throws {
        let sandbox = try Sandbox()
        func export(_ types: Int) throws -> String {
            let date = "2024-04-20 08:00:00 +0200"
            return try sandbox.write(
                Inputs.export(
                    "2024-05-01 10:00:00 +0200",
                    (0..<types).map { Inputs.record("T\($0)", "count", "1", date, date) }.joined()), to: "x.xml")
        }
        let failure = try #require(sandbox.run(command, try export(20_001), "--json").expecting(65).failure())
        #expect(failure["code"] as? String == "tooManyTypes")
        try sandbox.run("inspect", try export(20_000)).expecting(0)
    }

    @Test func aLinkedXMLIsNamed() throws {
        let sandbox = try Sandbox()
        try FileManager.default.createDirectory(atPath: sandbox.path("folder"), withIntermediateDirectories: false)
        let real = try sandbox.write(Self.xml, to: "real.xml")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("folder/export.xml"), withDestinationPath: real)
        let failure = try #require(sandbox.run("import", sandbox.path("folder"), "--json").expecting(65).failure())
        #expect((failure["message"] as? String)?.contains("symbolic link, export.xml") == true)
    }

    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
    func utf16IsNamed(_ encoding: String.Encoding) throws {
        let sandbox = try Sandbox()
        let bytes = [UInt8](try #require(Self.xml.data(using: encoding)))
        let xml = try sandbox.write(bytes, to: "x.xml")
        let zip = try sandbox.write(ZipWriter.zip([Member("export.xml", bytes)]), to: "x.zip")
        for path in [xml, zip] {
            let failure = try #require(sandbox.run("import", path, "--json").expecting(65).failure())
            #expect((failure["message"] as? String)?.contains("UTF-16") == true)
        }
    }

    @Test func whiteSpaceBeforeTheDeclaration() throws {
        let sandbox = try Sandbox()
        let plain = try sandbox.run("inspect", try sandbox.write(Self.xml, to: "x.xml"), "--json").expecting(0).object()
        for (index, prefix) in [" \n", "\u{FEFF}\n\n"].enumerated() {
            let path = try sandbox.write(prefix + Self.xml, to: "\(index).xml")
            let read = try sandbox.run("inspect", path, "--json").expecting(0).object()
            #expect(
                (read["totals"] as? [String: Any])?["read"] as? Int == (plain["totals"] as? [String: Any])?["read"]
                    as? Int)
            #expect((read["repairs"] as? [[String: Any]])?.first?["kind"] as? String == "declarationBlanked")
        }
    }

    /// Every export has its document type left out: JSON says so, people are told of repairs that are some.
    @Test func theDocumentTypeIsNoRepairForPeople() throws {
        let sandbox = try Sandbox()
        let plain = try sandbox.write(Self.xml, to: "x.xml")
        let odd = try sandbox.write(Self.xml.replacing("Watch", with: "Wa\u{1}tch"), to: "y.xml")
        for command in ["import", "inspect"] {
            #expect(!(try sandbox.run(command, plain).expecting(0).outputText.contains("Repairs")))
            #expect(try sandbox.run("inspect", plain, "--json").expecting(0).outputText.contains("doctypeBlanked"))
            let text = try sandbox.run("inspect", odd).expecting(0).outputText
            #expect(text.contains("control character replaced") && !text.contains("document type"))
        }
        #expect(!(try sandbox.run("show").expecting(0).outputText.contains("Repairs")))
    }

    /// A date of the file stands for an absent one, and a file system may keep any number.
    @Test(arguments: [Double(Int64.max), 1e15, -1e15])
    func timesOfFilesBeyondReason(_ seconds: Double) throws {
        let sandbox = try Sandbox()
        let text = Self.xml.replacing(#" <ExportDate value="2024-05-01 10:00:00 +0200"/>"#, with: "")
        // Other file systems bound such times themselves.
        let memory = "/dev/shm/healthprobe-\(UUID().uuidString).xml"
        let path = FileManager.default.isWritableFile(atPath: "/dev/shm") ? memory : sandbox.path("x.xml")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        var times = [timespec(tv_sec: Int(clamping: Int64(exactly: seconds) ?? .max), tv_nsec: 0)]
        times.append(times[0])
        utimensat(AT_FDCWD, path, times, 0)
        try sandbox.run("inspect", path).expecting(0)
        try sandbox.run("import", path).expecting(0)
        try sandbox.run("show").expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// The largest and smallest numbers that a machine has, and what rounds to them.
    @Test func numbersAtTheEdges() throws {
        let values = [
            "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808",
            "-9.2233720368547758e18",
            "-4294967296", "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "-2147483648",
            "18446744073709551616",
        ]
        func body(_ values: [String]) -> String {
            values.enumerated().map { index, value in
                let date = "2024-04-\(10 + index) 08:00:00 +0200"
                return ["HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierHeartRate"]
                    .map { Inputs.record($0, "count", value, date, date) }.joined()
            }.joined()
        }
        let sandbox = try Sandbox()
        for (index, values) in [
            values, Array(values.reversed()), values.map { $0.hasPrefix("-") ? String($0.dropFirst()) : "-" + $0 },
        ].enumerated() {
            let path = try sandbox.write(
                Inputs.export("2024-05-0\(index + 1) 10:00:00 +0200", body(values)), to: "\(index).xml")
            try sandbox.run("inspect", path).expecting(0)
            try sandbox.run("import", path, "--allow-unrelated").expecting(0)
        }
        let page = sandbox.path("report.html")
        for command in [
            ["check", "--deep"], ["show"], ["records"], ["records", "--json"], ["records", "--csv"], ["diff"],
            ["diff", "--json"],
            ["aggregates"], ["aggregates", "--json"], ["consolidation"], ["report", "--output", page],
            ["report", "1", "3", "--output", page, "--force"],
            ["export", "records", "--output", sandbox.path("bag"), "--provenance", "full"],
            ["export", "xml", "--output", sandbox.path("again.xml")],
        ] {
            try sandbox.run(command).expecting(0)
        }
    }
}
