internal import Basics
internal import Exporting
internal import Presentation
internal import Store

/// An export as it is made: the zip that `healthprobe export … --output -` writes, on its way to the browser.
///
/// The command records it as on the command line; nothing of it is stored on the way.
struct ExportDownload {
    private let arguments: [String]
    private let name: String

    /// - Throws: `WebError`: `degraded` where the last check found what the export is made of damaged, `keyMissing` where
    ///   pseudonyms are asked for and the key is not there.
    init(_ page: ExportPage) throws {
        let (question, visit) = try (page.asked, page.visit)
        if Self.isBlocked(question.kind, by: visit.failedChecks) {
            throw WebError(
                .degraded,
                "The last check found what this export is made of damaged, so it is not written from here.",
                hint: "healthprobe export does it anyway, on the command line.")
        }
        if question.provenance == .hashed, try visit.keyFile.state != .present { throw WebError(.keyMissing) }
        let isHealth = question.kind == .health
        arguments =
            page.words(question) + CommandText.option("chain", visit.chain.name) + (isHealth ? ["--zip"] : [])
            + ["--output", "-", "--json", "--quiet"]
        let kind = isHealth ? "xml" : question.kind.rawValue
        name = "\(kind)-\(question.from.map { "\($0)-" } ?? "")\(question.to).zip"
    }

    /// Whether what a check found concerns what an export of a kind is made of.
    static func isBlocked(_ kind: ExportKind, by failed: [String]) -> Bool {
        let groups =
            switch kind {
            case .manifest: ["A", "S"]
            case .types: ["A", "D"]
            case .records, .diff, .selection, .health: ["A", "B", "C", "G", "S03"]
            }
        return failed.contains { id in groups.contains { id.hasPrefix($0) } }
    }

    /// Starts the command; before its first bytes it can still be refused.
    ///
    /// - Parameter refuse: makes the answer to what the command refuses.
    /// - Throws: `WebError` where it cannot be started.
    func answer(_ jobs: JobQueue, _ refuse: @escaping @Sendable (WebError) -> Answer) throws -> Answer {
        let child = try jobs.start(arguments)
        let name = name
        return Answer(
            200, [],
            .later({ Self.download(child, name, jobs, refuse) }, { child.end() }))
    }

    private static func download(
        _ child: any ChildProgram, _ name: String, _ jobs: JobQueue, _ refuse: (WebError) -> Answer
    ) -> Answer {
        // The command's answer names every file of the export; its first line says what is refused.
        let messages = PipeReader(upTo: 1 << 16) { child.readMessages() }
        let first = child.readOutput()
        guard !first.isEmpty else {
            let said = messages.wait()
            _ = jobs.finish(child)
            return refuse(refusal(said))
        }
        return Answer(
            200,
            [("content-type", "application/zip"), ("content-disposition", "attachment; filename=\"\(name)\"")],
            .stream { write in
                do {
                    var piece = first
                    while !piece.isEmpty {
                        try write(piece)
                        piece = child.readOutput()
                    }
                } catch {
                    child.end()
                    _ = jobs.finish(child)
                    throw error
                }
                // Without its directory the zip cannot be read, and without an end the transfer seems cut.
                guard jobs.finish(child) == 0 else { throw WebError(.internal) }
            })
    }

    /// What the command said is wrong, in the words of pages.
    private static func refusal(_ messages: [UInt8]) -> WebError {
        for line in messages.split(separator: UInt8(ascii: "\n")) {
            if let code = JSON.parse(Array(line))?["error"]?["code"]?.string { return WebError(code: code) }
        }
        return WebError(.internal)
    }
}
