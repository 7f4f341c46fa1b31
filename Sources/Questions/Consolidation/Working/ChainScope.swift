internal import GRDB
internal import History
internal import Store

/// The chain up to the later observation of a question: positions, ids, and which source names each state has.
final class ChainScope {
    let chain: Chain
    /// Its finished observations, oldest first.
    let observations: [Observation]
    private let positions: [Int64: Int]
    private let db: Database
    private var sources: [Int: Set<Int64>] = [:]

    init(_ db: Database, chain: Chain, to: Observation) {
        self.db = db
        self.chain = chain
        observations = chain.finished.filter { $0.order <= to.order }
        positions = Dictionary(observations.map { ($0.id, $0.order) }) { first, _ in first }
    }

    /// The finished observations from one up to, not including, another.
    func observations(from: Observation, before to: Observation) -> [Observation] {
        observations.filter { $0.order >= from.order && $0.order < to.order }
    }

    /// The ids as a list for SQL.
    var idList: String { observations.map(\.id).sqlList }

    /// The position of an observation; nil for a later one or one of another chain.
    func position(_ id: Int64) -> Int? { positions[id] }

    /// The id of the observation at a position.
    func id(at position: Int) -> Int64? {
        observations.indices.contains(position - 1) ? observations[position - 1].id : nil
    }

    /// The source names visible at a position.
    func sources(at position: Int) throws -> Set<Int64> {
        if let known = sources[position] { return known }
        let found = try SourceNames.names(db, at: id(at: position) ?? -1)
        sources[position] = found
        return found
    }

    /// Equal names, or an old name that the state with the replacement no longer has, with a new one that the state with
    /// the record had not yet.
    ///
    /// - Parameters:
    ///   - closed: the position at which the record was gone.
    ///   - replacement: the replacement's name.
    ///   - first: the name under which it appeared, at `position`.
    func isSameSource(
        _ source: Int64, closed: Int, as replacement: Int64, first: Int64, appearedAt position: Int
    ) throws -> Bool {
        if source == replacement || source == first { return true }
        return try !sources(at: position).contains(source) && !sources(at: closed - 1).contains(first)
    }
}
