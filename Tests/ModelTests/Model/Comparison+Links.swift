extension Comparison {
    /// Pass 3: the sync identifier, the external UUID, the workout activity's UUID, in this order, within a type.
    /// The first two need the same source.
    mutating func linkStableIdentifiers() {
        let names = self.names
        link(.syncIdentifier) { sample in sample.syncIdentifier.map { [sample.type, $0, names.key(sample)] } }
        link(.externalUUID) { sample in sample.externalUUID.map { [sample.type, $0, names.key(sample)] } }
        linkActivities(.activityUUID) { [$0.type] }
    }

    /// Pass 4: one fact in another unit. Within one type, start and end both sides are merged in ascending order of the
    /// common unit's value: of two heads that do not fit, the smaller one is passed over. In a first round the creation
    /// dates are equal, in a second one the sources.
    mutating func linkConvertedUnits() {
        let names = self.names
        for origin in [Self.creationKey, names.key] {
            let before = Dictionary(grouping: disappeared) { Self.conversionKey($0, origin) }
            let after = Dictionary(grouping: appeared) { Self.conversionKey($0, origin) }
            for case (let key?, let olds) in before {
                if let news = after[key] { take(merge(ascending(olds), ascending(news))) }
            }
        }
    }

    /// Type, dimension, start, end and origin of a sample that has a number in a known unit.
    private static func conversionKey(_ sample: Sample, _ origin: (Sample) -> String) -> [String]? {
        guard case .number = sample.value, let unit = sample.unit, let dimension = UnitTable.dimension(unit) else {
            return nil
        }
        return [sample.type, dimension, "\(sample.start ?? 0)", "\(sample.end ?? 0)", origin(sample)]
    }

    /// The value in the common unit; `conversionKey` has said that there is one.
    private func common(_ sample: Sample) -> Double {
        guard case .number(let number) = sample.value, let unit = sample.unit else { return 0 }
        return UnitTable.common(number, unit) ?? 0
    }

    /// Ascending by the common unit's value, ties by identity and version.
    ///
    /// Values in different units that are the same but for the rounding of doubles make the type undecided: which of
    /// them comes first is a matter of how a program multiplies.
    private mutating func ascending(_ samples: [Sample]) -> [Sample] {
        if !order.decides(samples) { undecidedTypes.formUnion(samples.map(\.type)) }
        let sorted = order.sorted(samples).enumerated().map { (common($0.element), $0.offset, $0.element) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.unit != second.unit {
            if abs(common(first) - common(second)) <= 1e-9 * abs(common(first)) { undecidedTypes.insert(first.type) }
        }
        return sorted
    }

    /// Merges two ascending sides into pairs.
    private mutating func merge(_ olds: [Sample], _ news: [Sample]) -> [Pair] {
        var found: [Pair] = []
        var old = 0
        var new = 0
        while old < olds.count, new < news.count {
            switch verdict(olds[old], news[new]) {
            case .equal:
                found.append(Pair(before: olds[old], after: news[new], evidence: .unitConversion))
                old += 1
                new += 1
            case .borderline:
                undecidedTypes.insert(olds[old].type)
                fallthrough
            case .different:
                if common(olds[old]) < common(news[new]) { old += 1 } else { new += 1 }
            }
        }
        return found
    }

    /// Whether two samples are one fact in two different units.
    private func verdict(_ old: Sample, _ new: Sample) -> UnitTable.Verdict {
        guard case .number(let first) = old.value, case .number(let second) = new.value, let unit = old.unit,
            let newUnit = new.unit, unit != newUnit
        else { return .different }
        return UnitTable.compare(first, unit, second, newUnit)
    }

    /// Pass 5: category values that later iOS versions print differently, in either direction; two rounds as in pass 4.
    mutating func linkValueSynonyms() {
        let names = self.names
        for origin in [Self.creationKey, names.key] {
            link(.valueSynonym) { sample in
                guard case .text(let text) = sample.value, let fact = Self.synonyms[text] else { return nil }
                return [sample.type, fact, "\(sample.start ?? 0)", "\(sample.end ?? 0)", origin(sample)]
            }
        }
    }

    /// The fact that each spelling stands for.
    private static let synonyms = [
        "HKCategoryValueSleepAnalysisAsleep": "asleep", "HKCategoryValueSleepAnalysisAsleepUnspecified": "asleep",
    ]
}
