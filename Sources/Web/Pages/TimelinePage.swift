internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The observations of a chain, newest first, with what each changed.
struct TimelinePage: SitePage {
    let visit: Visit
    private let part: ListPart

    /// - Throws: `WebError.usage`; for programs, too, which get all observations as of the command.
    init(_ visit: Visit) throws {
        self.visit = visit
        part = try ListPart(visit, of: "observations", hasAllInJSON: true)
    }

    func content() throws -> PageContent {
        let entries = try entries
        let explained = try visit.explained(at: visit.chain.finished).mapValues { $0.values.reduce(0, +) }
        let left = Self.newestFirst(entries).dropFirst(part.after)
        let shown = left.prefix(part.limit ?? min(visit.pageSize, visit.isSimple ? Self.fewRows : .max))
        let table = ObservationReport.timelineDocument(
            Array(shown), chain: visit.chain.name, visit.zone, explained: explained)
        guard !visit.chain.finished.isEmpty || visit.address[.all] != nil else {
            return PageContent("Exports of the phone", FirstSteps.html(visit.site))
        }
        var parts: [HTML] = []
        if part.after == 0 {
            let charts = Document([.charts(try charts(entries)), .heading("All exports")])
            parts += visit.html(try overview(entries)) + overviewLinks + visit.html(charts)
            parts += [compareForm].compactMap(\.self)
        }
        let all = visit.address.with(.all, visit.address[.all] == nil ? "1" : nil).with(.after, nil)
        let name = visit.address[.all] == nil ? "Also failed and unfinished imports" : "Finished imports alone"
        let next = shown.count < left.count ? "\(part.after + shown.count)" : nil
        parts += visit.html(table) + [Steps.pages(visit, next: next)]
        return PageContent(
            "Exports of the phone", parts + [.element("p", [:], .element("a", ["href": all.text], HTML(name)))])
    }

    /// The observations of a page without charts.
    private static let fewRows = 25

    func twin(_ form: Page.Form) throws -> Answer { .json(ObservationReport.timelineLine(try entries)) }

    private var entries: [ObservationReport.TimelineEntry] {
        get throws { try ObservationReport.timeline(visit.db, visit.chain, all: visit.address[.all] != nil) }
    }

    /// Finished observations by their place in the chain, the newest first; imports that did not finish follow.
    private static func newestFirst(
        _ entries: [ObservationReport.TimelineEntry]
    ) -> [ObservationReport.TimelineEntry] {
        entries.filter(\.observation.status.isFinished).reversed()
            + entries.filter { !$0.observation.status.isFinished }
    }

    /// What the latest export shows, and what is new in it.
    private func overview(_ entries: [ObservationReport.TimelineEntry]) throws -> Document {
        guard let latest = visit.chain.finished.last,
            let totals = entries.first(where: { $0.observation.id == latest.id })?.totals
        else { return Document() }
        let types = try ObservationReport.types(visit.db, latest.id).count { $0.visible > 0 }
        var document = Document([.paragraph(Self.explanation)])
        let meaning = "of \(visit.zone.day(latest.observedAt)), in \(Counts.of(types, "type"))"
        let carried = latest.carriedOver(read: totals.read)
        var figures: [Document.Figure] = [
            .init(
                totals.visible, "record",
                carried == nil ? "records in your latest export" : "records visible at your latest export",
                meaning: carried.map { "\(meaning); \($0)" } ?? meaning)
        ]
        if let previous = visit.chain.previous(of: latest) {
            let day = visit.zone.day(previous.observedAt)
            let changes: [Document.Figure] = [
                .init(totals.appeared, "record", "appeared", meaning: "not in the export of \(day)"),
                .init(
                    totals.disappeared, "record", "no longer visible",
                    meaning: "in the export of \(day), and not in this one; what explains them stands in the comparison"
                ),
                .init(
                    totals.representationChanged, "record", "changed representation",
                    meaning: "the same records, written in other words"),
            ]
            figures += changes.filter { $0.count > 0 }
            if figures.count == 1 {
                let shown = carried == nil ? "Nothing" : "Nothing of what it shows"
                document.paragraph("\(shown) changed since the export of \(day).")
            }
        } else {
            document.paragraph(
                "To see what changes, one more export is needed: export again in a few days or weeks, and import it.")
        }
        document.append(.figures(figures))
        return document
    }

    private static let explanation = """
        Each export of the Health app that you import is kept as an observation: what the phone showed on that day. Here you see \
        what is in each of them, and what changed from one to the next.
        """

    /// Where most people go on from here.
    private var overviewLinks: [HTML] {
        guard let latest = visit.chain.finished.last else { return [] }
        let id = "\(latest.id)"
        var links = [
            ("What is in the latest export", visit.links.address(.show).with(.at, id)),
            ("What the words mean", visit.links.address(.help)),
        ]
        if let previous = visit.chain.previous(of: latest) {
            links.insert(
                ("What changed in it", visit.links.address(.diff).with(.from, "\(previous.id)").with(.to, id)), at: 0)
        }
        if visit.site.offersUpload { links.append(("Import another export", Address(.upload))) }
        return [Steps.links(links)]
    }

    /// The visible records of all types together, and of the types that have the most.
    private func charts(_ entries: [ObservationReport.TimelineEntry]) throws -> [Chart] {
        let finished = visit.chain.finished
        guard finished.count > 1 else { return [] }
        let totals = Dictionary(entries.map { ($0.observation.id, $0.totals.visible) }) { first, _ in first }
        let counts = try VisibleCounts.read(visit.db, visit.chain)
        let chosen = visit.settings.selectedTypes
        let largest = counts.filter { chosen.isEmpty || chosen.contains($0.key) }.sorted {
            ($1.value.last ?? 0, $0.key) < ($0.value.last ?? 0, $1.key)
        }
        let observations = Counts.of(finished.count, "observation")
        return [
            .visibleCounts(
                "All types", "Visible records at \(observations).", finished, finished.map { totals[$0.id] ?? 0 })
        ]
            + largest.prefix(visit.isSimple ? 0 : Self.mostCharts).map { type, counts in
                .visibleCounts(shortIdentifier(type).quoted, "Visible records at \(observations).", finished, counts)
            }
    }

    /// Types with a chart of their own.
    private static let mostCharts = 2

    /// Two observations to choose; nil where there is nothing to compare.
    private var compareForm: HTML? {
        let observations = Form.observations(visit)
        guard observations.count > 1 else { return nil }
        return Form.html(
            visit, Address(.diff), button: "Compare",
            [
                Form.choice(Parameter.from, "Compare", observations, chosen: observations[1].value),
                Form.choice(Parameter.to, "with", observations, chosen: observations[0].value),
            ])
    }
}
