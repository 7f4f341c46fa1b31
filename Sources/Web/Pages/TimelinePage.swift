internal import ArchiveReading
internal import ArchiveRows
internal import HealthModel
internal import Presentation
internal import Reporting

/// The observations of a chain, newest first, with what each changed.
struct TimelinePage: SitePage {
    let visit: Visit

    func content() throws -> PageContent {
        let entries = try entries
        let table = ObservationReport.timelineDocument(Self.newestFirst(entries), chain: visit.chain.name, visit.zone)
        var document = Document()
        if visit.chain.finished.isEmpty {
            document.paragraph("Import a first export with: healthprobe import export.zip")
        } else {
            document.append(.paragraph(Self.explanation), .charts(try charts(entries)))
        }
        let all = visit.address.with(.all, visit.address[.all] == nil ? "1" : nil)
        let name = visit.address[.all] == nil ? "Also failed and unfinished imports" : "Finished imports alone"
        return PageContent(
            "Timeline",
            visit.html(document) + [compareForm].compactMap(\.self) + visit.html(table)
                + [.element("p", [:], .element("a", ["href": all.text], HTML(name)))])
    }

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

    private static let explanation = """
        Each imported export is an observation: what the phone showed on one day. Choose one to see what is in it, or two to \
        see what appeared, what is no longer visible, and what only looks different. What a partial export does not show is \
        no evidence.
        """

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
                .visibleCounts(shortIdentifier(type), "Visible records at \(observations).", finished, counts)
            }
    }

    /// Types with a chart of their own.
    private static let mostCharts = 2

    /// Two observations to choose; nil where there is nothing to compare.
    private var compareForm: HTML? {
        let observations = visit.chain.finished.reversed().map {
            ("\($0.id)", "\($0.id) · \(visit.zone.day($0.observedAt))")
        }
        guard observations.count > 1 else { return nil }
        return Form.html(
            visit, Address(.diff), button: "Compare",
            [
                Form.choice(.from, "Compare", observations, chosen: observations[1].0),
                Form.choice(.to, "with", observations, chosen: observations[0].0),
            ])
    }
}
