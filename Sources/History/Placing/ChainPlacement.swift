internal import GRDB
internal import HealthModel
internal import Store

/// What decides an observation's place in its chain: date, then partial before complete, then the XML's hash.
struct ChainOrder: Comparable {
    var observedAt: Int64
    var isComplete: Bool
    /// Nil while the file has not been read: taken for the highest.
    var xmlSHA256: Digest256?

    static func < (first: ChainOrder, second: ChainOrder) -> Bool {
        if first.observedAt != second.observedAt { return first.observedAt < second.observedAt }
        if first.isComplete != second.isComplete { return second.isComplete }
        guard let low = first.xmlSHA256 else { return false }
        guard let high = second.xmlSHA256 else { return true }
        return low < high
    }
}

extension ChainOrder {
    init(_ observation: Observation) {
        self.init(
            observedAt: observation.observedAt, isComplete: observation.status == .completed,
            xmlSHA256: observation.xmlSHA256)
    }
}

/// The place of an import among the finished observations of its chain.
struct ChainPlacement {
    /// The import belongs elsewhere than was assumed before its file had been read.
    struct Misplaced: Error {
        var order: ChainOrder
    }

    let importID: Int64
    /// The observations before the import, oldest first.
    let before: [Observation]
    let after: [Observation]

    init(_ chain: Chain, importID: Int64, order: ChainOrder) {
        let others = chain.finished.filter { $0.id != importID }
        self.importID = importID
        before = others.filter { ChainOrder($0) < order }
        after = others.filter { !(ChainOrder($0) < order) }
    }

    var predecessor: Observation? { before.last }
    var successor: Observation? { after.first }

    /// The observation with whose state the items are merged: the one before, or for a new first one the one after.
    var baseline: Observation? { predecessor ?? successor }

    /// All ids in chain order, the import among them.
    var ids: [Int64] { before.map(\.id) + [importID] + after.map(\.id) }

    /// The ids up to and including one, as `Visibility` needs them.
    func ids(through id: Int64) -> [Int64] { ids.prefix { $0 != id } + [id] }

    /// The ids up to the baseline, as they are while the import is not in the chain.
    var idsThroughBaseline: [Int64] {
        baseline.map { base in ids(through: base.id).filter { $0 != importID } } ?? []
    }

    /// Refuses a place that the file's completeness or hash makes wrong.
    func verify(_ order: ChainOrder) throws {
        if let predecessor, !(ChainOrder(predecessor) < order) { throw Misplaced(order: order) }
        if let successor, !(order < ChainOrder(successor)) { throw Misplaced(order: order) }
    }
}
