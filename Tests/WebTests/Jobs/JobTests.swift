import Foundation
import Synchronization
import Testing
import TestSupport
import Web

private typealias Field = Request.Parameter

/// What pages start: one job after the other, with what it says and answers.
@Suite("Jobs", .enabled(if: BuiltProgram.isExpected))
struct JobTests {
    private func location(_ answer: Web.Answer) -> String? { answer.headers.first { $0.name == "location" }?.value }

    /// The object of a job once it is over.
    private func finished(_ archive: WebArchive, _ path: String) throws -> [String: Any] {
        for _ in 0..<2000 {
            let reply = try archive.get(path + ".json")
            let object = try #require(try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any])
            if let state = object["state"] as? String, !["queued", "running"].contains(state) { return object }
            usleep(2000)
        }
        throw TestSupport.Failure("\(path) does not end")
    }

    @Test func aCheckIsACommandWithItsAnswer() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set {
            $0.output = [Array(#"{"schema":"healthprobe.check/1","healthy":true}"#.utf8), Array("\n".utf8)]
            $0.messages = """
                {"progress":{"label":"Checking: A01","fraction":null}}
                {"progress":{"label":"Checking: A01","fraction":0.5}}
                {"error":{"code":"x","message":"Something.","hint":"Do it."}}
                plain
                """
        }
        let answer = archive.post("/jobs", [Field("kind", "check"), Field("deep", "1")])
        #expect(answer.status == 303)
        let path = try #require(location(answer))
        #expect(path == "/jobs/1")
        let job = try finished(archive, path)
        #expect(try JSONSchema("web-job").complaints(job) == [])
        #expect(job["schema"] as? String == "healthprobe.job/1")
        #expect(job["id"] as? String == "1" && job["state"] as? String == "done" && job["exitCode"] as? Int == 0)
        #expect(job["arguments"] as? [String] == ["check", "--deep", "--json"])
        #expect(job["messages"] as? [String] == ["Checking: A01", "Something. Do it.", "plain"])
        #expect((job["result"] as? [String: Any])?["healthy"] as? Bool == true)
        #expect(job["startedAt"] as? String == "2023-11-14T22:13:20.000Z")
        #expect(archive.script.commands == [["check", "--deep", "--json", "--archive", archive.sandbox.archive]])
        let page = try archive.get(path)
        #expect(page.status == 200 && page["refresh"] == nil && page.text.contains("<a href=\"/jobs/1.json\">"))
        try PageCheck.wellFormed(page.text, archive.sandbox, path)
        #expect(try archive.get("/jobs").text.contains("href=\"/jobs/1\""))
        #expect(try archive.get("/jobs.json").text.hasPrefix(#"{"schema":"healthprobe.jobs/1","jobs":[{"id":"1""#))
        #expect(try archive.get("/jobs/2").status == 404)
    }

    @Test func aCommandThatFailsIsAFailedJob() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set {
            $0.exitCode = 75
            $0.messages = #"{"error":{"code":"archiveInUse","message":"In use.","hint":"Wait."}}"#
        }
        let job = try finished(archive, try #require(location(archive.post("/jobs", [Field("kind", "rebuildCache")]))))
        #expect(job["state"] as? String == "failed" && job["exitCode"] as? Int == 75)
        #expect(job["messages"] as? [String] == ["In use. Wait."])
        #expect(job["result"] is NSNull)
    }

    @Test func anAnalysisNamesItsObservations() throws {
        let archive = try WebArchive("first-and-unchanged")
        let form: [Request.Parameter] = [Field("kind", "analyse"), Field("from", "1"), Field("to", "2")]
        _ = try finished(archive, try #require(location(archive.post("/jobs", form))))
        #expect(
            archive.script.commands.first?.prefix(5) == ["consolidation", "1", "2", "--chain=default", "--json"])
    }

    @Test func aChainMayBeginWithAHyphen() throws {
        let archive = try WebArchive("first-and-unchanged")
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/first-and-unchanged/exports").path
        let names = try FileManager.default.contentsOfDirectory(atPath: exports).sorted()
        try archive.sandbox.run(["import", "--chain=-x"] + names.map { "\(exports)/\($0)" }).expecting(0)
        let form: [Request.Parameter] = [Field("kind", "analyse"), Field("from", "3"), Field("to", "4")]
        _ = try finished(archive, try #require(location(archive.post("/jobs", form))))
        // The form has the chain, too, for those who choose no observation.
        for fields in [[Field("at", "3")], [Field("at", "3"), Field("chain", "-x")], [Field("chain", "-x")]] {
            _ = archive.post("/export", [Field("kind", "types")] + fields)
        }
        #expect(archive.script.commands.count == 4)
        for command in archive.script.commands { #expect(command.contains("--chain=-x"), "\(command)") }
    }

    @Test(arguments: [
        "kind=import", "", "kind=check&deep=yes", "kind=check&kind=check", "kind=check&other=1",
        "kind=analyse&from=2&to=1", "kind=rebuildCache&deep=1",
    ])
    func otherFormsAreRefused(form: String) throws {
        let archive = try WebArchive("first-and-unchanged")
        #expect(archive.post("/jobs", try #require(PercentEncoding.pairs(form))).status == 400)
        #expect(archive.script.commands.isEmpty)
    }

    @Test func oneRunsSixteenWaitAndTheyCanBeEnded() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set { $0.isEndless = true }
        let first = try #require(location(archive.post("/jobs", [Field("kind", "check")])))
        while archive.script.commands.isEmpty { usleep(2000) }
        #expect(try archive.get(first)["refresh"] == "2")
        for _ in 0..<16 { #expect(archive.post("/jobs", [Field("kind", "check")]).status == 303) }
        #expect(archive.post("/jobs", [Field("kind", "check")]).status == 429)
        #expect(archive.script.commands.count == 1)
        #expect(archive.post("/jobs/17/cancel", []).status == 303)
        #expect(try archive.get("/jobs/17.json").text.contains(#""state":"cancelled""#))
        for id in 1...16 { _ = archive.post("/jobs/\(id)/cancel", []) }
        #expect(try finished(archive, first)["state"] as? String == "cancelled")
        #expect(archive.post("/jobs/99/cancel", []).status == 404)
        #expect(try archive.get("/jobs/1/cancel").status == 405)
        archive.jobs.endAll()
    }

    @Test func thePageOfAnImportHasNoPathOfACopyThatIsGone() throws {
        let archive = try WebArchive("first-and-unchanged")
        let (reader, jobs) = (archive.reader, archive.jobs)
        let uploads = Uploads(archive: archive.sandbox.archive, cache: "off", jobs: jobs)
        let site = Site(environment: [:], isReadOnly: false, jobs: jobs, uploads: uploads) { reader }
        let upload = try #require(try site.upload(Request(.post, "/import", [.init("name", "a.zip")]), byteCount: 2))
        try upload.write([1, 2])
        #expect(try upload.finish().status == 303)
        let page = try archive.get("/jobs/1").text
        #expect(page.contains("healthprobe import FILE --source-name=a.zip --cache off --json"))
        #expect(!page.contains("upload-"))
        _ = try finished(archive, "/jobs/1")
        // SQLite has its temporary files there as long as the server runs.
        let folder = "\(archive.sandbox.archive).tmp-\(getpid())"
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder) == [])
        uploads.close()
        #expect(!files.fileExists(atPath: folder))
    }

    @Test func aServerThatOnlyReadsStartsNothing() throws {
        let archive = try WebArchive("first-and-unchanged")
        let (reader, jobs) = (archive.reader, archive.jobs)
        let site = Site(environment: [:], isReadOnly: true, jobs: jobs) { reader }
        for path in ["/jobs", "/export", "/jobs/1/cancel"] {
            #expect(site.answer(Request(.post, path, form: [Field("kind", "check")])).status == 403, "\(path)")
        }
        #expect(archive.script.commands.isEmpty)
    }

    @Test func anExportIsThePiecesOfTheCommand() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set { $0.output = [[1, 2], [3]] }
        let answer = archive.post(
            "/export",
            [Field("kind", "records"), Field("at", "latest"), Field("type", "HeartRate"), Field("provenance", "none")])
        #expect(answer.status == 200)
        #expect(answer.headers.contains { $0 == ("content-disposition", "attachment; filename=\"records-2.zip\"") })
        guard case .stream(let body) = answer.body else { throw TestSupport.Failure("no stream") }
        var bytes: [UInt8] = []
        try body { bytes += $0 }
        #expect(bytes == [1, 2, 3])
        #expect(
            archive.script.commands == [
                [
                    "export", "records", "--at", "2", "--type", "HeartRate", "--provenance", "none", "--chain",
                    "default", "--output", "-", "--json", "--quiet", "--archive", archive.sandbox.archive,
                ]
            ])
    }

    @Test func anExportThatFailsIsCut() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set {
            $0.output = [[1]]
            $0.exitCode = 74
        }
        let answer = archive.post("/export", [Field("kind", "diff")])
        guard case .stream(let body) = answer.body else { throw TestSupport.Failure("no stream") }
        #expect(throws: WebError.self) { try body { _ in } }
        #expect(archive.script.commands[0].contains("--from"))
        // One whose reader is gone is ended.
        struct Gone: Error {}
        archive.script.set { $0.exitCode = 0 }
        guard case .stream(let other) = archive.post("/export", [Field("kind", "xml")]).body else {
            throw TestSupport.Failure("no stream")
        }
        #expect(throws: Gone.self) { try other { _ in throw Gone() } }
        #expect(archive.script.contents.withLock { $0.ended } == 1)
        #expect(archive.script.commands[1].contains("--zip"))
    }

    @Test func anAnswerBesideAnExportHoldsNothingUp() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set {
            $0.output = [[1], [2]]
            $0.messages = String(repeating: "x", count: 200_000)
            $0.hasFullPipe = true
        }
        guard case .stream(let body) = archive.post("/export", [Field("kind", "xml")]).body else {
            throw TestSupport.Failure("no stream")
        }
        let start = ContinuousClock.now
        var bytes: [UInt8] = []
        try body { bytes += $0 }
        #expect(bytes == [1, 2] && ContinuousClock.now - start < .seconds(5))
    }

    @Test func whatACommandRefusesBeforeItsFirstByteIsRefused() throws {
        let archive = try WebArchive("first-and-unchanged")
        archive.script.set {
            $0.exitCode = 75
            $0.messages = #"{"error":{"code":"archiveInUse","message":"xyzzy","hint":"xyzzy"}}"# + "\n"
        }
        let answer = archive.post("/export", [Field("kind", "records")])
        #expect(answer.status == 409)
        for form in ["kind=other", "", "kind=records&from=1", "kind=records&x=1"] {
            #expect(archive.post("/export", try #require(PercentEncoding.pairs(form))).status == 400)
        }
        #expect(archive.post("/export", [Field("kind", "records"), Field("at", "99")]).status == 404)
    }
}
