internal import Basics
internal import Caching
internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// The story of the archive: what it holds, what Health did to it since the first export, where that shows, and how to get it
/// back.
struct HomePage: SitePage {
    let visit: Visit

    func twin(_ form: Page.Form) throws -> Answer { .json(try Story(visit, waitsForMonths: true).json) }

    func content() throws -> PageContent {
        guard let latest = visit.chain.finished.last else {
            return PageContent("HealthProbe", FirstSteps.html(visit.site))
        }
        let story = try Story(visit, waitsForMonths: visit.site.cache == nil)
        var parts = [lead(story.sentence(visit.zone))]
        if visit.chain.finished.count > 1 {
            parts += changes(story, latest)
        } else {
            parts.append(
                lead("To see what changes, export again on the phone in a few weeks, and import that export here."))
        }
        if !visit.isSimple { parts += months(story, latest) + (try workouts(story, latest)) }
        parts += exports(story)
        if visit.site.offersUpload { parts.append(ImportPage.form) }
        return PageContent("Your Health data", parts)
    }

    private func lead(_ text: String) -> HTML { .element("p", ["class": "lead"], .prose(text)) }

    // MARK: - What Health did

    private func changes(_ story: Story, _ latest: Observation) -> [HTML] {
        let first = visit.chain.finished[0]
        guard !story.changes.parts(since: "").isEmpty else {
            return [lead("Nothing changed since the export of \(visit.zone.day(first.observedAt)).")]
        }
        return [
            .element("h2", [:], "What Health did since your first export"),
            visit.cards(story.changes, from: first, to: latest),
        ]
    }

    // MARK: - Charts

    private func months(_ story: Story, _ latest: Observation) -> [HTML] {
        guard let months = story.months else {
            return [lead("The months are being summed; this page shows them as soon as that is done.")]
        }
        guard months.count > 1 else { return [] }
        func span(_ month: PageCache.HistoryMonth, _ count: Int64) -> Chart.Span {
            .init(month.start, month.end, month.label, Double(count))
        }
        let now = Chart.Series("in the latest export", months.map { span($0, $0.now) }, .bars)
        let lost = months.filter { $0.then > $0.now }.map { span($0, $0.then) }
        var chart = Chart(
            "Records a month",
            lost.isEmpty
                ? "As your latest export shows them."
                : "As your latest export shows them, and behind them what the first export of the month had.",
            .spans(lost.isEmpty ? [now] : [.init("in the first export with the month", lost, .then), now]))
        chart.zone = visit.zone.zone
        chart.entry = .init("aggregates", ["at": "\(latest.id)", "by": "month"])
        var parts = [HTML.element("h2", [:], "Month by month")] + visit.html(Document([.charts([chart])]))
        if !story.merged.mergedByType.isEmpty {
            let kinds = story.merged.mergedByType.prefix(6).map { type, count in
                HTML.element(
                    "li", [:],
                    .element(
                        "a", ["href": visit.links.address(.type).with(.type, type).text],
                        .foreign(shortIdentifier(type))),
                    HTML(" \(Counts.grouped(count)) merged"))
            }
            parts += [.element("h3", [:], "Kinds with most merged records"), .element("ul", ["class": "kinds"], kinds)]
        }
        return parts
    }

