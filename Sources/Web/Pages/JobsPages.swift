internal import Basics
internal import Caching
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// What pages have started: the list, one of them, and starting and ending them.
struct JobsPages {
    let site: Site
    let address: Address

    /// The list, or the job that the address names.
    ///
    /// - Throws: `WebError.notFound` for a job that is none.
    func answer(_ frame: Frame) throws -> Answer {
        guard address.page == .job else { return list(frame) }
        guard let job = address.job.flatMap({ site.jobs?.job($0) }) else {
            throw WebError(.notFound, "There is no such job.", hint: "The list of jobs has those of this server.")
        }
        guard address.form == .page else { return .json(job.line) }
        var answer = frame.answer(try page(job, frame.zone))
        if !job.state.isOver { answer.headers.append(("refresh", "2")) }
        return answer
    }

    private func list(_ frame: Frame) -> Answer {
        let jobs = site.jobs?.all ?? []
        guard address.form == .page else { return .json(.line("jobs", ["jobs": jobs.map(\.row)])) }
        var table = Table([.right("Job"), .words("What"), .words("State"), .exact("Started"), .exact("Ended")])
        for job in jobs {
            table.addRow(
                [
                    "\(job.id)", job.kind.title, job.state.rawValue, frame.zone.time(job.startedAt),
                    frame.zone.time(job.endedAt),
                ], links: [0: .init("jobs/\(job.id)")], instants: [3: job.startedAt, 4: job.endedAt])
        }
        var document = Document([
            .paragraph(
                "What pages of this server have started, the newest first. The list ends with the server. Times in \(frame.zone.name)."
            )
        ])
        document.append(jobs.isEmpty ? .paragraph("Nothing was started yet.", .remark) : .table(table))
        return frame.answer(PageContent("Jobs", LinkAddresses().html(document)))
    }

    /// How far a job is: a bar, what it does, and the kinds that an import has read.
    private func progress(_ job: Job) -> [HTML] {
        guard !job.state.isOver else { return [] }
        let name = job.messages.last ?? job.kind.title
        var parts = [
            HTML.element("p", ["class": "number"], HTML(job.progress.map { "\(Int($0 * 100)) %" } ?? "…")),
            .element(
                "progress",
                [
                    "max": "1000", "value": job.progress.map { "\(Int($0 * 1000))" },
                    "aria-label": TerminalText.safe(name),
                ], .empty),
            .element("p", ["class": "soft"], .prose("\(name.quoted). This page refreshes itself.")),
        ]
        if !job.kinds.isEmpty {
            var table = Table([.name("Kind"), .right("Read so far")])
            for kind in job.kinds.reversed() {
                table.addRow([shortIdentifier(kind.type), Counts.grouped(kind.count)])
            }
            parts += LinkAddresses().html(Document([.table(table)]))
        }
        return parts
    }

    /// What changed in the export that was imported, since the one before.
    private func outcome(_ job: Job) throws -> [HTML] {
        guard job.kind == .importUpload, let id = job.result?["observation"]?["id"]?.int,
            job.result?["alreadyImported"]?.bool != true
        else { return [] }
        return try site.read(Address(path: "/show", [.init("at", "\(id)")])) { visit in
            let observation = try visit.observation
            guard let (story, before) = try ChangeStory.read(visit.db, visit.chain, of: observation) else { return [] }
            let day = visit.zone.day(before.observedAt)
            guard !story.parts(since: day).isEmpty else {
                return [.element("p", [:], HTML("Nothing changed since the export of \(day)."))]
            }
            return [
                .element("h2", [:], HTML("What Health did since the export of \(day)")),
                visit.cards(story, from: before, to: observation),
            ]
        }
    }

    private func page(_ job: Job, _ zone: DisplayZone) throws -> PageContent {
        func time(_ seconds: Int64) -> String { "\(zone.time(seconds)) \(zone.name)" }
        var document = Document([
            .facts([
                .init("State", Self.words(job.state)), .init("Started", job.startedAt.map(time)),
                .init("Ended", job.endedAt.map(time)),
                .init("Exit code", job.exitCode.flatMap { $0 == 0 ? nil : "\($0)" }),
            ])
        ])
        if job.kind == .analyse, job.state == .done, let pair = comparison(job) {
            document.append(.list([.init("The consolidation that was found", link: pair)]))
        }
        let unrecorded: [Job.Kind: String] = [.check: "check is not in its log", .analyse: "analysis is not kept"]
        if let what = unrecorded[job.kind], job.state == .done, !site.isArchiveWritable {
            document.paragraph("The archive cannot be written to, so this \(what).")
        }
        if job.kind == .check, job.state == .done {
            document.append(.list([.init("State of the archive", link: .init("health"))]))
        }
        if job.kind == .importUpload { document.append(Self.importWords(job)) }
        if let id = job.result?["observation"]?["id"]?.int {
            document.append(
                .list([
                    .init("What changed in it", link: .init("diff", ["to": "\(id)"])),
                    .init("Observation \(id)", link: .init("show", ["at": "\(id)"])),
                ]))
        }
        var parts = progress(job) + LinkAddresses().html(document) + (try outcome(job))
        if !job.state.isOver {
            parts.append(
                .element(
                    "form", ["method": "post", "action": "/jobs/\(job.id)/cancel"], .element("button", [:], "Cancel")))
        }
        func block(_ title: String, _ text: String) -> [HTML] {
            [.element("h2", [:], HTML(title)), .element("pre", [:], .element("code", [:], HTML(text)))]
        }
        if job.kind == .answer, let address = job.arguments.first {
            parts.append(.element("p", [:], .element("a", ["href": address], "The page")))
        } else {
            parts += block("Command", CommandText.line(Self.shown(job)))
        }
        if !job.messages.isEmpty { parts += block("Log", job.messages.joined(separator: "\n")) }
        if let result = job.result {
            parts.append(
                .element("details", [:], [.element("summary", [:], "Result")] + block("As JSON", result.line)))
        }
        return PageContent(job.kind.title, parts)
    }

