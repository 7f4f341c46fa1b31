package import Caching
internal import Foundation
internal import Presentation
package import Store

/// The local web interface of one archive: answers requests.
///
/// What writes to the archive is another run of the program, started by a form; the settings are the one file that is written
/// here.
///
/// Whether a person may ask is decided before: an answer holds health data.
package struct Site: Sendable {
    /// Opens the archive, or returns the connection of the calling thread.
    let archive: @Sendable () throws -> ArchiveReader
    /// Where the program looks for the archive's key.
    let keys: KeySearch
    /// The name of the zone in which pages show times that ask for no other.
    let timeZone: String?
    /// Whether what writes to the archive may not be started from pages.
    let isReadOnly: Bool
    /// What pages ask before they ask the archive; nil without a cache.
    let cache: PageCache?
    /// What pages have started; nil where nothing can be.
    package let jobs: JobQueue?
    /// Where exports go that a browser sends; nil where pages import nothing.
    let uploads: Uploads?
    /// Where the person's settings are; nil where pages have none.
    let settingsFile: SettingsFile?
    /// The differences that were listed last.
    let changeLists: ChangeLists
    /// What `basis` was when it was last read.
    let latestBasis = LatestBasis()

    package init(
        environment: [String: String], secretFile: String? = nil, timeZone: String? = nil, isReadOnly: Bool = true,
        cache: PageCache? = nil, jobs: JobQueue? = nil, uploads: Uploads? = nil,
        settingsFile: SettingsFile? = nil, changeLists: ChangeLists = ChangeLists(),
        archive: @escaping @Sendable () throws -> ArchiveReader
    ) {
        self.archive = archive
        keys = KeySearch(secretFile: secretFile, environment: environment)
        self.timeZone = timeZone
        self.isReadOnly = isReadOnly
        self.cache = cache
        self.jobs = jobs
        self.uploads = uploads
        self.settingsFile = settingsFile
        self.changeLists = changeLists
    }

    /// Where the program looks for remembered seals and settings.
    var environment: [String: String] { keys.environment }

    /// The settings; those of nobody where the file cannot be read, which the page of the settings says.
    var settings: Settings { (try? settingsFile?.read()) ?? Settings() }

    /// Whether a browser may send exports.
    var offersUpload: Bool { uploads != nil && !isReadOnly }

    /// Whether what commands do can be noted in the archive: its file and its folder take writing.
    var isArchiveWritable: Bool {
        guard let path = try? archive().path else { return false }
        let files = FileManager.default
        return files.isWritableFile(atPath: path)
            && files.isWritableFile(atPath: (path as NSString).deletingLastPathComponent)
    }

    /// In which zone a page shows times.
    ///
    /// - Throws: `WebError.usage` where the address names a zone that is none.
    func zone(_ address: Address) throws -> DisplayZone {
        if let name = address[.timeZone] {
            guard let zone = TimeZone(identifier: name) else {
                throw WebError(.usage, "time-zone takes a name like Europe/Bucharest.")
            }
            return DisplayZone(zone)
        }
        let usual = [timeZone, settings.timeZone].lazy.compactMap(\.self).compactMap { TimeZone(identifier: $0) }
        return DisplayZone(usual.first ?? .gmt)
    }

    /// Answers a request; never fails.
    package func answer(_ request: Request) -> Answer {
        do {
            guard Self.methods(of: request.path).contains(request.method) else {
                if request.method == .post, !Self.isPlain(request.path) { _ = try Address(path: request.path, []) }
                throw WebError(.methodNotAllowed)
            }
            if request.method == .post { return try post(request) }
            if let answer = try plainAnswer(request) { return answer }
            let address = try Address(path: request.path, request.parameters)
            switch address.page {
            case .upload:
                guard offersUpload else { throw WebError(.notFound) }
                return try frame(address).answer(ImportPage.content)
            case .help: return try frame(address).answer(HelpPage.content)
            case .more: return try read(address) { Frame($0).answer(MorePage.content($0)) }
            case .jobs, .job: return try JobsPages(site: self, address: address).answer(frame(address))
            case .settings: return try SettingsPage(site: self, address: address).answer(frame(address))
            default: return try read(address) { try answer($0) }
            }
        } catch let redirection as Visit.Redirection {
            return .redirection(redirection.address)
        } catch {
            return answer(WebError(error), to: request)
        }
    }

    /// Answers a request on a thread of a lane; one that fails after its deadline took too long.
    package func answer(_ request: Request, _ deadline: Deadline) -> Answer {
        let answer = answer(request)
        return answer.status == 500 && deadline.isOver ? self.answer(WebError(.timeLimit), to: request) : answer
    }

    /// What is known of a comparison that is being computed: the counts where its sides are neighbours, else nothing.
    func knownPart(ofComparison request: Request) -> [HTML] {
        let address = try? Address(path: request.path, request.parameters)
        return address.flatMap { try? read($0) { try DiffPage(visit: $0).knownPart() } } ?? []
    }

    private func answer(_ visit: Visit) throws -> Answer {
        let page = try visit.page()
        guard visit.address.form == .page else { return try page.twin(visit.address.form) }
        return try page.page()
    }

    /// Reads one state of the archive.
    func read<R>(_ address: Address, _ body: (Visit) throws -> R) throws -> R {
        let reader = try archive()
        return try reader.read { db in try body(Visit(self, reader, db, address)) }
    }

    /// The methods that a path takes, whether there is such a page or not.
    private static func methods(of path: String) -> [Request.Method] {
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        if path == "/logout" || words.count == 4 && words[1] == "jobs" && words[3] == "cancel" { return [.post] }
        let hasForm = ["/settings", "/jobs", "/export", Uploads.path, "/login"].contains(path)
        return [.get, .head] + (hasForm ? [.post] : [])
    }

    /// Whether a path takes no parameters and is no page: the site's own files, and what open pages ask for.
    private static func isPlain(_ path: String) -> Bool {
        path == StatePage.path || StaticFile.all.contains { $0.path == path }
    }

    private func plainAnswer(_ request: Request) throws -> Answer? {
        guard Self.isPlain(request.path) else { return nil }
        guard request.given.isEmpty else { throw WebError(.usage) }
        if let file = StaticFile.all.first(where: { $0.path == request.path }) { return file.answer }
        let reader = try archive()
        return .json(try reader.read { try StatePage($0, path: reader.path) }.line)
    }

    /// What a form does.
    private func post(_ request: Request) throws -> Answer {
        switch request.path {
        case "/settings": return try saveSettings(request)
        case "/jobs": return try startJob(request)
        case "/export":
            let jobs = try startable()
            // The form of a page has how the page looks, too.
            let fields = request.form.filter { field in !Address.display.contains { $0.rawValue == field.name } }
            let given = try Address(path: "/export.json", request.parameters + fields)
            // Its chain is for those who chose no observation.
            let address = Visit.namesID(given) ? given.with(.chain, nil) : given
            guard address[.kind] != nil else { throw WebError(.usage, "An export needs a kind.") }
            return try read(address) { try ExportDownload(ExportPage($0)) }.answer(jobs) { [self] error in
                answer(error, to: request)
            }
        default: break
        }
        let words = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 4 else { throw WebError(.notFound) }
        return try cancelJob(String(words[2]), request)
    }

    /// What is around a page that says that another one is being computed.
    var plainFrame: Frame { Frame(settings: settings, failedChecks: failedChecks) }

    /// What is around a page that needs no archive: what is known of one that is there.
    private func frame(_ address: Address) throws -> Frame {
        Frame(address, try zone(address), settings: settings, failedChecks: failedChecks)
    }

    /// The invariants that the last check found broken; none, too, where there is no archive to ask.
    var failedChecks: [String] { (try? archive().read { try ArchiveIdentity.read($0).failedChecks }) ?? [] }

    /// What a page offers whose address asks for something that there is not.
    private static func ways(from page: Page) -> [HTML] {
        var parts: [HTML] = []
        if page == .day {
            let field = HTML.element(
                "label", [:], .element("span", [:], "Day"),
                .void("input", ["name": "date", "placeholder": "2024-05-01", "required": ""]))
            parts.append(
                .element("form", ["action": Address(.day).text], field, .element("button", [:], "Show")))
        }
        let links: [(name: String, address: Address)] =
            switch page {
            case .export: [("Choose what to export", Address(.export))]
            case .workout: [("Choose a workout", Address(.workouts))]
            case .type: [("Choose a kind", Address(.types))]
            case .day: [("The day of the latest export", Address(.day)), ("All days", Address(.metrics))]
            default: [("This page without what was asked for", Address(page))]
            }
        return parts + [Steps.links(links + [("Home", Address(.home))])]
    }

    /// The answer to a request that is refused, for people or for programs.
    package func answer(_ error: WebError, to request: Request) -> Answer {
        var answer: Answer
        if request.isForProgram {
            answer = .json(error.json, error.reason.status)
        } else {
            let hint = HTML.element("p", [:], HTML(error.hint))
            var parts = error.reason == .noArchive ? FirstSteps.html(self) : [hint]
            if let page = request.page,
                [.usage, .ambiguousWorkout, .unknownObservation, .unknownWorkout].contains(error.reason)
            {
                parts += Self.ways(from: page)
            }
            let isDamaged = error.reason == .archiveDamaged
            answer = Frame(settings: settings, failedChecks: failedChecks, isDamaged: isDamaged).answer(
                PageContent(error.message, parts, status: error.reason.status))
        }
        switch error.reason {
        case .methodNotAllowed:
            let methods = Self.methods(of: request.path).map(\.rawValue)
            answer.headers.append(("allow", methods.joined(separator: ", ")))
        case .busy: answer.headers.append(("retry-after", "1"))
        default: break
        }
        return answer
    }
}