    private func workouts(_ story: Story, _ latest: Observation) throws -> [HTML] {
        let figures = try story.workouts.compactMap { workout -> HTML? in
            guard let before = visit.chain.finished.first(where: { $0.id == workout.before }) else { return nil }
            let then = try visit.marks(Self.heartRate, before, from: workout.start, below: workout.end)
            let now = try visit.marks(Self.heartRate, latest, from: workout.start, below: workout.end)
            guard then.count > 1, let row = try row(workout, at: before) else { return nil }
            let page = visit.links.address(.workout).with(.workout, row.identity.hex)
            let day = visit.zone.day(before.observedAt)
            var chart = Chart(
                "\(row.title(visit.zone, visit.units)): \(Counts.of(then.count, "heart rate")) then, "
                    + "\(Counts.grouped(now.count)) now", "A dot is a reading, a bar a merged record.",
                .readings([.init("export of \(day)", then), .init("latest export", now)], isPace: false))
            (chart.unit, chart.zone, chart.isOfTime) = ("bpm", visit.zone.zone, true)
            chart.span = Double(workout.start)...Double(workout.end)
            return HTML(
                visit.html(Document([.charts([chart])])) + [
                    Steps.links([
                        ("As it was", page.with(.at, "\(before.id)")),
                        ("Then and now", page.with(.from, "\(before.id)").with(.to, "\(latest.id)")),
                        ("Download as it was (TCX)", page.with(.at, "\(before.id)").to(.workout, .tcx)),
                    ])
                ])
        }
        return figures.isEmpty ? [] : [.element("h2", [:], "Workouts with most merged heart rates")] + figures
    }

    /// The workout of merged heart rates, as the export shows it that has them one by one.
    private func row(_ workout: ConsolidationStory.Workout, at observation: Observation) throws -> WorkoutRow? {
        let reader = try WorkoutReader(visit.snapshot, at: observation, visit.athlete)
        defer { reader.close() }
        var question = Training.WorkoutPage.Question()
        (question.since, question.until, question.limit) = (workout.start, workout.end, 20)
        func shared(_ row: WorkoutRow) -> Double {
            min(row.interval.end, Double(workout.end)) - max(row.interval.start, Double(workout.start))
        }
        return try reader.page(question).rows.max { shared($0) < shared($1) }
    }

    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    // MARK: - Exports

    private func exports(_ story: Story) -> [HTML] {
        let shown = story.entries.suffix(6).reversed()
        let items = shown.map { entry in
            let (observation, totals) = (entry.observation, entry.totals)
            let parts = [
                (totals.appeared, "added"), (totals.disappeared, "no longer visible"),
                (totals.representationChanged, "look different"),
            ].filter { $0.0 > 0 }.map { "\(Counts.grouped($0.0)) \($0.1)" }
            let address = visit.links.address(.show).with(.at, "\(observation.id)")
            return HTML.element(
                "li", [:], .element("a", ["href": address.text], HTML(visit.zone.day(observation.observedAt))),
                HTML(
                    ": \(Counts.of(totals.visible, "record"))"
                        + (parts.isEmpty ? "" : "; \(parts.joined(separator: ", "))")))
        }
        return [
            .element("h2", [:], "Exports of the phone"), .element("ul", [:], items),
            Steps.links([("All of them", visit.links.address(.timeline)), ("Compare two", visit.links.address(.diff))]),
        ]
    }
}

/// What the archive says of a chain at a glance: stored sums and verdicts alone, nothing is analysed for it.
private struct Story {
    let chain: Chain
    /// The finished observations in order, with what changed in each.
    let entries: [ObservationReport.TimelineEntry]
    let merged: ConsolidationStory
    let workouts: [ConsolidationStory.Workout]
    /// Nil while they are being summed.
    let months: [PageCache.HistoryMonth]?
    private let records: Int64
    private let kinds: Int
    private let earliest: Int64?

    /// - Parameter waitsForMonths: whether months that nobody has summed yet are summed now.
    init(_ visit: Visit, waitsForMonths: Bool) throws {
        chain = visit.chain
        entries = try ObservationReport.timeline(visit.db, chain, all: false).filter(\.observation.status.isFinished)
        merged = try ConsolidationStory.read(visit.db, chain)
        workouts = try ConsolidationStory.workouts(visit.db, chain, most: 3)
        let runs = try chain.finished.last.map { try ObservationReport.types(visit.db, $0.id) } ?? []
        let shown = runs.filter { $0.visible > 0 }
        records = shown.reduce(0) { $0 + $1.visible }
        kinds = shown.count
        // A date of birth is no beginning of records.
        earliest = shown.filter { !$0.type.hasPrefix("HKCharacteristic") }.compactMap(\.earliestStart).min()
        let known = try visit.site.cache?.history(visit.db, chain) ?? (waitsForMonths ? visit.summedMonths() : nil)
        months = known?.filter { $0.start < $0.end }
    }

