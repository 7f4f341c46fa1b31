/// What links a sample before with a sample after.
enum Evidence: String, CaseIterable {
    case strictKey, syncIdentifier, externalUUID, activityUUID, unitConversion, valueSynonym, lineage
}

/// Which source names stand for the same source in a comparison of two states.
///
/// Names that occur in both states stand for themselves. Every name that occurs only before may have become every
/// name that occurs only after, so all of these share one key.
struct SourceNames {
    private let shared: Set<String>

    /// - Parameters:
    ///   - before: the state before.
    ///   - after: what "nowhere in B" is judged on: the state after, whole, whatever type is looked at.
    init(before: [Sample], after: [Sample]) {
        shared = Set(before.compactMap(\.source)).intersection(after.compactMap(\.source))
    }

    /// Equal for equal sources, one from each state.
    func key(_ sample: Sample) -> String {
        guard let source = sample.source else { return "none" }
        return shared.contains(source) ? "named \(source)" : "renamed"
    }
}

/// The comparison of two states (docs/design.md), A then B, by brute force.
struct Comparison {
    /// Two samples of which one is the other's new representation, or its successor.
    struct Pair: Hashable {
        let before: Sample
        let after: Sample
        let evidence: Evidence
        /// How the one became the other; empty but for pass 6, and there for one step.
        var steps: [Step] = []
    }

    /// A link between two neighbours, by their places in the chain from 0.
    struct Step: Hashable {
        let from: Int
        let to: Int
        let evidence: Evidence
    }

    /// Copies that are visible in both states with equal identity and version (pass 1).
    private(set) var unchanged: [Sample] = []
    /// Pass 2, passes 3 to 5 between neighbours, and pass 6 between others.
    var pairs: [Pair] = []
    /// What is left of A; after the passes: what disappeared (pass 7).
    var disappeared: [Sample]
    /// What is left of B; after the passes: what appeared (pass 7).
    var appeared: [Sample]
    /// Types in which the choice among different samples hung on a hash that is not known: compare their counts only.
    var undecidedTypes: Set<String> = []

    let names: SourceNames
    let order: HashOrder

    /// Compares two states.
    /// - Parameters:
    ///   - areNeighbours: whether passes 3 to 5 are run; of others `linkLineage` is.
    ///   - namesBefore: what the old source names are judged on, where that is not `before`.
    ///   - namesAfter: what the new source names are judged on, where that is not `after`.
    init(
        _ before: [Sample], _ after: [Sample], order: HashOrder, areNeighbours: Bool = true,
        namesBefore: [Sample]? = nil, namesAfter: [Sample]? = nil
    ) {
        disappeared = before
        appeared = after
        names = SourceNames(before: namesBefore ?? before, after: namesAfter ?? after)
        self.order = order
        takeUnchanged()
        pairWithinIdentities()
        guard areNeighbours else { return }
        linkStableIdentifiers()
        linkConvertedUnits()
        linkValueSynonyms()
    }

    /// Pass 1: equal identity and version, copy by copy.
    private mutating func takeUnchanged() {
        var available: [Sample: Int] = [:]
        for sample in appeared { available[sample, default: 0] += 1 }
        var taken: [Sample: Int] = [:]
        var left: [Sample] = []
        for sample in disappeared {
            if let count = available[sample], count > 0 {
                available[sample] = count - 1
                taken[sample, default: 0] += 1
                unchanged.append(sample)
            } else {
                left.append(sample)
            }
        }
        disappeared = left
        appeared = Self.removing(taken, from: appeared)
    }

    /// Pass 2: one strict key on both sides is one sample in a new version; the steps say only which copy is which.
    private mutating func pairWithinIdentities() {
        let names = self.names
        link(.strictKey) { sample in sample.syncIdentifier.map { [sample.type, sample.identity, $0] } }
        link(.strictKey) { sample in sample.externalUUID.map { [sample.type, sample.identity, $0] } }
        linkActivities(.strictKey) { [$0.type, $0.identity] }
        let steps: [(Sample) -> [String?]] = [
            { [names.key($0), Self.deviceKey($0), Self.creationKey($0)] },
            { [Self.creationKey($0)] },
            { [names.key($0)] },
            { _ in [] },
        ]
        for step in steps {
            link(.strictKey) { sample in [sample.type, sample.identity] + step(sample) }
        }
    }

    /// A workout takes part with the uuid of each of its activities, uuid by uuid in ascending order.
    mutating func linkActivities(_ evidence: Evidence, within key: (Sample) -> [String?]) {
        for uuid in Set(disappeared.flatMap(\.activityUUIDs)).sorted() {
            link(evidence) { sample in sample.activityUUIDs.contains(uuid) ? key(sample) : nil }
        }
    }

    /// A device as text, comparable with others.
    static func deviceKey(_ sample: Sample) -> String {
        sample.device.map { $0.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.description } ?? "absent"
    }

    /// A creation date as text; absent equals absent.
    static func creationKey(_ sample: Sample) -> String { sample.creation ?? "absent" }

    /// One step of a pass: of what is left, samples with equal keys are paired one by one, each side in the order of
    /// ties, as many as the smaller side has. A `nil` key takes no part.
    mutating func link(_ evidence: Evidence, key: (Sample) -> [String?]?) {
        let before = Dictionary(grouping: disappeared) { key($0) }
        let after = Dictionary(grouping: appeared) { key($0) }
        var found: [Pair] = []
        for case (let key?, let olds) in before {
            guard let news = after[key] else { continue }
            if !order.decides(olds) || !order.decides(news) { undecidedTypes.formUnion(olds.map(\.type)) }
            for (old, new) in zip(order.sorted(olds), order.sorted(news)) {
                found.append(Pair(before: old, after: new, evidence: evidence))
            }
        }
        take(found)
    }

    /// Moves pairs from what is left to what is paired.
    mutating func take(_ found: [Pair]) {
        pairs += found
        disappeared = Self.removing(Self.counts(found.map(\.before)), from: disappeared)
        appeared = Self.removing(Self.counts(found.map(\.after)), from: appeared)
    }

    /// How many copies of each sample there are.
    static func counts(_ samples: [Sample]) -> [Sample: Int] {
        samples.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The samples without the given number of copies of each.
    private static func removing(_ counts: [Sample: Int], from samples: [Sample]) -> [Sample] {
        var counts = counts
        return samples.filter { sample in
            guard let count = counts[sample], count > 0 else { return true }
            counts[sample] = count - 1
            return false
        }
    }
}
