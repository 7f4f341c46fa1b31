import Foundation
import Testing
import TestSupport

/// Zips that were cut off on the way, through the program.
@Suite("Zips that were cut off", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CutZipTests {
    private typealias Member = ZipWriter.Member
    private static let folder = "apple_health_export/"

    private static func members(day: Int, records: Range<Int>, electrocardiograms: [Int]) -> [Member] {
        let route = """
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="2024-04-20 08:00:00 +0200" \
            endDate="2024-04-20 09:00:00 +0200"><WorkoutRoute startDate="2024-04-20 08:00:00 +0200" \
            endDate="2024-04-20 09:00:00 +0200"><FileReference path="/workout-routes/r.gpx"/></WorkoutRoute></Workout>

            """
        let xml = Inputs.export("2024-05-0\(day) 10:00:00 +0200", Inputs.heartRates(records) + route)
        return [Member(folder + "export.xml", xml).with { $0.hasDataDescriptor = true }]
            + electrocardiograms.map {
                Member(
                    folder + "electrocardiograms/\($0).csv",
                    "Name,\nRecorded Date,2024-04-1\($0) 08:00:00 +0200\nSample Rate,512 hertz\n\nLead,Lead I\n\n1\n2\n"
                )
            } + [
                Member(folder + "workout-routes/r.gpx", "<gpx><trk><trkseg><trkpt lat=\"1\"/></trkseg></trk></gpx>"),
                Member(folder + "export_cda.xml", "<ClinicalDocument/>"),
            ]
    }

    private static let whole = members(day: 1, records: 50..<90, electrocardiograms: [1, 2])

    /// A zip, or what is left of it when so many members have come through.
    private func zip(_ members: [Member], in sandbox: Sandbox, _ name: String, cutBehind count: Int? = nil) throws
        -> String
    {
        var bytes = ZipWriter.zip(members)
        if let count { bytes = Array(bytes[..<ZipWriter.membersByteCount(Array(members[..<count]))]) }
        return try sandbox.write(bytes, to: name)
    }

    private func statuses(_ object: [String: Any]) -> [String: String] {
        let types = object["types"] as? [[String: Any]] ?? []
        return Dictionary(types.map { ($0["type"] as? String ?? "", $0["status"] as? String ?? "") }) { $1 }
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func aWholeXMLIsCompleteAndSupplementedLater(_ count: Int) throws {
        let sandbox = try Sandbox()
        let cut = try zip(Self.whole, in: sandbox, "cut.zip", cutBehind: count)
        let first = try sandbox.run("import", cut, "--json").expecting(0).object()
        let observation = try #require(first["observation"] as? [String: Any])
        #expect(observation["status"] as? String == "completed")
        #expect(statuses(first)["HKQuantityTypeIdentifierHeartRate"] == "completed")
        #expect(statuses(first)["HKWorkoutRouteTypeIdentifier"] == "incomplete")
        #expect((first["warnings"] as? [String])?.contains { $0.contains("no end record") } == true)
        let inspected = try sandbox.run("inspect", cut, "--json").expecting(0).object()
        #expect(statuses(inspected)["HKWorkoutRouteTypeIdentifier"] == "incomplete")
        #expect(
            (inspected["observation"] as? [String: Any])?["streamDigest"] as? String == observation["streamDigest"]
                as? String || count > 3)
        try sandbox.run("check", "--deep").expecting(0)

        let zip = try zip(Self.whole, in: sandbox, "whole.zip")
        let second = try sandbox.run("import", zip, "--json").expecting(0).object()
        #expect(second["supplemented"] as? Bool == true)
        #expect(Set(statuses(second).values) == ["completed"])
        #expect((second["warnings"] as? [String]) == [])
        #expect(try sandbox.run("import", zip, "--json").expecting(0).object()["supplemented"] as? Bool == false)
        #expect(try sandbox.run("import", cut, "--json").expecting(0).object()["supplemented"] as? Bool == false)
        try sandbox.run("check", "--deep").expecting(0)
        let direct = try Sandbox()
        try direct.run("import", zip).expecting(0)
        #expect(
            try sandbox.run("records", "--json").expecting(0).output
                == direct.run("records", "--json").expecting(0).output)
    }

    @Test func aCutXMLIsPartial() throws {
        let sandbox = try Sandbox()
        let bytes = ZipWriter.zip(Self.whole)
        let length = ZipWriter.membersByteCount([Self.whole[0]])
        for share in [0.5, 0.9] {
            let cut = try sandbox.write(Array(bytes[..<Int(Double(length) * share)]), to: "cut-\(share).zip")
            let answer = try sandbox.run("import", cut, "--json").expecting(3).object()
            let observation = try #require(answer["observation"] as? [String: Any])
            #expect(observation["status"] as? String == "partial")
            #expect((observation["stoppedAt"] as? [String: Any])?["reason"] as? String == "zip:17")
            #expect(try sandbox.run("import", cut, "--json").expecting(3).object()["alreadyImported"] as? Bool == true)
        }
        try sandbox.run("import", try zip(Self.whole, in: sandbox, "whole.zip")).expecting(0)
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// Of such a zip another number of bytes is read than it states; what is read is the same XML again.
    @Test func aDamagedXMLIsImportedOnce() throws {
        let sandbox = try Sandbox()
        var members = Self.whole
        members[0].sizeError = 5
        let damaged = try zip(members, in: sandbox, "damaged.zip")
        for isThere in [false, true] {
            let answer = try sandbox.run("import", damaged, "--json").expecting(3).object()
            #expect(answer["alreadyImported"] as? Bool == isThere)
            let observation = try #require(answer["observation"] as? [String: Any])
            #expect(observation["id"] as? Int == 1)
            #expect((observation["stoppedAt"] as? [String: Any])?["reason"] as? String == "zip:21")
        }
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// Whatever is wrong with the container and which comes first: the same XML is one observation, and whole when one is.
    @Test(arguments: [
        ["size", "whole"], ["whole", "size"], ["checksum", "whole"], ["whole", "checksum"], ["checksum", "size"],
        ["size", "xml"], ["xml", "size"], ["checksum", "xml"], ["longer", "xml"],
    ])
    func oneXMLIsOneObservation(_ order: [String]) throws {
        let sandbox = try Sandbox()
        let sizeErrors = ["size": -5, "longer": 5]
        let before = Self.members(day: 1, records: 40..<70, electrocardiograms: [1])
        try sandbox.run("import", zip(before, in: sandbox, "before.zip")).expecting(0)
        for name in order {
            var members = Self.members(day: 2, records: 50..<90, electrocardiograms: [1])
            let path: String
            if name == "xml" {
                path = try sandbox.write(members[0].content, to: "export.xml")
            } else {
                members[0].sizeError = sizeErrors[name] ?? 0
                members[0].checksumError = name == "checksum" ? 1 : 0
                path = try zip(members, in: sandbox, "\(name).zip")
            }
            try sandbox.run("import", path, "--exclude-type", "StepCount").expecting(0, 3)
            try sandbox.run("check", "--deep").expecting(0)
        }
        let isWhole = order.contains("whole") || order.contains("xml")
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()
        let observations = try #require(timeline["observations"] as? [[String: Any]])
        #expect(observations.map { $0["status"] as? String } == ["completed", isWhole ? "completed" : "partial"])
        let diff = try sandbox.run("diff", "--json").expecting(0).object()
        #expect((diff["totals"] as? [String: Any])?["disappeared"] as? Int == (isWhole ? 10 : 0))
    }

    /// Of one XML, in a whole zip with one ECG and in a zip that was cut off behind another one.
    @Test(arguments: [["whole", "cut"], ["cut", "whole"]])
    func whatACutZipHasBesideIsRead(_ order: [String]) throws {
        let sandbox = try Sandbox()
        let other = Self.members(day: 1, records: 50..<90, electrocardiograms: [3, 4])
        let paths = [
            "whole": try zip(Self.whole, in: sandbox, "whole.zip"),
            "cut": try zip(other, in: sandbox, "cut.zip", cutBehind: 2),
        ]
        for name in order { try sandbox.run("import", try #require(paths[name])).expecting(0) }
        let shown = try sandbox.run("show", "latest", "--json").expecting(0).object()
        let types = try #require(shown["types"] as? [[String: Any]])
        let type = types.first { $0["type"] as? String == "HKDataTypeIdentifierElectrocardiogram" }
        #expect(type?["visible"] as? Int == 3 && type?["status"] as? String == "completed")
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// A type that was left out is read from another container of the same XML, without the ECGs of the first.
    @Test(arguments: [true, false])
    func whatWasDamagedStaysSo(_ isDamagedFirst: Bool) throws {
        let sandbox = try Sandbox()
        var members = Self.whole
        members[2].checksumError = 1
        let damaged = try zip(members, in: sandbox, "damaged.zip")
        let bare = try sandbox.write(members[0].content, to: "export.xml")
        let before = Self.members(day: 0 + 1, records: 49..<90, electrocardiograms: [1, 2])
        try sandbox.run("import", zip(before, in: sandbox, "before.zip"), "--observed-at", "2024-04-01T00:00:00Z")
            .expecting(0)
        for path in isDamagedFirst ? [damaged, bare] : [bare, damaged] {
            let leftOut = path == damaged && isDamagedFirst ? ["--exclude-type", "HeartRate"] : []
            try sandbox.run(["import", path] + leftOut).expecting(0)
        }
        let shown = try sandbox.run("show", "latest", "--json").expecting(0).object()
        #expect(statuses(shown)["HKDataTypeIdentifierElectrocardiogram"] == "incomplete")
        #expect(statuses(shown)["HKQuantityTypeIdentifierHeartRate"] == "completed")
        let quarantine = try #require(shown["quarantine"] as? [[String: Any]])
        #expect(quarantine.map { $0["reason"] as? String } == ["unreadableElectrocardiogram"])
        try sandbox.run("check", "--deep").expecting(0)
    }

    /// Whatever comes first: ECGs behind the cut stay as they were, and in the end all is as without a cut.
    @Test(arguments: [["1", "cut", "2", "3"], ["cut", "1", "3", "2"], ["3", "cut", "1", "2"]])
    func anyOrderWithACut(_ order: [String]) throws {
        let later = Self.members(day: 2, records: 52..<95, electrocardiograms: [2, 3, 1])
        let last = Self.members(day: 3, records: 53..<99, electrocardiograms: [1, 2, 3])
        func imported(_ order: [String]) throws -> Sandbox {
            let sandbox = try Sandbox()
            let paths = [
                "1": try zip(Self.whole, in: sandbox, "1.zip"), "2": try zip(later, in: sandbox, "2.zip"),
                "cut": try zip(later, in: sandbox, "cut.zip", cutBehind: 3), "3": try zip(last, in: sandbox, "3.zip"),
            ]
            for name in order {
                try sandbox.run("import", try #require(paths[name])).expecting(0)
                try sandbox.run("check", "--deep").expecting(0)
            }
            return sandbox
        }
        let sandbox = try imported(order)
        let expected = try imported(["1", "2", "3"])
        for day in ["@2024-05-01", "@2024-05-02", "@2024-05-03"] {
            let records = try sandbox.run("records", "--at", day, "--json").expecting(0).output
            #expect(try records == expected.run("records", "--at", day, "--json").expecting(0).output, "\(day)")
        }
        let diff = try sandbox.run("diff", "@2024-05-01", "@2024-05-02", "--json").expecting(0).object()
        #expect((diff["totals"] as? [String: Any])?["disappeared"] as? Int == 2)
    }

    @Test func nothingLeftIsRefused() throws {
        let sandbox = try Sandbox()
        let cut = try sandbox.write(Array(ZipWriter.zip(Self.whole)[..<60]), to: "cut.zip")
        for command in ["inspect", "import"] {
            let failure = try #require(sandbox.run(command, cut, "--json").expecting(65).failure())
            #expect(failure["code"] as? String == "notAHealthExport")
            #expect((failure["message"] as? String)?.contains("cut off") == true)
        }
    }

    /// A stored member whose length stands behind it: where it ends is not known without the directory.
    @Test func storedXMLWithoutALengthIsRefused() throws {
        let sandbox = try Sandbox()
        var members = Self.whole
        members[0].isDeflated = false
        members[0].hasDataDescriptor = true
        let bytes = ZipWriter.zip(members)
        let cut = try sandbox.write(Array(bytes[..<(ZipWriter.membersByteCount([members[0]]) + 40)]), to: "cut.zip")
        for command in ["inspect", "import"] {
            let failure = try #require(sandbox.run(command, cut, "--json").expecting(65).failure())
            #expect(failure["code"] as? String == "notAHealthExport")
            #expect((failure["message"] as? String)?.contains("cut off") == true)
            #expect(failure["hint"] as? String == "Copy the zip again.")
        }
    }
}
