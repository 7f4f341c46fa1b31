internal import HealthModel

/// Which series go into one row of a bucket: those of one source, of all its versions, and unit.
struct SeriesGroups: Sendable {
    /// In the order of rows.
    fileprivate let groups: [Group]
    /// The place of its group, by series.
    fileprivate let places: [Int64: Int]
    fileprivate let versions: [Int64: ExactText]

    fileprivate struct Group: Hashable, Sendable {
        var source: ExactText?
        var unit: ExactText?
    }

    init(_ series: [Int64: StoredBuckets.Series]) {
        let ofSeries = series.mapValues {
            Group(source: $0.sourceName.map(ExactText.init(_:)), unit: $0.unit.map(ExactText.init(_:)))
        }
        func key(_ group: Group) -> [UInt8] {
            Array((group.source?.text ?? "").utf8) + [0] + Array((group.unit?.text ?? "").utf8)
        }
        groups = Set(ofSeries.values).map { ($0, key($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
        let order = Dictionary(groups.enumerated().map { ($1, $0) }) { first, _ in first }
        places = ofSeries.compactMapValues { order[$0] }
        versions = series.compactMapValues { $0.sourceVersion.map(ExactText.init(_:)) }
    }
}

/// One bucket of one type while its days and series come in.
struct GatheredBucket {
    private let type: String
    private let isCumulative: Bool
    private let series: SeriesGroups
    /// By the place of the group.
    private var groups: [Int: (builder: AggregateBuilder, series: Set<Int64>)] = [:]
    private(set) var label = ""
    /// The first day behind the bucket.
    private(set) var nextDay = Int64.min
    private var start: Int64 = 0
    private var end: Int64 = 0

    init(type: String, series: SeriesGroups) {
        self.type = type
        self.series = series
        isCumulative = QuantityTypeTable.shared[type].isCumulative
    }

    /// Begins the bucket that a day is in.
    ///
    /// - Parameter clock: nil where nobody asks when the bucket begins and ends.
    mutating func begin(_ size: AggregateQuestion.Size, around day: Int64, _ clock: ZoneClock?) {
        label = size == .day ? LocalDate.text(day: day) : LocalDate.monthText(day: day)
        let days = size.days(around: day)
        nextDay = days.next
        if let clock { (start, end) = (clock.start(of: days.first), clock.start(of: days.next)) }
    }

    mutating func add(_ aggregate: Aggregate, series id: Int64) {
        guard let place = series.places[id] else { return }
        func add(to group: inout (builder: AggregateBuilder, series: Set<Int64>)) {
            group.builder.merge(AggregateBuilder(aggregate))
            group.series.insert(id)
        }
        add(to: &groups[place, default: (AggregateBuilder(), [])])
    }

    /// Hands on the rows of the bucket and empties it.
    mutating func finish(_ body: (AggregateBucket) throws -> Void) throws {
        defer { groups.removeAll(keepingCapacity: true) }
        let ordered = groups.sorted { $0.key < $1.key }.map { (key: series.groups[$0.key], value: $0.value) }
        for (group, value) in ordered {
            let versions = Set(value.series.compactMap { series.versions[$0] }).sorted().map(\.text)
            try body(row(group.source, versions, group.unit, value.builder, nil))
        }
        guard isCumulative, ordered.count > 1 else { return }
        for (unit, members) in Dictionary(grouping: ordered, by: \.key.unit).sorted(by: {
            ($0.key ?? ExactText("")) < ($1.key ?? ExactText(""))
        })
        where members.count > 1 {
            var total = AggregateBuilder()
            for member in members { total.merge(member.value.builder) }
            try body(row(nil, [], unit, total, members.count))
        }
    }

    private func row(
        _ source: ExactText?, _ versions: [String], _ unit: ExactText?, _ builder: AggregateBuilder, _ sources: Int?
    ) -> AggregateBucket {
        AggregateBucket(
            type: type, label: label, start: start, end: end, sourceName: source?.text, sourceVersions: versions,
            unit: unit?.text,
            aggregate: builder.aggregate, overlappingSources: sources, level: sources == nil ? .source : .sum)
    }
}