    /// The page of what an analysis compared.
    private func comparison(_ job: Job) -> Document.Link? {
        guard job.arguments.count > 2 else { return nil }
        return .init(
            "consolidation",
            [
                "from": job.arguments[1], "to": job.arguments[2],
                "through": job.arguments.contains("--through") ? "1" : nil,
            ])
    }

    /// What became of the file that a browser sent.
    private static func importWords(_ job: Job) -> [Document.Block] {
        if let answer = job.result { return ImportSummary.document(of: answer)?.blocks ?? [] }
        let text: String? =
            switch job.exitCode {
            case 65: "The file is no export of the Health app, or it did not arrive whole. Nothing was imported."
            case 75: "Another program writes to the archive. Nothing was imported: send the file again later."
            default: nil
            }
        return text.map { [.paragraph($0)] } ?? []
    }

    /// The arguments; the copy of what a browser sent was removed, and its path says nothing to anybody.
    private static func shown(_ job: Job) -> [String] {
        guard job.kind == .importUpload, job.arguments.count > 1 else { return job.arguments }
        return ["import", "FILE"] + job.arguments.dropFirst(2)
    }

    private static func words(_ state: Job.State) -> String {
        switch state {
        case .queued: "queued"
        case .running: "running"
        case .done: "done"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension Site {
    /// Starts a job from a form.
    ///
    /// - Throws: `WebError`: `forbidden` where nothing may be started, `degraded`, `tooManyJobs`, `usage`.
    func startJob(_ request: Request) throws -> Answer {
        let jobs = try startable()
        var form = request.parameters + request.form
        let kinds = form.filter { $0.name == Parameter.kind.rawValue }
        form.removeAll { $0.name == Parameter.kind.rawValue || $0.value.isEmpty }
        guard kinds.count == 1, let kind = Job.Kind(rawValue: kinds[0].value) else {
            throw WebError(.usage, "kind takes check, analyse or rebuildCache.")
        }
        var arguments: [String]
        switch kind {
        case .check:
            guard form.allSatisfy({ $0 == Request.Parameter("deep", "1") }), form.count <= 1 else {
                throw WebError(.usage, "A check takes deep, with 1.")
            }
            arguments = ["check"] + (form.isEmpty ? [] : ["--deep"])
        case .analyse:
            let address = try Address(path: "/consolidation.json", form)
            guard address[.type] == nil else {
                throw WebError(.usage, "An analysis that is kept is of all types.")
            }
            arguments = try read(address) { visit in
                if !visit.failedChecks.isEmpty { throw WebError(.degraded) }
                let question = try visit.comparison
                return ["consolidation", "\(question.from.id)", "\(question.to.id)"]
                    + (question.through ? ["--through"] : []) + ["--chain=\(visit.chain.name)"]
            }
        case .importUpload, .answer: throw WebError(.usage, "kind takes check, analyse or rebuildCache.")
        case .rebuildCache:
            guard form.isEmpty else { throw WebError(.usage, "A rebuild of the cache takes nothing.") }
            arguments = ["cache", "rebuild", "--cache", cache?.path ?? "off"]
        }
        let id = try jobs.add(kind, arguments + ["--json"])
        return .redirection(Address(job: id), status: 303)
    }

    /// Ends a job.
    ///
    /// - Throws: `WebError`: `forbidden`, `notFound`.
    func cancelJob(_ id: String, _ request: Request) throws -> Answer {
        guard let number = Int(id), let job = jobs?.job(number) else {
            _ = try startable()
            throw WebError(.notFound, "There is no such job.")
        }
        guard request.given.isEmpty, request.form.isEmpty else { throw WebError(.usage) }
        // An answer that is being computed writes nothing.
        let jobs = job.kind == .answer ? jobs : try startable()
        jobs?.cancel(number)
        return .redirection(Address(job: number), status: 303)
    }

    /// The queue, where programs may be started.
    func startable() throws -> JobQueue {
        guard !isReadOnly, let jobs else {
            throw WebError(
                .forbidden, "This server starts nothing that writes.",
                hint: "Start healthprobe serve without --read-only, or use the command line.")
        }
        return jobs
    }
}
