import Foundation
import Store
import Testing
import TestSupport
import Web

/// The page that makes an export: what it shows is what is downloaded.
@Suite("Export page", .enabled(if: BuiltProgram.isExpected))
struct ExportPageTests {
    /// The page behind all redirections, with its address.
    private static func open(_ url: String, _ archive: WebArchive) throws -> (url: String, text: String) {
        var url = url
        for _ in 0..<5 {
            let reply = try archive.get(url)
            guard reply.status == 302, let next = reply["location"] else {
                #expect(reply.status == 200, "\(url): \(reply.status)")
                return (url, reply.text)
            }
            url = next
        }
        throw TestSupport.Failure("\(url) leads on and on")
    }

    @Test(arguments: [
        ("kind=records", "kind=records&at=2", "--at 2"), ("kind=types&at=latest~1", "kind=types&at=1", "--at 1"),
        ("kind=manifest", "kind=manifest&at=2", "--at 2"), ("kind=diff", "kind=diff&from=1&to=2", "--from 1 --to 2"),
        ("kind=selection", "kind=selection&from=1&to=2&change=unexplained", "--from 1 --to 2"),
        ("kind=xml&at=1", "kind=xml&at=1", "--at 1"),
        ("kind=xml&from=first", "kind=xml&from=1&to=2", "--from 1 --to 2"),
    ])
    func aPreviewIsOfObservationsByTheirIDs(query: String, named: String, options: String) throws {
        let archive = try WebArchive("unit-switch")
        let (url, page) = try Self.open("/export?\(query)", archive)
        #expect(url == "/export?\(named)")
        #expect(page.contains(options))
        let download = try #require(page.firstMatch(of: /(?s)<form method="post" action="\/export">.*?<\/form>/)).output
        for pair in named.split(separator: "&") {
            let sides = pair.split(separator: "=")
            #expect(download.contains("name=\"\(sides[0])\" value=\"\(sides[1])\""), "\(pair)")
        }
        // It can be had without waiting for a preview.
        #expect(try archive.get("/export").text.contains("formmethod=\"post\" formaction=\"/export\""))
    }

    @Test func theFormMayBeSentForAnotherKind() throws {
        let archive = try WebArchive("unit-switch")
        #expect(try Self.open("/export?kind=diff&at=2", archive).url == "/export?kind=diff&from=1&to=2")
        #expect(try Self.open("/export?kind=records&from=1&to=2", archive).url == "/export?kind=records&at=2")
        #expect(
            try Self.open("/export?kind=manifest&at=2&since=2024-05-01&type=x", archive).url
                == "/export?kind=manifest&at=2")
        #expect(try archive.get("/export.json?kind=records&from=1&to=2").status == 400)
        let page = try Self.open("/export?kind=diff", archive).text
        #expect(page.contains("name=\"through\"") && !page.contains("name=\"at\""))
        // How the page looks is nothing of the export.
        archive.script.set { $0.output = [[1]] }
        let fields = [("kind", "types"), ("at", "2"), ("time-zone", "UTC")]
        #expect(archive.post("/export", fields.map { .init($0.0, $0.1) }).status == 200)
    }

    @Test func aRefusalLeadsBackToTheForm() throws {
        let archive = try WebArchive("unit-switch")
        for url in ["/export?kind=other", "/export?kind=records&at=1&from=2", "/export?kind=records&at=99"] {
            #expect(try archive.get(url).text.contains("<a href=\"/export\">Choose what to export</a>"), "\(url)")
        }
        #expect(!(try archive.get("/records?at=99").text.contains("Choose what to export")))
        #expect(try archive.get("/exports").text.contains("<a href=\"/export\">Take out something else</a>"))
        #expect(try archive.get("/timeline").text.contains("<a href=\"/export\">Take out</a>"))
    }

    @Test func aServerThatOnlyReadsRecordsNothing() throws {
        let archive = try WebArchive("unit-switch")
        let (reader, jobs) = (archive.reader, archive.jobs)
        let site = Site(environment: ["XDG_DATA_HOME": archive.sandbox.folder + "/data"], isReadOnly: true, jobs: jobs)
        { reader }
        let page = try archive.get("/export?kind=types&at=2", site).text
        #expect(page.contains("Not recorded: this server is read-only") && !page.contains("formaction"))
        #expect(try archive.get("/export?kind=types&at=2").text.contains("Both record the export in the archive."))
    }

    @Test(.enabled(if: Mount.isPossible)) func aReadOnlyFolderRecordsNothing() throws {
        let archive = try WebArchive("unit-switch")
        let folder = URL(fileURLWithPath: archive.sandbox.archive).deletingLastPathComponent().path
        let mount = try Mount(readOnly: folder, at: archive.sandbox.path("medium"))
        let path = archive.sandbox.path("medium/archive.sqlite")
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        let jobs = archive.jobs
        let site = Site(
            environment: ["XDG_DATA_HOME": archive.sandbox.folder + "/data"], isReadOnly: false, jobs: jobs,
            uploads: Uploads(archive: path, cache: "off", jobs: jobs)
        ) { reader }
        #expect(
            try archive.get("/export?kind=types&at=2", site).text.contains("Not recorded: the archive or its folder"))
        #expect(
            try archive.get("/health", site).text.contains("checks and exports can be made, and are not recorded"))
        for (job, kind, what) in [(1, "check", "check is not in its log"), (2, "analyse", "analysis is not kept")] {
            #expect(site.answer(Request(.post, "/jobs", form: [.init("kind", kind)])).status == 303)
            var page = ""
            let end = ContinuousClock.now + .seconds(60)
            while !page.contains("<dd>done</dd>"), .now < end {
                page = try archive.get("/jobs/\(job)", site).text
                usleep(2000)
            }
            #expect(page.contains("so this \(what)"))
        }
        let upload = #expect(throws: WebError.self) {
            try site.upload(Request(.post, "/import", [.init("name", "a.zip")]), byteCount: 10)
        }
        #expect(upload?.message.contains("cannot be written to") == true, "\(String(describing: upload))")
        // Without its name, the archive would be removed after its last use, under the mount.
        withExtendedLifetime((mount, archive)) {}
    }
}
