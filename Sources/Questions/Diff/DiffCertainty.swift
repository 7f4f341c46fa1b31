internal import Days
internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// What must stay uncertain in a diff: what one of its observations did not take or not read whole.
struct DiffCertainty {
    private let earlier: [TypeStates]
    private let closing: [TypeStates]

    init(_ db: Database, _ span: DiffSpan) throws {
        earlier = try span.earlierSide.map { try TypeStates(db, at: $0) }
        closing = try span.behindFrom.map { try TypeStates(db, at: $0) }
    }

    /// What is uncertain of a type with so many changes; empty where all is certain.
    func codes(_ id: Int64, _ name: String, appeared: Int64, disappeared: Int64) -> [Uncertainty] {
        var codes: [Uncertainty] = []
        let states = Set(earlier.map { $0.status(of: id, name) })
        if appeared > 0 {
            if states.contains(.excluded) { codes.append(.appearancesAfterExcluded) }
            if states.contains(.incomplete) { codes.append(.appearancesAfterIncomplete) }
        }
        // What the last observation that took the type says is what counts: one without it knows nothing new.
        let last = closing.last { ($0.stored[id] ?? .excluded) != .excluded }
        if disappeared > 0, last?.stored[id] == .incomplete { codes.append(.disappearancesTowardsIncomplete) }
        return codes
    }
}

extension DiffSummary {
    /// The summary of these types, by id, with the labels that take no analysis and what is uncertain.
    ///
    /// - Parameters:
    ///   - filter: the types that were asked about; nil for all.
    ///   - withoutLinks: the types of which stored links are not followed.
    init(
        _ db: Database, _ span: DiffSpan, _ types: [Int64: TypeDiff], asked filter: TypeFilter?,
        withoutLinks: Set<Int64> = []
    ) throws {
        let certainty = try DiffCertainty(db, span)
        var settled: [TypeDiff] = []
        for (id, var diff) in types {
            let codes = certainty.codes(id, diff.type, appeared: diff.appeared, disappeared: diff.disappeared)
            diff.settleLabels(codes + (withoutLinks.contains(id) ? [.linksNotFollowed] : []))
            settled.append(diff)
        }
        self.init(
            from: span.from, to: span.to, through: span.through,
            zone: try ChainZone.recorded(db, chain: span.chain.id)?.zone,
            types: settled.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) },
            sideFiles: try SideFileDiff.read(db, span.chain, from: span.from, to: span.to, types: filter))
    }
}

extension DiffSummary.TypeDiff {
    /// Sets what is uncertain, and the labels that take no analysis.
    mutating func settleLabels(_ uncertainty: [Uncertainty]) {
        self.uncertainty = uncertainty
        labels = DiffLabel.allCases.filter { label in
            switch label {
            case .appeared: appeared > 0
            case .disappeared: disappeared > 0
            case .representationChanged: representationChanged > 0
            case .aggregateChanged: days.known > 0
            case .uncertain: !uncertainty.isEmpty
            case .consolidationLikely, .valueRevised: false
            }
        }
    }
}

/// How completely an observation knows each type, also those of which it has no row.
private struct TypeStates {
    /// The statuses that are stored, by type.
    let stored: [Int64: TypeStatus]
    private let account: ObservationAccount

    init(_ db: Database, at observation: Observation) throws {
        stored = try TypeRunRow.read(db, importID: observation.id).mapValues(\.status)
        account = try ObservationAccount(db, observation)
    }

    /// The status of a type that may be unknown to the observation: whether its export had such items was not looked at.
    func status(of type: Int64, _ name: String) -> TypeStatus {
        stored[type] ?? account.status(of: name, read: 0)
    }
}
