import Foundation
import SyntheticExportGenerator
import Testing
import TestSupport

/// A read that the system refuses says nothing of what is in a file: exit 74, never a finding about the file.
@Suite(
    "Failing reads", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"),
    .enabled(if: Strace.isPossible, "strace is not installed, or may not trace here"))
struct FailingReadTests {
    /// Runs a command while every call of one name that concerns a path fails.
    private func run(
        _ sandbox: Sandbox, _ arguments: [String], failing call: String = "read", of path: String, when: String = "1+"
    ) throws -> Answer {
        let options = [
            "-o", "/dev/null", "-P", path, "-e", "trace=\(call)", "-e", "inject=\(call):error=EIO:when=\(when)",
        ]
        return try sandbox.run(under: [Strace.path ?? "strace", "-f"] + options, arguments)
    }

    @Test func beforeTheRoot() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(Inputs.export("2024-05-01 12:00:00 +0200", ""), to: "export.xml")
        // The first read looks whether it is a zip, the second for the export's date.
        let answer = try run(sandbox, ["import", path, "--json"], of: path, when: "2+").expecting(74)
        #expect(answer.failure()?["code"] as? String == "inputOutput")
    }

    /// A folder that cannot be listed may hold anything.
    @Test func aFolderOfABag() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(
            Inputs.export("2024-05-01 12:00:00 +0200", Inputs.heartRate(60)), to: "export.xml")
        try sandbox.run("import", path).expecting(0)
        let bag = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", bag).expecting(0)
        let answer = try run(
            sandbox, ["verify-export", bag, "--json"], failing: "getdents64", of: bag + "/data"
        ).expecting(74)
        #expect(answer.failure()?["code"] as? String == "inputOutput")
        let file = try run(sandbox, ["verify-export", bag, "--json"], failing: "read", of: bag + "/bagit.txt")
        #expect(file.status == 74)
    }

    /// Neither a track nor an ECG is absent because it cannot be read.
    @Test(arguments: ["workout-routes/a.gpx", "electrocardiograms/a.csv"]) func sideFiles(name: String) throws {
        let sandbox = try Sandbox()
        let folder = try Self.folder(sandbox)
        try sandbox.run("inspect", folder).expecting(0)
        let answer = try run(sandbox, ["inspect", folder, "--json"], of: "\(folder)/\(name)").expecting(74)
        #expect(answer.failure()?["code"] as? String == "inputOutput")
    }

    /// Wherever in a zip the program can no longer go on: it is said, or nothing is missing.
    @Test(arguments: ["lseek", "newfstatat", "read"]) func placesInAZip(call: String) throws {
        let sandbox = try Sandbox()
        try Inputs.generate(records: 120, dumps: 1, form: .zip, into: sandbox.path("made"))
        let zip = sandbox.path("made/dump-1.zip")
        let undisturbed = try sandbox.run("inspect", zip, "--json").expecting(0).outputText
        var statuses: [Int32] = []
        for number in 1...12 {
            let answer = try run(sandbox, ["inspect", zip, "--json"], failing: call, of: zip, when: "\(number)+")
            // 66: where the system cannot tell what is at a path, nothing is.
            #expect(
                [66, 74].contains(answer.status) || answer.outputText == undisturbed, "\(number): \(answer.status)")
            statuses.append(answer.status)
        }
        #expect(statuses.contains(74))
    }

    @Test func anECGThatIsSought() throws {
        let sandbox = try Sandbox()
        let folder = try Self.folder(sandbox)
        try sandbox.run("import", folder).expecting(0)
        let ecg = try #require(
            try sandbox.run("records", "--type", "HKDataTypeIdentifierElectrocardiogram", "--json").expecting(0)
                .objects().first?["identity"] as? String)
        let file = folder + "/electrocardiograms/a.csv"
        try sandbox.run("locate", ecg, "--in", folder).expecting(0)
        try run(sandbox, ["locate", ecg, "--in", folder], of: file).expecting(74)
    }

    /// A kept source on a failing disk is no source that was changed.
    @Test func keptSources() throws {
        let sandbox = try Sandbox()
        let path = try sandbox.write(
            Inputs.export("2024-05-01 12:00:00 +0200", Inputs.heartRate(60)), to: "export.xml")
        try sandbox.run("import", path, "--keep-source", "copy").expecting(0)
        let sources = sandbox.archive + ".sources"
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: sources).first)
        try sandbox.run("check", "--sources").expecting(0)
        for when in ["1+", "2+", "3+"] {
            let answer = try run(sandbox, ["check", "--sources"], of: "\(sources)/\(kept)", when: when)
            #expect(answer.status == 74, "\(when)")
        }
    }

    /// An unpacked export with a route and an ECG.
    private static func folder(_ sandbox: Sandbox) throws -> String {
        for name in ["workout-routes", "electrocardiograms"] {
            try FileManager.default.createDirectory(
                atPath: sandbox.path("export/\(name)"), withIntermediateDirectories: true)
        }
        try sandbox.write(Inputs.export("2024-05-01 12:00:00 +0200", Inputs.heartRate(60)), to: "export/export.xml")
        try sandbox.write("<gpx><trk/></gpx>", to: "export/workout-routes/a.gpx")
        try sandbox.write(
            "Recorded Date,2024-01-01 08:00:00 +0000\nSample Rate,512 hertz\n\n1\n",
            to: "export/electrocardiograms/a.csv")
        return sandbox.path("export")
    }
}
