internal import Foundation
internal import Testing
internal import TestSupport

/// `export workout` and `export workouts`.
extension WorkoutCommandTests {
    @Test("files for other tools, or the queries behind them")
    func files() throws {
        let sandbox = try sandbox()
        let file = sandbox.path("output/run.tcx")
        let question = ["export", "workout", "latest", "--format", "tcx", "--output", file, "--show-sql", "--json"]
        #expect((try sandbox.run(question).expecting(0).object()["queries"] as? [Any])?.isEmpty == false)
        #expect(!FileManager.default.fileExists(atPath: file))
        try sandbox.run("export", "workout", "latest", "--at", "1", "--format", "tcx", "--output", file).expecting(0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.components(separatedBy: "<Lap ").count == 7)
        #expect(text.components(separatedBy: "<Trackpoint>").count == 182)
        #expect(text.contains("<HeartRateBpm><Value>170</Value></HeartRateBpm>"))
        #expect(text.contains("<TotalTimeSeconds>300</TotalTimeSeconds>\n    <DistanceMeters>1000</DistanceMeters>"))
        try sandbox.run("export", "workout", "latest", "--format", "tcx", "--output", file).expecting(73)
        let finest = try sandbox.run(
            "export", "workout", "latest", "--state", "finest", "--format", "csv", "--output", "-"
        ).expecting(0).outputText
        #expect(
            finest
                == (try sandbox.run("export", "workout", "latest", "--at", "1", "--format", "csv", "--output", "-")
                    .outputText))
        let refused = try sandbox.run("export", "workout", "latest", "--format", "gpx", "--output", "-", "--json")
            .expecting(65)
        #expect(refused.errorText.contains("noRoute"))
    }

    @Test("all workouts as files with an index, in a folder or a zip")
    func folder() throws {
        let sandbox = try sandbox()
        let folder = sandbox.path("output/runs")
        let command = ["export", "workouts", "--state", "finest", "--format", "csv", "--output"]
        let answer = try sandbox.run(command + [folder, "--json"]).expecting(0).object()
        #expect(answer["workouts"] as? Int == 1 && answer["withoutFile"] as? Int == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["2024-01-10_1800_Running.csv", "index.csv"])
        let one = try sandbox.run(
            "export", "workout", "latest", "--state", "finest", "--format", "csv", "--output", "-")
        #expect(try String(contentsOfFile: folder + "/" + names[0], encoding: .utf8) == one.outputText)
        let index = try String(contentsOfFile: folder + "/index.csv", encoding: .utf8)
        #expect(
            index.contains("HKWorkoutActivityTypeRunning,2024-01-10T17:00:00.000Z") && index.contains("Anna’s Watch"))
        try sandbox.run(command + [folder]).expecting(73)
        try sandbox.write("a note", to: "output/runs/note.txt")
        try sandbox.run(command + [folder, "--force"]).expecting(73)
        try FileManager.default.removeItem(atPath: folder + "/note.txt")
        let again = try sandbox.run(command + [folder, "--force"]).expecting(0)
        #expect(again.outputText.hasSuffix("--provenance hashed makes pseudonyms of them.\n"))
        try sandbox.run(command + [folder + ".zip", "--provenance", "hashed"]).expecting(0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + ".zip")).starts(with: [0x50, 0x4B, 3, 4]))
        let bare = sandbox.path("output/routes")
        let none = try sandbox.run(
            "export", "workouts", "--format", "gpx", "--output", bare, "--provenance", "none", "--json"
        ).expecting(0).object()
        #expect(none["withoutFile"] as? Int == 1)
        #expect(try !String(contentsOfFile: bare + "/index.csv", encoding: .utf8).contains("Anna"))
        let nothing = try sandbox.run(
            "export", "workouts", "--type", "Cycling", "--format", "tcx", "--output", sandbox.path("none"), "--json")
        #expect(try nothing.expecting(0).object()["workouts"] as? Int == 0)
    }
}
