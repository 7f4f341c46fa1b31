internal import HealthModel

/// One bucket of one type while its days and series come in.
struct GatheredBucket {
    private struct Group: Hashable {
        var source: ExactText?
        var unit: ExactText?
    }

    private let type: String
    private let isCumulative: Bool
    private let series: [Int64: StoredBuckets.Series]
    private var groups: [Group: (builder: AggregateBuilder, versions: Set<ExactText>)] = [:]
    var label = ""
    var start: Int64 = 0
    var end: Int64 = 0

    init(type: String, series: [Int64: StoredBuckets.Series]) {
        self.type = type
        self.series = series
        isCumulative = QuantityTypeTable.shared[type].isCumulative
    }

    var isEmpty: Bool { groups.isEmpty }

    mutating func add(_ aggregate: Aggregate, series id: Int64) {
        guard let known = series[id] else { return }
        let group = Group(source: known.sourceName.map(ExactText.init(_:)), unit: known.unit.map(ExactText.init(_:)))
        groups[group, default: (AggregateBuilder(), [])].builder.merge(AggregateBuilder(aggregate))
        if let version = known.sourceVersion { groups[group]?.versions.insert(ExactText(version)) }
    }

    /// Hands on the rows of the bucket and empties it.
    mutating func finish(_ body: (AggregateBucket) throws -> Void) throws {
        defer { groups.removeAll() }
        let ordered = groups.sorted { Self.precedes($0.key, $1.key) }
        for (group, value) in ordered {
            try body(row(group.source, value.versions.sorted().map(\.text), group.unit, value.builder, nil))
        }
        guard isCumulative else { return }
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
            aggregate: builder.aggregate, overlappingSources: sources)
    }

    private static func precedes(_ a: Group, _ b: Group) -> Bool {
        func key(_ group: Group) -> [UInt8] {
            Array((group.source?.text ?? "").utf8) + [0] + Array((group.unit?.text ?? "").utf8)
        }
        return key(a).lexicographicallyPrecedes(key(b))
    }
}
