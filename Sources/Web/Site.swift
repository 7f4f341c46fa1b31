package import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
package import Caching
internal import HealthModel
internal import Presentation
internal import TextFormats

/// The local web interface of one archive: answers requests, and writes nothing.
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

    package init(
        environment: [String: String], secretFile: String? = nil, timeZone: String? = nil, isSimple: Bool = false,
        isReadOnly: Bool = true, cache: PageCache? = nil,
        archive: @escaping @Sendable () throws -> ArchiveReader
    ) {
        self.archive = archive
        self.environment = environment
        self.secretFile = secretFile
        self.timeZone = timeZone
        self.isSimple = isSimple
        self.isReadOnly = isReadOnly
        self.cache = cache
    }

    /// Answers a request; never fails.
    package func answer(_ request: Request) -> Answer {
        if let file = StaticFile.all.first(where: { $0.path == request.path }) { return file.answer }
        do {
            if request.path == "/" { return .redirection(Address(.timeline), status: 303) }
            let address = try Address(path: request.path, request.parameters)
            guard request.method != .post else { throw WebError(.methodNotAllowed) }
            if address.page == .help { return help(address) }
            // The archive has words of its own for errors that it does not know, so these are handed around it.
            let reader = try archive()
            return try reader.read { db in Result { try answer(Visit(self, reader, db, address)) } }.get()
        } catch let redirection as Visit.Redirection {
            return .redirection(redirection.address)
        } catch {
            return answer(WebError(error), to: request)
        }
    }

    private func answer(_ visit: Visit) throws -> Answer {
        let page = try visit.page()
        guard visit.address.form == .page else { return try page.twin(visit.address.form) }
        return try page.page()
    }

    private func help(_ address: Address) -> Answer { .html(200, Frame(address).text(HelpPage.content)) }

    /// The answer to a request that is refused, for people or for programs.
    package func answer(_ error: WebError, to request: Request) -> Answer {
        let isForProgram =
            [".json", ".ndjson", ".csv"].contains { request.path.hasSuffix($0) }
            || request.accept?.contains("application/json") ?? false
        var answer: Answer
        if isForProgram {
            answer = .json(error.json, error.reason.status)
        } else {
            let content = PageContent(error.message, [.element("p", [:], HTML(error.hint))])
            answer = .html(error.reason.status, Frame().text(content))
        }
        switch error.reason {
        case .methodNotAllowed: answer.headers.append(("allow", "GET, HEAD"))
        case .busy: answer.headers.append(("retry-after", "1"))
        default: break
        }
        return answer
    }
}
