extension Comparison {
    /// A way from a sample before to one after.
    private struct Way {
        let start: Sample
        let end: Sample
        let steps: [Step]

        /// The order of ways: places from the last step to the first, then what links them, in the order of diffs.
        var rank: [Int] {
            steps.reversed().map(\.to) + [-1] + steps.reversed().map { Self.listed.firstIndex(of: $0.evidence) ?? 0 }
        }

        /// The one rule of the steps, the strict key aside, or `lineage`.
        var evidence: Evidence {
            let others = Set(steps.map(\.evidence)).subtracting([.strictKey])
            return others.count > 1 ? .lineage : others.first ?? .strictKey
        }

        private static let listed: [Evidence] = [
            .strictKey, .unitConversion, .syncIdentifier, .externalUUID, .activityUUID, .valueSynonym,
        ]
    }

    /// Pass 6: what is left on both sides and joined by the links of the neighbours in between, by trying every way.
    ///
    /// - Parameters:
    ///   - span: the observations from A to B.
    ///   - through: whether a way begins where its sample was seen last before B.
    mutating func linkLineage(_ span: ArraySlice<ModelObservation>, through: Bool) {
        guard span.count > 2 else { return }
        let free = Set(disappeared.map(\.type)).intersection(appeared.map(\.type))
        for observation in span.dropFirst() {
            let undecided = observation.undecidedTypes.union(observation.comparison.undecidedTypes)
            undecidedTypes.formUnion(undecided.intersection(free))
        }
        var best: [[Sample]: Way] = [:]
        for start in Set(disappeared) {
            let seen = span.indices.dropLast().last { span[$0].state.contains(start) }
            for way in Self.ways(from: start, behind: through ? seen ?? span.startIndex : span.startIndex, span)
            where appeared.contains(way.end) {
                let known = best[[way.start, way.end]]
                if known.map({ way.rank.lexicographicallyPrecedes($0.rank) }) ?? true {
                    best[[way.start, way.end]] = way
                }
            }
        }
        let ways = Dictionary(grouping: best.values) { $0.steps.reversed().map(\.to) }
        for (_, equal) in ways.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            noteUnknownOrder(equal)
            for way in equal.sorted(by: { hashes($0).lexicographicallyPrecedes(hashes($1)) }) {
                let count = min(
                    disappeared.filter { $0 == way.start }.count, appeared.filter { $0 == way.end }.count)
                let pair = Pair(
                    before: way.start, after: way.end, evidence: way.evidence,
                    steps: way.steps.count > 1 ? way.steps : [])
                take(Array(repeating: pair, count: count))
            }
        }
    }

    /// All ways from a sample, each with at least one step.
    private static func ways(from start: Sample, behind place: Int, _ span: ArraySlice<ModelObservation>) -> [Way] {
        var found: [Way] = []
        var open = [Way(start: start, end: start, steps: [])]
        while let way = open.popLast() {
            let last = way.steps.last?.to ?? place
            for index in span.indices where index > last {
                for pair in Set(span[index].comparison.pairs) where pair.before == way.end {
                    let step = Step(from: index - 1, to: index, evidence: pair.evidence)
                    open.append(Way(start: start, end: pair.after, steps: way.steps + [step]))
                }
            }
            if !way.steps.isEmpty { found.append(way) }
        }
        return found
    }

    /// Identity and version of both ends, as far as they are known.
    private func hashes(_ way: Way) -> [String] {
        [way.start, way.end].flatMap { sample in
            let known = order.hashes(sample)
            return [known?.identity ?? sample.identity, known?.version ?? sample.canonicalText]
        }
    }

    /// Where ways of one type are told apart by hashes alone, these must be known.
    private mutating func noteUnknownOrder(_ ways: [Way]) {
        for (type, ways) in Dictionary(grouping: ways, by: \.start.type) where ways.count > 1 {
            if !order.decides(ways.flatMap { [$0.start, $0.end] }) { undecidedTypes.insert(type) }
        }
    }
}
