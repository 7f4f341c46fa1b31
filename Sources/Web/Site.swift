package import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
package import Caching
internal import Foundation
internal import HealthMetrics
internal import HealthModel
internal import Presentation
internal import TextFormats
internal import WorkoutReading

/// The local web interface of one archive: answers requests.
///
/// What writes to the archive is another run of the program, started by a form; the settings are the one file that is written
/// here.
///
/// Whether a person may ask is decided before: an answer holds health data.
package struct Site: Sendable {
    /// Opens the archive, or returns the connection of the calling thread.
    let archive: @Sendable () throws -> ArchiveReader
    /// Where the program looks for keys and remembered seals.
    let environment: [String: String]
    /// The archive's key, if it is not in the data folder.
    let secretFile: String?
    /// The name of the zone in which pages show times that ask for no other.
    let timeZone: String?
    /// Whether pages are short where they are asked for nothing else.
    let isSimple: Bool
    /// Whether what writes to the archive may not be started from pages.
    let isReadOnly: Bool
    /// What pages ask before they ask the archive; nil without a cache.
    let cache: PageCache?
    /// What pages have started; nil where nothing can be.
    let jobs: JobQueue?
    /// Where exports go that a browser sends; nil where pages import nothing.
    let uploads: Uploads?
    /// Where the person's settings are; nil where pages have none.
    let settingsFile: SettingsFile?

    package init(
        environment: [String: String], secretFile: String? = nil, timeZone: String? = nil, isSimple: Bool = false,
        isReadOnly: Bool = true, cache: PageCache? = nil, jobs: JobQueue? = nil, uploads: Uploads? = nil,
        settingsFile: SettingsFile? = nil,
        archive: @escaping @Sendable () throws -> ArchiveReader
    ) {
        self.archive = archive
        self.environment = environment
        self.secretFile = secretFile
        self.timeZone = timeZone
        self.isSimple = isSimple
        self.isReadOnly = isReadOnly
        self.cache = cache
        self.jobs = jobs
        self.uploads = uploads
        self.settingsFile = settingsFile
    }

    /// The settings; those of nobody where the file cannot be read, which the page of the settings says.
    var settings: Settings { (try? settingsFile?.read()) ?? Settings() }

    /// In which zone a page shows times.
    func zone(_ address: Address) -> DisplayZone {
        let names = [address[.timeZone], timeZone, settings.timeZone]
        return DisplayZone(names.lazy.compactMap(\.self).compactMap { TimeZone(identifier: $0) }.first ?? .gmt)
    }

    /// Answers a request; never fails.
    package func answer(_ request: Request) -> Answer {
        if let file = StaticFile.all.first(where: { $0.path == request.path }) { return file.answer }
        do {
            if request.path == "/" { return .redirection(Address(.timeline), status: 303) }
            if request.method == .post { return try post(request) }
            if request.path == StatePage.path { return try state(request) }
            let address = try Address(path: request.path, request.parameters)
            switch address.page {
            case .upload:
                guard uploads != nil, !isReadOnly else { throw WebError(.notFound) }
                return .html(200, frame(address).text(ImportPage.content))
            case .help: return .html(200, frame(address).text(HelpPage.content))
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

    /// Answers a request on a thread of a lane.
    ///
    /// - Parameter isLate: whether the time of the lane is over, and that is why an answer failed.
    package func answer(_ request: Request, isLate: () -> Bool) -> Answer {
        let answer = answer(request)
        return answer.status == 500 && isLate() ? self.answer(WebError(.timeLimit), to: request) : answer
    }

    private func answer(_ visit: Visit) throws -> Answer {
        let page = try visit.page()
        guard visit.address.form == .page else { return try page.twin(visit.address.form) }
        return try page.page()
    }

    /// All that answers about a chain are made from: the state of the archive and of its files, which somebody may edit, the
    /// days that the cache is made of, whether an import writes, and what the person has set; nil where it cannot be read.
    var basis: String? {
        try? archive().read { db in
            let path = try self.archive().path
            let archive = try ArchiveStamp.read(db, secretFile: secretFile, environment: environment)
            let files = ArchiveStamp.files([path, path + "-wal"])
            let state = try StatePage(db, path: path).line
            let settings = settings
            let athlete = try? AthleteSettings.read(nil, environment: environment).sha256
            return JSON.array(
                [.string(archive), state, .optional(athlete), .optional(cache?.storedDays)] + files.map { .optional($0) }
                    + Settings.Key.allCases.map { settings[$0] }
            ).canonicalText
        }
    }

    /// Reads one state of the archive.
    func read<R>(_ address: Address, _ body: (Visit) throws -> R) throws -> R {
        let reader = try archive()
        return try reader.read { db in try body(Visit(self, reader, db, address)) }
    }

    /// What a form does.
    ///
    /// - Throws: `WebError`: `methodNotAllowed` for pages without one.
    private func post(_ request: Request) throws -> Answer {
        switch request.path {
        case "/settings": return try saveSettings(request)
        case "/jobs": return try startJob(request)
        case "/export":
            let jobs = try startable()
            let address = try Address(path: "/export.json", request.parameters + request.form)
            guard address[.kind] != nil else { throw WebError(.usage, "An export needs a kind.") }
            return try read(address) { try ExportDownload(ExportPage($0)) }.answer(jobs)
        default: break
        }
        let words = request.path.split(separator: "/", omittingEmptySubsequences: false)
        if words.count == 4, words[1] == "jobs", words[3] == "cancel" { return try cancelJob(String(words[2])) }
        _ = try Address(path: request.path, request.parameters)
        throw WebError(.methodNotAllowed)
    }

    /// What open pages ask for from time to time.
    private func state(_ request: Request) throws -> Answer {
        guard request.parameters.isEmpty else { throw WebError(.usage) }
        let reader = try archive()
        return .json(try reader.read { try StatePage($0, path: reader.path) }.line)
    }

    /// What is around a page that needs no archive: what is known of one that is there.
    private func frame(_ address: Address) -> Frame {
        let failedCheck = try? archive().read { try ArchiveIdentity.read($0).failedCheck }
        return Frame(address, zone(address), settings: settings, failedCheck: failedCheck ?? nil)
    }

    /// The answer to a request that is refused, for people or for programs.
    package func answer(_ error: WebError, to request: Request) -> Answer {
        var answer: Answer
        if request.isForProgram {
            answer = .json(error.json, error.reason.status)
        } else {
            let link = HTML.element("a", ["href": Uploads.path], "Or send an export from here.")
            let more = error.reason == .noArchive && uploads != nil && !isReadOnly ? [HTML.element("p", [:], link)] : []
            let content = PageContent(error.message, [.element("p", [:], HTML(error.hint))] + more)
            answer = .html(error.reason.status, Frame(settings: settings).text(content))
        }
        switch error.reason {
        case .methodNotAllowed:
            let isForm = ["/settings", "/jobs", "/export", Uploads.path, "/login"].contains(request.path)
            answer.headers.append(("allow", isForm ? "GET, HEAD, POST" : "GET, HEAD"))
        case .busy: answer.headers.append(("retry-after", "1"))
        default: break
        }
        return answer
    }
}
