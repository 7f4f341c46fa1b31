import Foundation
import Store
import TestSupport
import Web

/// The archive of a scenario, with the site and the program that answer about it.
final class WebArchive {
    let sandbox: Sandbox
    let site: Site
    let reader: ArchiveReader
    /// What the programs that pages start do.
    let script: FakeProgram.Script
    let jobs: JobQueue

    /// Imports what the scenario of a name in `SyntheticExports` imports.
    ///
    /// - Throws: `TestSupport.Failure` where an import fails.
    init(_ scenario: String) throws {
        sandbox = try Sandbox(scenario)
        let folder = TestSupport.repository.appendingPathComponent("SyntheticExports/\(scenario)")
        let exports = folder.appendingPathComponent("exports").path
        var imports = try FileManager.default.contentsOfDirectory(atPath: exports).sorted().map { [$0] }
        if let data = try? Data(contentsOf: folder.appendingPathComponent("scenario.json")),
            let plan = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let listed = plan["imports"] as? [[String: Any]]
        {
            imports = listed.compactMap { step in
                (step["export"] as? String).map { [$0] + (step["arguments"] as? [String] ?? []) }
            }
        }
        for step in imports {
            try sandbox.run(["import", "\(exports)/\(step[0])", "--json"] + step.dropFirst()).expecting(0, 3)
        }
        let reader = try ArchiveReader(path: sandbox.archive)
        self.reader = reader
        let environment = ["XDG_DATA_HOME": sandbox.folder + "/data", "HOME": sandbox.folder]
        let program = FakeProgram.Script()
        script = program
        jobs = JobQueue(base: ["--archive", sandbox.archive], now: { 1_700_000_000 }) { FakeProgram($0, program) }
        site = Site(
            environment: environment, isReadOnly: false, jobs: jobs, settingsFile: SettingsFile(environment)
        ) { reader }
    }

    /// An archive that is there already.
    init(path: String) throws {
        sandbox = try Sandbox("there")
        let reader = try ArchiveReader(path: path)
        self.reader = reader
        let program = FakeProgram.Script()
        script = program
        jobs = JobQueue(base: [], now: { 0 }) { FakeProgram($0, program) }
        site = Site(environment: ProcessInfo.processInfo.environment) { reader }
    }

    deinit { reader.close() }

    /// The site with the setting of short pages.
    func short() throws -> Site {
        let environment = [
            "XDG_DATA_HOME": sandbox.folder + "/data", "XDG_CONFIG_HOME": sandbox.folder + "/short",
        ]
        var settings = Settings()
        settings.isSimple = true
        let file = SettingsFile(environment)
        try file.write(settings)
        return Site(environment: environment, settingsFile: file) { [reader] in reader }
    }

    /// Answers a URL of the site.
    func get(_ url: String) throws -> Reply { try get(url, site) }

    /// Answers a URL of another site of the same archive.
    func get(_ url: String, _ site: Site) throws -> Reply {
        let (path, query) = AddressTests.split(url)
        guard let parameters = PercentEncoding.pairs(query) else {
            throw TestSupport.Failure("\(url) is no address")
        }
        return try Reply(site.answer(Request(.get, path, parameters)))
    }

    /// Posts a form.
    func post(_ path: String, _ form: [Request.Parameter]) -> Web.Answer {
        let answer = site.answer(Request(.post, path, form: form))
        if case .later(let wait, _) = answer.body { return wait() }
        return answer
    }

    /// An answer with its whole body.
    struct Reply {
        var status: Int
        var headers: [(name: String, value: String)]
        var bytes: [UInt8]

        init(_ given: Web.Answer) throws {
            var answer = given
            if case .later(let wait, _) = given.body { answer = wait() }
            (status, headers, bytes) = (answer.status, answer.headers, [])
            switch answer.body {
            case .bytes(let all): bytes = all
            case .stream(let write):
                var all: [UInt8] = []
                try write { all += $0 }
                bytes = all
            case .later: break
            }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        subscript(_ header: String) -> String? { headers.first { $0.name == header }?.value }
    }
}
