internal import Caching
internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// All types at all observations.
struct TypesPage: SitePage {
    let visit: Visit

    private var overview: TypeOverview {
        get throws {
            let observations = visit.chain.finished
            return TypeOverview(
                chain: visit.chain.name, observations,
                try observations.map { try ObservationReport.types(visit.db, $0.id) })
        }
    }

    func content() throws -> PageContent {
        let latest = visit.chain.finished.last
        let months = try latest.flatMap { try visit.months(of: $0) }
        let document = try overview.document(
            visit.zone, selected: visit.settings.selectedTypes, hasDrawing: !visit.isSimple,
            explained: try latest.flatMap { try visit.explained(at: [$0])[$0.id] }, months: months)
        return PageContent("Kinds", visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try overview.line) }
}

extension Visit {
    /// The months of an observation by type, for small drawings; nil where pages are short.
    func months(of observation: Observation) throws -> MonthSparks? {
        guard !isSimple else { return nil }
        if let months = site.cache?.sparks(db, at: observation) { return months }
        var question = AggregateQuestion()
        question.size = .month
        var months = MonthSparks()
        try Aggregates.forEachBucket(db, chain, at: observation, question) { months.add($0) }
        return months
    }

    /// How many of the records that are no longer visible the analyses that the archive keeps explain, by observation and
    /// type; observations without one that still holds are left out.
    func explained(at observations: [Observation], type: String? = nil) throws -> [Int64: [String: Int64]] {
        try ExplainedRecords.read(db, chain: chain, at: observations, type: type)
    }

    /// In which units tables and charts show lengths and masses; twins are as exported.
    var units: DisplayUnits { address.form == .page ? settings.units : .metric }
}

/// One type at all observations.
struct TypePage: SitePage {
    let visit: Visit
    private let type: String

    /// - Throws: `WebError.usage` without a type; `notFound` where the archive does not have it.
    init(_ visit: Visit) throws {
        self.visit = visit
        guard let types = visit.types, visit.isOfOneType else {
            throw WebError(.usage, "This page is about one type.", hint: "Choose it among the types.")
        }
        guard let type = try RecordPage.typeIdentifiers(visit.db).first(where: types.matches) else {
            throw WebError(.notFound, "The archive has no such type.", hint: "Choose it among the types.")
        }
        self.type = type
    }

    private var timeline: TypeTimeline {
        get throws {
            let (db, chain) = (visit.db, visit.chain)
            let runs = try chain.finished.map { try ObservationReport.types(db, $0.id, only: type).first }
            var timeline = TypeTimeline(type, chain, try ChainZone.recorded(db, chain: chain.id)?.zone, runs)
            if visit.units == .metric, let months = visit.site.cache?.months(db, chain, type: type) {
                try Aggregates.beginMonths(db, chain, type: type, at: chain.finished.prefix(1))
                for month in months { timeline.add(month) }
                return timeline
            }
            try Aggregates.forEachMonth(db, chain, type: type, at: chain.finished) { month, buckets in
                timeline.add(month: month, buckets.map { $0.map(visit.units.bucket) })
            }
            return timeline
        }
    }

    func content() throws -> PageContent {
        var links: [(name: String, address: Address)] = []
        var values: [HTML] = []
        if let shown = try shown, !visit.isSimple {
            values = try (TypeValues(visit, type: type, at: shown)?.html() ?? []) + [observations(shown)]
        }
        if let latest = visit.chain.finished.last {
            func address(_ page: Page) -> Address {
                visit.links.address(page).with(.at, "\(latest.id)").with(.type, type)
            }
            links = [
                ("Records", address(.records)), ("Days", address(.aggregates)),
                ("Months", address(.aggregates).with(.by, "month")),
            ]
        }
        var document = Document([.paragraph(type.quoted, .remark)])
        let explained = try visit.explained(at: visit.chain.finished, type: type).mapValues { $0[type] ?? 0 }
        document.append(
            try timeline.document(visit.zone, isSimple: visit.isSimple, explained: explained).blocks)
        if let latest = visit.chain.finished.last {
            document.findings(try TypeFindings.read(visit.db, visit.chain, latest, only: type))
        }
        return PageContent(
            shortIdentifier(type).quoted,
            values + [Steps.links(links), .element("h2", [:], "Counts")] + visit.html(document))
    }

    /// The observation whose values are drawn.
    private var shown: Observation? {
        get throws {
            guard let at = visit.address[.at] else { return visit.chain.finished.last }
            return try ObservationResolver.resolve(at, in: visit.chain)
        }
    }

    /// The same values as other exports show them.
    private func observations(_ shown: Observation) -> HTML {
        let finished = visit.chain.finished.suffix(12)
        guard finished.count > 1 else { return .empty }
        return .element(
            "nav", ["class": "times", "aria-label": "As other exports show it"],
            [.element("span", [:], "As the export of")]
                + finished.map { other in
                    let address = visit.address.with(.chain, nil).with(.at, "\(other.id)")
                    return .element(
                        "a", ["href": address.text, "aria-current": other.id == shown.id ? "true" : nil],
                        HTML(visit.zone.day(other.observedAt)))
                })
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try timeline.line) }
}
