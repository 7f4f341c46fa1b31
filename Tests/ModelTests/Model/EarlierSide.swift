/// Everything that was visible at any observation of a span, each sample once and in its last representation.
///
/// A sample is its strict key, and counts as often as copies of it were there at once. What appears takes the place of
/// what is gone of its sample: of an equal copy, else of the one that went last. Where it is linked with another sample,
/// its own return weighs more, and that other one is gone; and where a version that is gone is what another copy became,
/// it is there again and that other copy is gone.
struct EarlierSide {
    /// What any observation showed: source names are judged on it.
    let everVisible: [Sample]
    /// Types in which a choice hung on an unknown hash, or on which of several equal copies became what.
    private(set) var undecidedTypes: Set<String>

    private let lastState: [Sample]
    private var gone: [(sample: Sample, position: Int)] = []
    private let order: HashOrder

    /// - Parameter span: the observations in their order.
    init(_ span: ArraySlice<ModelObservation>, order: HashOrder) {
        self.order = order
        everVisible = span.flatMap(\.state)
        lastState = span.last?.state ?? []
        undecidedTypes = span.reduce(into: []) { $0.formUnion($1.undecidedTypes) }
        for (position, observation) in span.enumerated().dropFirst() {
            undecidedTypes.formUnion(observation.comparison.undecidedTypes)
            tell(observation.comparison, at: position)
        }
    }

    /// What the last observation shows, and what is gone.
    var samples: [Sample] { lastState + gone.map(\.sample) }

    private mutating func tell(_ comparison: Comparison, at position: Int) {
        gone += comparison.disappeared.map { ($0, position) }
        let others = comparison.appeared.filter { !takeEqual($0) }
        for sample in order.sorted(others) { _ = takeOther(sample) }

        let linked = comparison.pairs.filter { $0.evidence != .strictKey }
        noteChoices(linked)
        var rest: [Comparison.Pair] = []
        for pair in linked {
            if takeEqual(pair.after) { gone.append((pair.before, position)) } else { rest.append(pair) }
        }
        for sample in order.sorted(Array(Set(rest.map(\.after)))) {
            for pair in rest where pair.after == sample && takeOther(sample) { gone.append((pair.before, position)) }
        }

        let changed = comparison.pairs.filter { $0.evidence == .strictKey }
        noteChoices(changed)
        for pair in changed where takeEqual(pair.after) { gone.append((pair.before, position)) }
    }

    /// Where fewer copies of a sample are gone than came back linked, the choice is the archive's.
    private mutating func noteChoices(_ pairs: [Comparison.Pair]) {
        for (key, pairs) in Dictionary(grouping: pairs, by: { [$0.after.type, $0.after.identity] }) {
            let count = gone.filter { [$0.sample.type, $0.sample.identity] == key }.count
            if count > 0, count < pairs.count { undecidedTypes.formUnion(pairs.map(\.after.type)) }
        }
    }

    /// Takes an equal copy from what is gone.
    private mutating func takeEqual(_ sample: Sample) -> Bool {
        guard let index = gone.firstIndex(where: { $0.sample == sample }) else { return false }
        gone.remove(at: index)
        return true
    }

    /// Takes a copy of the same sample from what is gone: the last one that went, of several the first by version.
    private mutating func takeOther(_ sample: Sample) -> Bool {
        let own = gone.filter { $0.sample.type == sample.type && $0.sample.identity == sample.identity }
        guard let last = own.map(\.position).max() else { return false }
        let candidates = own.filter { $0.position == last }.map(\.sample)
        if !order.decides(candidates) { undecidedTypes.insert(sample.type) }
        guard let first = order.sorted(candidates).first,
            let index = gone.firstIndex(where: { $0.position == last && $0.sample == first })
        else { return false }
        gone.remove(at: index)
        return true
    }
}
