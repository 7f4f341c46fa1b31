internal import Basics
internal import Days
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// The values of a type over an interval, drawn at the grain that fits it: months, days, or every record.
struct TypeValues {
    private let visit: Visit
    private let type: String
    /// The observation whose values are shown.
    private let observation: Observation
    private let zone: ChainZone?
    /// What the observation shows of the type at all, and what of it is drawn.
    private let (whole, span): (Range<Int64>, Range<Int64>)
    /// How many records are drawn, about.
    private let records: Int64

    /// More columns than these are not told apart on a screen.
    private static let mostColumns = 366
    /// A drawing that costs more than to read so many records is of stored sums.
    private static let mostRecords: Int64 = 60_000

    /// - Returns: nil where the observation shows no record of the type.
    /// - Throws: `WebError.usage` for an interval that is none.
    init?(_ visit: Visit, type: String, at observation: Observation) throws {
        let run = try ObservationReport.types(visit.db, observation.id, only: type).first
        guard let run, run.visible > 0, let first = run.earliestStart, let last = run.latestEnd else { return nil }
        zone = try ChainZone.recorded(visit.db, chain: visit.chain.id)?.zone
        let asked = try visit.interval(in: zone?.timeZone ?? visit.zone.zone)
        whole = first..<max(last, first) + 1
        let start = asked.since ?? min(first, asked.until.map { $0 - 1 } ?? first)
        span = start..<max(asked.until ?? whole.upperBound, start + 60)
        records = run.visible / max(1, Int64(whole.count / max(1, span.clamped(to: whole).count)))
        (self.visit, self.type, self.observation) = (visit, type, observation)
    }

    private var days: Double { Double(span.count) / 86_400 }

    /// The chart, with the links that lead through time.
    func html() throws -> [HTML] {
        let own =
            type.hasPrefix("HKCategoryTypeIdentifier")
            ? try [spans()].compactMap(\.self) : try days <= 3 ? [readings()].compactMap(\.self) : buckets()
        let links = TimeLinks(visit.address, span: span, whole: whole, zone: zone?.timeZone ?? visit.zone.zone).html
        guard !own.isEmpty else { return [links, .element("p", [:], "No values in this interval.")] }
        return [links]
            + own.flatMap { chart in
                var chart = chart
                chart.zone = zone?.timeZone ?? visit.zone.zone
                chart.entry = .init("type", ["type": type, "at": visit.address[.at]])
                return visit.html(Document([.charts([chart])]))
            }
    }

    /// The first observation that shows all of the interval, where that is another one.
    private var first: Observation? {
        let first = visit.chain.finished.first { $0.observedAt >= min(span.upperBound, whole.upperBound) }
        return first.flatMap { $0.id == observation.id || $0.observedAt > observation.observedAt ? nil : $0 }
    }

    /// Every record.
    private func readings() throws -> Chart? {
        let now = try visit.marks(type, observation, from: span.lowerBound, below: span.upperBound)
        let then = try first.map { try visit.marks(type, $0, from: span.lowerBound, below: span.upperBound) } ?? []
        guard !now.isEmpty || !then.isEmpty else { return nil }
        let series = [Chart.Marks("export of \(visit.zone.day(observation.observedAt))", now)]
        let earlier = first.map { Chart.Marks("export of \(visit.zone.day($0.observedAt))", then) }
        var chart = Chart(
            Counts.of(now.count, "record"),
            "A dot is a reading, a bar a record of that length."
                + (then.count > now.count
                    ? " The first export with these days has \(Counts.grouped(then.count))." : ""),
            .readings(then.count > now.count ? [earlier].compactMap(\.self) + series : series, isPace: false))
        chart.unit = try ObservationReport.types(visit.db, observation.id, only: type).first?.sums.first?.unit ?? ""
        chart.isOfTime = true
        chart.span = Double(span.lowerBound)...Double(span.upperBound)
        return chart
    }

    /// Months or days, then and now where there are fewer records now, and by source.
    private func buckets() throws -> [Chart] {
        var question = AggregateQuestion()
        question.types = TypeFilter([type])
        question.size = days > Double(Self.mostColumns) * 5 ? .month : .day
        (question.since, question.until) = (span.lowerBound, span.upperBound)
        let buckets = try buckets(at: observation, question)
        let name = "export of \(visit.zone.day(observation.observedAt))"
        let both = Chart.thenAndNow(
            try earlier(question), buckets, by: question.size, name: name, most: Self.mostColumns)
        let sources = Set(buckets.filter { $0.level == .source }.map(\.sourceName))
        let own =
            both != nil && sources.count < 2
            ? nil : Chart.days(Self.once(buckets), by: question.size, zone, most: Self.mostColumns)
        let drawn = [both, own].compactMap(\.self)
        if !drawn.isEmpty { return drawn }
        // Of what has no numbers there are as many as there are.
        let counts = buckets.filter { $0.level == .source }.map {
            Chart.Span($0.start, $0.end, $0.label, Double($0.aggregate.count))
        }
        guard !counts.isEmpty else { return [] }
        var chart = Chart("Records", "Records by \(question.size.rawValue).", .spans([.init("records", counts, .bars)]))
        chart.unit = "records"
        return [chart]
    }

