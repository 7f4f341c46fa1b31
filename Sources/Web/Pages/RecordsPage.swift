internal import Basics
internal import Caching
internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The records visible at an observation, page by page.
struct RecordsPage: SitePage {
    let visit: Visit
    private let observation: Observation
    private let question: RecordPage.Question
    /// How many records are asked for; nil where nothing is said.
    private let limit: Int?

    init(_ visit: Visit) throws {
        self.visit = visit
        observation = try visit.observation
        var question = RecordPage.Question()
        question.types = visit.types
        (question.since, question.until) = try visit.interval(in: visit.zone.zone)
        question.source = try visit.source
        switch visit.address.form {
        case .page: limit = try visit.limit(25...1000)
        case .json: limit = try visit.limit(1...1000)
        default: limit = try visit.limit(1...100_000)
        }
        question.limit = limit ?? (visit.address.form == .page ? visit.pageSize : 100)
        if let after = visit.address[.after] {
            guard let cursor = PageCursor(after) else {
                throw WebError(.usage, "after takes what the page before gave.")
            }
            question.after = cursor
        }
        self.question = question
    }

    func content() throws -> PageContent {
        let page = try RecordPage.read(visit.db, chain: visit.chain, at: observation, question)
        let runs = try ObservationReport.types(visit.db, observation.id).filter { $0.visible > 0 }
        var parts = [Steps.observations(visit, observation), form(runs), total(runs, page)]
        if let facets = try facets { parts += visit.html(facets.document(try zone)) }
        parts += visit.html(page.document(visit.zone, visit.units, isOfOneType: visit.isOfOneType))
        if page.records.isEmpty { parts += try withoutFilters() }
        parts.append(Steps.pages(visit, next: page.next?.text))
        return PageContent("Records of observation \(observation.id)", parts)
    }

    func twin(_ form: Page.Form) throws -> Answer {
        guard form == .json else {
            let stream = RecordStream(
                archive: visit.site.archive, observation: observation, question: question, limit: limit, form: form)
            return .stream(form, named: "records-\(observation.id)") { try stream.write(to: $0) }
        }
        let page = try RecordPage.read(visit.db, chain: visit.chain, at: observation, question)
        let runs = try ObservationReport.types(visit.db, observation.id)
        let next = page.next.map { visit.address.with(.at, "\(observation.id)").with(.after, $0.text) }
        return .json(
            .line(
                "records",
                [
                    "observation": observation.id, "total": isFiltered ? nil : count(runs), "records": page.records,
                    "next": page.next?.text, "nextURL": next?.text, "facets": try facets ?? RecordFacets(),
                ]))
    }

    /// Whether only a part of the types' records is asked for.
    private var isFiltered: Bool { question.since != nil || question.until != nil || question.source != nil }

    /// By what an empty table is narrowed, with links to what there is without each filter.
    private func withoutFilters() throws -> [HTML] {
        let filters: [(name: String, parameters: [Parameter], without: (inout RecordPage.Question) -> Void)] = [
            ("type", [.type], { $0.types = nil }), ("days", [.since, .until], { ($0.since, $0.until) = (nil, nil) }),
            ("source", [.source], { $0.source = nil }), ("place in the list", [.after], { $0.after = nil }),
        ].filter { filter in filter.1.contains { visit.address[$0] != nil } }
        guard !filters.isEmpty else { return [] }
        var links: [(name: String, address: Address)] = []
        for filter in filters where filters.count > 1 {
            var wider = question
            filter.without(&wider)
            wider.limit = 1
            guard try !RecordPage.read(visit.db, chain: visit.chain, at: observation, wider).records.isEmpty else {
                continue
            }
            let address = filter.parameters.reduce(visit.address) { $0.with($1, nil) }
            links.append(("Without the \(filter.name)", address))
        }
        links.append(("All records of the observation", visit.address.to(.show).to(.records)))
        let names = filters.map { "the \($0.name)" }.joined(separator: " and ")
        return [
            .element("p", [:], HTML("The table is empty because of \(names) asked for.")), Steps.links(links),
        ]
    }

    private func count(_ runs: [ObservationReport.TypeRun]) -> Int64 {
        runs.filter { question.types?.matches($0.type) ?? true }.reduce(0) { $0 + $1.visible }
    }

    private func total(_ runs: [ObservationReport.TypeRun], _ page: RecordPage) -> HTML {
        let shown = Counts.of(page.records.count, "record") + " shown" + (page.next == nil ? "" : ", more follow")
        let sentence = isFiltered ? shown : "\(Counts.of(count(runs), "record")) in all; \(shown)"
        return .element("p", [:], HTML(sentence + "."))
    }

    private var zone: ChainZone? {
        get throws { try ChainZone.recorded(visit.db, chain: visit.chain.id)?.zone }
    }

    /// The facets of one type; nil for several, and on short pages.
    private var facets: RecordFacets? {
        get throws {
            guard visit.isOfOneType, !visit.isSimple else { return nil }
            let names = try RecordPage.typeIdentifiers(visit.db).filter { question.types?.matches($0) ?? false }
            if names.count == 1, let type = names.first,
                let facets = visit.site.cache?.facets(visit.db, visit.chain, at: observation, type: type)
            {
                try Aggregates.beginMonths(visit.db, visit.chain, type: type, at: [observation])
                return facets
            }
            var months = AggregateQuestion()
            months.size = .month
            months.types = question.types
            var facets = RecordFacets()
            try Aggregates.forEachBucket(visit.db, visit.chain, at: observation, months) { bucket in
                if let month = RecordFacets.Month(bucket) { facets.add(month, at: observation.id) }
            }
            return facets
        }
    }

    private func form(_ runs: [ObservationReport.TypeRun]) -> HTML {
        let types = runs.map { ($0.type, "\(shortIdentifier($0.type)) (\(Counts.grouped($0.visible)))") }
        return Form.html(visit, .records, type: Form.type(visit, among: types))
    }
}

/// The records of an observation as lines or rows, read and sent a thousand at a time, so that a slow reader holds nothing
/// of the archive.
struct RecordStream: Sendable {
    let archive: @Sendable () throws -> ArchiveReader
    let observation: Observation
    let question: RecordPage.Question
    /// Nil for all.
    let limit: Int?
    let form: Page.Form

    private static let batch = 1000

    /// - Throws: `busy` where an import changed the observation meanwhile, what `write` throws.
    func write(to write: ([UInt8]) throws -> Void) throws {
        let reader = try archive()
        var question = question
        var left = limit ?? .max
        var isFirst = true
        repeat {
            question.limit = min(Self.batch, left)
            var page = try reader.read(observation) { try RecordPage.read($0, chain: $1, at: $2, question) }
            question.after = page.next
            left -= page.records.count
            // The line for the next page ends what was asked for, as it does in the command.
            if left > 0 { page.next = nil }
            try write(form == .csv ? page.csv(forTerminal: false, withHeading: isFirst) : page.lines)
            isFirst = false
        } while question.after != nil && left > 0
    }
}
