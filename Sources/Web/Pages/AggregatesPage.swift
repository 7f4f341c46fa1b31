internal import Days
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// Days or months at an observation.
struct AggregatesPage: SitePage {
    let visit: Visit
    private let observation: Observation
    private let question: AggregateQuestion
    private let zone: ChainZone?
    private let limit: Int?

    init(_ visit: Visit) throws {
        self.visit = visit
        observation = try visit.observation
        zone = try ChainZone.recorded(visit.db, chain: visit.chain.id)?.zone
        limit = try visit.limit(1...Int.max)
        var question = AggregateQuestion()
        question.size = try visit.value(.by) ?? .day
        question.types = visit.types
        (question.since, question.until) = try visit.interval(in: zone?.timeZone ?? .gmt)
        question.source = try visit.source
        self.question = question
    }

    /// Rows of a page.
    private var rows: Int { visit.isSimple ? 25 : 100 }
    /// Of one type, for merged totals over all of its days.
    private static let mostRecords: Int64 = 60_000
    /// Days of a short page that is asked for none.
    private static let shortDays: Int64 = 90

    /// The question of a page: a short one without days is about the last of them.
    private var shownQuestion: AggregateQuestion {
        guard visit.isSimple, question.since == nil, question.until == nil else { return question }
        var question = question
        question.since = observation.observedAt - Self.shortDays * 86_400
        return question
    }

    func content() throws -> PageContent {
        let types = try ObservationReport.types(visit.db, observation.id).filter { $0.visible > 0 }
        var parts = [Steps.observations(visit, observation), form(types)]
        var question = shownQuestion
        var drawn: [AggregateBucket] = []
        if visit.isOfOneType,
            types.first(where: { visit.types?.matches($0.type) ?? false })?.visible ?? 0 > Self.mostRecords
        {
            // Merged totals of so many records would hold up the page: the chart is of stored sums, the rows are not.
            try Aggregates.forEachBucket(visit.db, visit.chain, at: observation, question) {
                drawn.append(visit.units.bucket($0))
            }
            question.since = drawn.suffix(limit ?? rows).first?.start
        }
        var buckets: [AggregateBucket] = []
        let isComplete = try TotalledBuckets.forEach(
            visit.snapshot, at: observation, question, order: SourceOrder(visit.athlete.sourceOrder),
            limit: visit.isOfOneType ? .max : limit ?? rows
        ) { buckets.append(visit.units.bucket($0)) }
        if drawn.isEmpty { drawn = buckets }
        var document = Document()
        let columns = visit.isSimple ? 60 : 400
        if visit.isOfOneType, let chart = Chart.days(drawn, by: question.size, zone, most: columns) {
            document.append(.charts([chart]))
        }
        let shown = visit.isOfOneType ? Array(buckets.suffix(limit ?? rows).reversed()) : buckets
        document.append(AggregatesDocument.make(observation, zone, by: question.size, shown, room: 180_000).blocks)
        if !isComplete || shown.count < drawn.count {
            document.paragraph(
                visit.isOfOneType
                    ? "The latest \(Counts.grouped(shown.count)) of \(Counts.of(drawn.count, "row")): choose days to see others."
                    : "More rows follow: choose a type, or days.", .remark)
        }
        if shownQuestion.since != self.question.since {
            document.paragraph(
                "The last \(Self.shortDays) days before the observation: choose days to see others.", .remark)
        }
        parts += visit.html(document)
        return PageContent("Days and months of observation \(observation.id)", parts)
    }

    func twin(_ form: Page.Form) throws -> Answer {
        if form == .csv {
            let stream = AggregateStream(
                archive: visit.site.archive, observation: observation, question: question,
                order: SourceOrder(try visit.athlete.sourceOrder), limit: limit)
            return .stream(form, named: "aggregates-\(observation.id)") { try stream.write(to: $0) }
        }
        var bytes: [UInt8] = []
        let order = SourceOrder(try visit.athlete.sourceOrder)
        let rows: AggregateRows.Reading = { body in
            try TotalledBuckets.forEach(
                visit.snapshot, at: observation, question, order: order, limit: limit ?? .max, body)
        }
        _ = try AggregateRows.writeJSON(observation, by: question.size, zone, rows: rows) { bytes += $0 }
        return .json(bytes)
    }

    private func form(_ types: [ObservationReport.TypeRun]) -> HTML {
        let choice = Form.type(visit, among: types.map { ($0.type, shortIdentifier($0.type)) })
        return Form.html(visit, .aggregates, type: choice)
    }
}