    /// The buckets of an observation. Where reading them is quick, with totals that count once what several sources recorded
    /// at one time.
    private func buckets(at observation: Observation, _ question: AggregateQuestion) throws -> [AggregateBucket] {
        var buckets: [AggregateBucket] = []
        if records <= Self.mostRecords {
            _ = try TotalledBuckets.forEach(
                visit.snapshot, at: observation, question, order: SourceOrder(visit.athlete.sourceOrder)
            ) { buckets.append(visit.units.bucket($0)) }
        } else {
            try Aggregates.forEachBucket(visit.db, visit.chain, at: observation, question) {
                buckets.append(visit.units.bucket($0))
            }
        }
        return buckets
    }

    /// Each bucket as the first export that shows it whole has it.
    ///
    /// - Complexity: each export's own part of the interval.
    private func earlier(_ question: AggregateQuestion) throws -> [AggregateBucket] {
        var found: [AggregateBucket] = []
        var behind = span.lowerBound - 32 * 86_400
        for other in visit.chain.finished {
            let isLast = other.id == observation.id
            defer { behind = other.observedAt }
            guard isLast || other.observedAt > span.lowerBound else { continue }
            var own = question
            own.since = max(span.lowerBound, behind - 32 * 86_400)
            if !isLast { own.until = min(span.upperBound, other.observedAt) }
            if own.since ?? .min < own.until ?? .max {
                found += try buckets(at: other, own).filter {
                    $0.end > behind && (isLast || $0.end <= other.observedAt)
                }
            }
            if isLast { break }
        }
        return found
    }

    /// Of what adds up the merged total alone, as one source; all buckets of everything else.
    private static func once(_ buckets: [AggregateBucket]) -> [AggregateBucket] {
        let merged = buckets.filter { $0.level == .merged }
        guard !merged.isEmpty else { return buckets }
        return merged.map { total in
            var bucket = total
            (bucket.level, bucket.sourceName, bucket.overlappingSources) = (.source, "all sources", nil)
            return bucket
        }
    }

    /// The values of categories, over some weeks at most.
    private func spans() throws -> Chart? {
        guard days <= 40 else { return try buckets().first }
        var question = RecordPage.Question()
        question.types = TypeFilter([type])
        (question.since, question.until, question.limit) = (span.lowerBound, span.upperBound, 5000)
        var lanes: [String: [Range<Int64>]] = [:]
        for record in try RecordPage.read(visit.db, chain: visit.chain, at: observation, question).records {
            guard let start = record.start else { continue }
            var name = "no value"
            if case .text(let text) = record.value { name = shortValue(text) }
            lanes[name, default: []].append(start..<max(start + 1, record.end ?? start))
        }
        guard !lanes.isEmpty else { return nil }
        var chart = Chart(
            "Values", "When each value was recorded.",
            .lanes(
                lanes.sorted { $0.key < $1.key }.enumerated().map { index, lane in
                    .init(lane.key.quoted, [.init(index, lane.value)])
                }))
        chart.isOfTime = true
        chart.span = Double(span.lowerBound)...Double(span.upperBound)
        return chart
    }
}

/// Links through time: out, earlier, later, and intervals of usual lengths.
struct TimeLinks {
    private let address: Address
    private let (span, whole): (Range<Int64>, Range<Int64>)
    private let zone: TimeZone

    init(_ address: Address, span: Range<Int64>, whole: Range<Int64>, zone: TimeZone) {
        (self.address, self.span, self.whole, self.zone) = (address, span, whole, zone)
    }

    var html: HTML {
        let length = Int64(span.count)
        var links: [(name: String, address: Address)] = []
        func add(_ name: String, _ start: Int64, _ end: Int64) {
            let options = Document.Link("").over(start, end, zone).options
            let named = options.reduce(address) { address, option in
                Parameter(rawValue: option.name).map { address.with($0, option.value) } ?? address
            }
            links.append((name, named))
        }
        if span.lowerBound > whole.lowerBound { add("‹ Earlier", span.lowerBound - length, span.lowerBound) }
        if span.upperBound < whole.upperBound { add("Later ›", span.upperBound, span.upperBound + length) }
        if length < whole.count {
            add("Out", span.lowerBound - length / 2, span.upperBound + length / 2)
            links.append(("All", address.with(.since, nil).with(.until, nil)))
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let last = Date(timeIntervalSince1970: Double(min(span.upperBound, whole.upperBound) - 1))
        for (name, unit) in [("Day", .day), ("Week", .weekOfYear), ("Month", .month), ("Year", .year)]
            as [(String, Calendar.Component)]
        {
            guard let interval = calendar.dateInterval(of: unit, for: last) else { continue }
            add(name, Int64(interval.start.timeIntervalSince1970), Int64(interval.end.timeIntervalSince1970))
        }
        return .element(
            "nav", ["class": "times", "aria-label": "Interval"],
            links.filter(\.address.isTaken).map { .element("a", ["href": $0.address.text], HTML($0.name)) })
    }
}