    private func sum(_ count: (ObservationReport.Totals) -> Int64) -> Int64 {
        entries.dropFirst().reduce(0) { $0 + count($1.totals) }
    }

    var appeared: Int64 { sum(\.appeared) }
    var representationChanged: Int64 { sum(\.representationChanged) }
    var changes: ChangeStory {
        ChangeStory(
            merged, appeared: appeared, disappeared: sum(\.disappeared), representationChanged: representationChanged)
    }

    func sentence(_ zone: DisplayZone) -> String {
        guard let latest = chain.finished.last else { return "No export is imported yet." }
        let span = earliest.map { "From \(zone.day($0)) to \(zone.day(latest.observedAt)): " } ?? ""
        return "\(span)\(Counts.of(chain.finished.count, "export")), \(Counts.of(records, "record")) of "
            + "\(Counts.of(kinds, "kind")) in the latest one."
    }

    var json: JSON {
        JSON.line(
            "home",
            [
                "chain": chain.name, "observations": Int64(chain.finished.count), "records": records,
                "kinds": Int64(kinds), "earliestStart": earliest.map { JSON.instant($0) },
                "latest": chain.finished.last?.id,
                "merged": JSON.row([
                    "records": merged.merged, "replacements": merged.replacements, "groups": merged.groups,
                    "completeGroups": merged.completeGroups,
                ]),
                "unexplained": merged.unexplained, "notAnalysed": changes.notAnalysed,
                "representationChanged": representationChanged, "appeared": appeared,
                "types": merged.mergedByType.map { JSON.row(["type": $0.type, "merged": $0.count]) },
                "months": (months ?? []).map { JSON.row(["month": $0.label, "then": $0.then, "now": $0.now]) },
                "workouts": workouts.map {
                    JSON.row([
                        "uuid": $0.uuid, "observation": $0.before, "startDate": JSON.instant($0.start),
                        "endDate": JSON.instant($0.end), "originals": $0.originals,
                    ])
                },
            ])
    }
}

extension Visit {
    /// The months of the chain, of all kinds together.
    ///
    /// - Complexity: the stored months of every kind at every observation.
    fileprivate func summedMonths() throws -> [PageCache.HistoryMonth] {
        var months: [String: PageCache.HistoryMonth] = [:]
        let finished = chain.finished
        for run in try finished.last.map({ try ObservationReport.types(db, $0.id) }) ?? [] {
            try Aggregates.forEachMonth(db, chain, type: run.type, at: finished) { label, buckets in
                guard let any = buckets.lazy.compactMap(\.first).first else { return }
                let counts = buckets.map { $0.reduce(0) { $0 + ($1.level == .source ? $1.aggregate.count : 0) } }
                let whole = finished.firstIndex { $0.observedAt >= any.end } ?? finished.count - 1
                months[label, default: .init(label: label, start: any.start, end: any.end)].add(
                    then: counts[whole], now: counts.last ?? 0)
            }
        }
        return months.values.sorted { $0.start < $1.start }
    }

    /// The numbers of a type at an observation, for a drawing over time.
    func marks(_ type: String, _ observation: Observation, from start: Int64, below end: Int64) throws -> [Chart.Mark] {
        var question = RecordPage.Question()
        question.types = TypeFilter([type])
        (question.since, question.until, question.limit) = (start, end, 5000)
        return try RecordPage.read(db, chain: chain, at: observation, question).records.compactMap { record in
            guard case .number(let value) = record.value, let start = record.start else { return nil }
            return Chart.Mark(Double(start), Double(record.end ?? start), value)
        }
    }
}
