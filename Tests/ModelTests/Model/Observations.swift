/// One export as it was made: what the phone printed, and where the file was cut off.
struct ModelExport {
    /// The export date, Unix seconds.
    var date: Int
    /// The printed offset from UTC.
    var offsetSeconds: Int
    /// The characteristics of `Me`.
    var me: [String: String]
    /// All items in the file's order.
    var items: [Element]
    /// How many items lie before the cut; `nil` for a whole file.
    var cutAfter: Int?
    /// Seeds what may vary without changing a fact: pointers, order of attributes, spelling of numbers and dates.
    var printingSeed: UInt64

    /// Whether the file is cut off.
    var isPartial: Bool { cutAfter != nil }

    /// The top-level items before the cut.
    var itemsRead: ArraySlice<Element> { items.prefix(cutAfter ?? items.count) }

    /// What the file itself shows.
    var read: [Sample] { SampleReader.samples(me: me, items: Array(itemsRead)) }
}

/// One observation of the chain.
struct ModelObservation {
    let isPartial: Bool
    /// What the file itself showed.
    let read: [Sample]
    /// What is visible: what was read, or for a partial observation its predecessor's state with that applied.
    let state: [Sample]
    /// The comparison with the predecessor's state that the import reports.
    let comparison: Comparison
    /// Types in which the state itself hangs on an unknown hash.
    let undecidedTypes: Set<String>

    /// Observes the exports in their order.
    static func observe(_ exports: [ModelExport], order: HashOrder) -> [ModelObservation] {
        var observations: [ModelObservation] = []
        for export in exports {
            let before = observations.last?.state ?? []
            let known = observations.last?.undecidedTypes ?? []
            observations.append(observe(export, before: before, undecided: known, order: order))
        }
        return observations
    }

    /// A partial observation keeps what it did not see. What it saw takes the place of what passes 1 to 5 pair it
    /// with; no old source name counts as gone, because the unread rest of the file may still show it.
    private static func observe(
        _ export: ModelExport, before: [Sample], undecided: Set<String>, order: HashOrder
    ) -> ModelObservation {
        let read = export.read
        guard export.isPartial else {
            let comparison = Comparison(before, read, order: order)
            return ModelObservation(
                isPartial: false, read: read, state: read, comparison: comparison, undecidedTypes: [])
        }
        let applied = Comparison(before, read, order: order, namesAfter: before + read)
        let state = applied.unchanged + applied.pairs.map(\.after) + applied.appeared + applied.disappeared
        return ModelObservation(
            isPartial: true, read: read, state: state, comparison: Comparison(before, state, order: order),
            undecidedTypes: undecided.union(applied.undecidedTypes))
    }
}

/// The counts of one comparison in one type, as `import` and `diff` report them.
struct TypeTally: Equatable {
    var before = 0
    var after = 0
    var appeared = 0
    var disappeared = 0
    var representationChanged = 0
    /// Pairs by what links them; zeros left out.
    var evidence: [String: Int] = [:]
    /// Pairs in which a field differs, by field; zeros left out.
    var changedFields: [String: Int] = [:]

    /// All types of a comparison of two states.
    static func tallies(_ comparison: Comparison, before: [Sample], after: [Sample]) -> [String: TypeTally] {
        var result: [String: TypeTally] = [:]
        for sample in before { result[sample.type, default: TypeTally()].before += 1 }
        for sample in after { result[sample.type, default: TypeTally()].after += 1 }
        for sample in comparison.appeared { result[sample.type, default: TypeTally()].appeared += 1 }
        for sample in comparison.disappeared { result[sample.type, default: TypeTally()].disappeared += 1 }
        for pair in comparison.pairs {
            var tally = result[pair.before.type] ?? TypeTally()
            tally.representationChanged += 1
            tally.evidence[pair.evidence.rawValue, default: 0] += 1
            for field in pair.before.changedFields(to: pair.after) { tally.changedFields[field, default: 0] += 1 }
            result[pair.before.type] = tally
        }
        return result
    }
}
