internal import ArchiveAggregating
internal import ArchiveComparing
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// What must stay uncertain in a diff: what one of its observations did not take or not read whole.
struct DiffCertainty {
    private let earlier: [TypeStates]
    private let closing: [TypeStates]

    init(_ db: Database, _ span: DiffSpan) throws {
        earlier = try span.earlierSide.map { try TypeStates(db, at: $0) }
        closing = try span.behindFrom.map { try TypeStates(db, at: $0) }
    }

    /// The codes of a type with so many changes; empty where all is certain.
    func codes(_ id: Int64, _ name: String, appeared: Int64, disappeared: Int64) -> [String] {
        var codes: [String] = []
        let states = Set(earlier.map { $0.status(of: id, name) })
        if appeared > 0 {
            for status in [TypeStatus.excluded, .incomplete] where states.contains(status) {
                codes.append("appearancesAfter:\(status.rawValue)")
            }
        }
        // What the last observation that took the type says is what counts: one without it knows nothing new.
        let last = closing.last { ($0.stored[id] ?? .excluded) != .excluded }
        if disappeared > 0, last?.stored[id] == .incomplete { codes.append("disappearancesTowards:incomplete") }
        return codes
    }
}

extension DiffSummary.TypeDiff {
    /// Sets what is uncertain, and the labels that take no analysis.
    mutating func settleLabels(_ uncertainty: [String]) {
        self.uncertainty = uncertainty
        labels = [
            ("appeared", appeared > 0), ("disappeared", disappeared > 0),
            ("representationChanged", representationChanged > 0), ("aggregateChanged", days.known > 0),
            ("uncertain", !uncertainty.isEmpty),
        ].filter(\.1).map(\.0)
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
