import Foundation
import Testing
import TestSupport

/// What `locate` shows of files beside the XML: only those that the observation was read with.
@Suite("Locate", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct LocateTests {
    private static let xml = Inputs.export(
        "2024-05-01 10:00:00 +0200",
        """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \
        startDate="2024-04-30 09:00:00 +0200" endDate="2024-04-30 09:30:00 +0200"><WorkoutRoute sourceName="Watch" \
        startDate="2024-04-30 09:00:00 +0200" endDate="2024-04-30 09:30:00 +0200">\
        <FileReference path="/workout-routes/route_1.gpx"/></WorkoutRoute></Workout>
        """)

    private func zip(_ name: String, value: String = "1.5", latitude: String = "1", in sandbox: Sandbox) throws
        -> String
    {
        let electrocardiogram = """
            Name,Someone
            Recorded Date,2024-04-30 08:00:00 +0200
            Classification,Sinus Rhythm
            Software Version,1.9
            Device,"Watch6,1"
            Sample Rate,512 hertz

            Lead,Lead I
            Unit,µV

            \(value)

            """
        let track = "<gpx><trk><trkseg><trkpt lat=\"\(latitude)\"/></trkseg></trk></gpx>"
        let bytes = ZipWriter.zip([
            .init("apple_health_export/export.xml", Self.xml),
            .init("apple_health_export/electrocardiograms/ecg_2024-04-30.csv", electrocardiogram),
            .init("apple_health_export/workout-routes/route_1.gpx", track),
        ])
        try Data(bytes).write(to: URL(fileURLWithPath: sandbox.path(name)))
        return sandbox.path(name)
    }

    @Test("a kept XML reads as what is stored although its ECG and its track came with a zip of the same XML")
    func supplementedSource() throws {
        let sandbox = try Sandbox()
        let xml = try sandbox.write(Self.xml, to: "export.xml")
        try sandbox.run("import", xml).expecting(0)
        try sandbox.run("import", zip("1.zip", in: sandbox)).expecting(0)
        try sandbox.run("import", xml, "--keep-source", "copy").expecting(0)
        #expect(try sandbox.run("records", "--json").expecting(0).outputText.contains("Electrocardiogram"))
        try sandbox.run("check", "--sources").expecting(0)
    }

    private func record(_ type: String, _ sandbox: Sandbox) throws -> (identity: String, version: String) {
        let records = try sandbox.run("records", "--json").expecting(0).objects()
        let record = try #require(records.first { ($0["type"] as? String ?? "").contains(type) })
        return (try #require(record["identity"] as? String), try #require(record["version"] as? String))
    }

    @Test(
        "an ECG and a track have the archive's version, and files of another export are not shown",
        arguments: [
            "reference", "none",
        ])
    func files(kept: String) throws {
        let sandbox = try Sandbox()
        let path = try zip("1.zip", in: sandbox)
        try sandbox.run("import", path, "--keep-source", kept).expecting(0)
        for (type, members) in [
            ("Electrocardiogram", ["ecg_2024-04-30.csv"]), ("WorkoutRoute", ["export.xml", "route_1.gpx"]),
        ] {
            let (identity, version) = try record(type, sandbox)
            let found = try sandbox.run("locate", identity, "--in", path, "--json").expecting(0).objects()
            #expect(
                found.map { ($0["member"] as? String ?? "").split(separator: "/").last.map(String.init) } == members)
            #expect(found.allSatisfy { $0["version"] as? String == version })
            let other = try zip("2.zip", value: "9.5", latitude: "9", in: sandbox)
            let answer = try sandbox.run("locate", identity, "--in", other, "--json").expecting(4)
            #expect(!answer.outputText.contains("9.5") && !answer.outputText.contains("lat="))
        }
        // Where only another file differs, what is asked for is shown.
        let other = try zip("3.zip", value: "9.5", in: sandbox)
        try sandbox.run("locate", record("WorkoutRoute", sandbox).identity, "--in", other).expecting(0)
    }

    @Test("without an export and an observation the kept copies are searched, the latest that shows the sample first")
    func keptCopies() throws {
        let sandbox = try Sandbox()
        for (day, values) in [(1, 50..<53), (2, 50..<52), (3, 50..<51)] {
            let text = Inputs.export("2024-05-0\(day) 10:00:00 +0200", Inputs.heartRates(values))
            let path = try sandbox.write(text, to: "\(day).xml")
            try sandbox.run("import", path, "--keep-source", day < 3 ? "copy" : "reference").expecting(0)
        }
        let records = try sandbox.run("records", "--at", "1", "--json").expecting(0).objects()
        for (value, observation) in [(50, 2), (51, 2), (52, 1)] {
            let record = try #require(records.first { $0["value"] as? Int == value })
            let identity = try #require(record["identity"] as? String)
            let found = try sandbox.run("locate", identity, "--json").expecting(0).object()
            #expect(found["observation"] as? Int == observation)
            let (start, end) = (found["byteStart"] as? Int ?? 0, found["byteEnd"] as? Int ?? 0)
            let xml = try String(contentsOfFile: sandbox.path("\(observation).xml"), encoding: .utf8)
            let raw = String(decoding: Array(xml.utf8)[start..<end], as: UTF8.self)
            let text = try sandbox.run("locate", identity).expecting(0).outputText
            #expect(text.contains(", bytes \(start)-\(end - 1)\n") && text.hasSuffix("\n\(raw)\n"), "\(text)")
        }
        try expectFailure(try sandbox.run("locate", "00000000", "--json"), 64, code: "usage")
    }

    @Test("where no copy was kept, an export has to be named")
    func nothingKept() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", zip("1.zip", in: sandbox)).expecting(0)
        let identity = try record("WorkoutRoute", sandbox).identity
        let answer = try sandbox.run("locate", identity, "--json")
        try expectFailure(answer, 64, code: "usage")
        #expect(answer.errorText.contains("--in"))
    }

    @Test("a kept source that is not what was kept is not opened")
    func damagedCopy() throws {
        let sandbox = try Sandbox()
        try sandbox.run("import", zip("1.zip", in: sandbox), "--keep-source", "copy").expecting(0)
        let identity = try record("Electrocardiogram", sandbox).identity
        #expect(try sandbox.run("locate", identity, "--at", "1", "--json").expecting(0).objects().count == 1)
        let folder = sandbox.archive + ".sources"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        let other = try Data(contentsOf: URL(fileURLWithPath: zip("2.zip", value: "9.5", in: sandbox)))
        for bytes in [other, other.prefix(60)] {
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            let answer = try sandbox.run("locate", identity, "--at", "1").expecting(4)
            #expect(answer.outputText.isEmpty)
        }
        // Asked for again, it is kept again.
        func importAgain() throws {
            try sandbox.run("import", zip("1.zip", in: sandbox), "--keep-source", "copy").expecting(0)
        }
        try importAgain()
        try sandbox.run("locate", identity, "--at", "1").expecting(0)
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try sandbox.run("locate", identity, "--at", "1").expecting(4)
        try importAgain()
        try sandbox.run("check", "--sources").expecting(0)
    }
}
