internal import Basics
internal import Presentation
internal import Reporting
internal import Store

/// A page and the answers for programs that have the same content.
protocol SitePage {
    var visit: Visit { get }

    /// What people see in the site's frame.
    func content() throws -> PageContent

    /// The answer for people.
    func page() throws -> Answer

    /// The answer in one of the forms that the page has.
    func twin(_ form: Page.Form) throws -> Answer
}

extension SitePage {
    /// The page in the site's frame.
    func page() throws -> Answer { Frame(visit).answer(try content()) }
}

extension Visit {
    /// The page that is asked for.
    func page() throws -> any SitePage {
        switch address.page {
        case .home: HomePage(visit: self)
        case .go: try GoPage(self)
        case .day: try DayPage(self)
        case .nights: try NightsPage(self)
        case .ecg: try ElectrocardiogramPage(self)
        case .timeline: try TimelinePage(self)
        case .show: ShowPage(visit: self, observation: try observation)
        case .records: try RecordsPage(self)
        case .aggregates: try AggregatesPage(self)
        case .type: try TypePage(self)
        case .types: TypesPage(visit: self)
        case .sources: SourcesPage(visit: self)
        case .history: try HistoryPage(self)
        case .diff: DiffPage(visit: self)
        case .changes: try ChangesPage(self)
        case .consolidation: ConsolidationPage(visit: self)
        case .groups: try GroupsPage(self)
        case .report: ReportPage(visit: self)
        case .workouts: try WorkoutsPage(self)
        case .workout: try WorkoutPage(self)
        case .metrics: try MetricsPage(self)
        case .impact: try ImpactPage(self)
        case .exports: try ExportsPage(self)
        case .log: try LogPage(self)
        case .quarantine: try QuarantinePage(self)
        case .export: try ExportPage(self)
        case .health: HealthPage(visit: self)
        case .jobs, .job, .settings, .upload, .help, .more: throw WebError(.notFound)
        }
    }

    /// The forms of what is asked for; files of a workout or an ECG stand on its page.
    var twins: [Page.Form] {
        switch address.page {
        case .workout: [.json]
        case .ecg: address[.ecg] == nil ? [.json, .ndjson, .csv] : [.json]
        default: address.page.twins
        }
    }

    /// The address of the page's content for programs: days are spelled out, because these know of no zone.
    func twin(_ form: Page.Form) -> Address {
        var twin = address.to(address.page, form).with(.limit, nil).with(.after, nil)
        let isOfChain = address.page.subject == .chain || address.page == .export && !Self.namesID(address)
        if isOfChain { twin = twin.with(.chain, address[.chain] ?? links.chain) }
        // Days of these are not those of the zone in which pages show times.
        let haveOwnZone: [Page] = [.aggregates, .metrics, .nights, .export]
        guard !haveOwnZone.contains(address.page), let span = try? interval(in: zone.zone) else { return twin }
        return twin.with(.since, text(span.since, for: .since)).with(.until, text(span.until, for: .until))
    }

    /// An instant for a parameter; beyond the years that one can name, the day stays as it was given.
    private func text(_ seconds: Int64?, for parameter: Parameter) -> String? {
        guard let seconds else { return nil }
        let text = ISO8601.string(unixSeconds: seconds)
        return text.first?.isNumber == true ? text : address[parameter]
    }
}

extension Page.Form {
    /// What a form is called in a link to it.
    var title: String {
        switch self {
        case .page: "page"
        case .json: "JSON"
        case .ndjson: "JSON lines"
        case .csv: "CSV"
        case .html: "one file"
        case .svg, .tcx, .gpx: rawValue.uppercased()
        case .markdown: "Markdown"
        }
    }
}
