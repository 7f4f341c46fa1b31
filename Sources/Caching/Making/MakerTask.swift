internal import Analysis
internal import ArchiveAggregating
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import Foundation
internal import HealthModel
internal import Synchronization

/// The days of a type that changed up to an observation from the one before it.
typealias ChangedTypes = [ChangedPlace: ChangedDays]

/// A type at an observation.
struct ChangedPlace: Hashable, Sendable {
    var observation: Int64
    var type: Int64
}

/// Groups that are made in one step.
enum MakerTask: Sendable {
    case health(CacheKey)
    case observations(CacheKey)
    /// The types of observations of one chain.
    case types([CacheKey])
    /// Months and days of a type, and the days that changed up to the observations at these places of the chain.
    case aggregates(Chain, type: Int64, name: String, [CacheKey], changes: Set<Int>)
    /// The diff of neighbours, with the days that changed.
    case storedDiff(CacheKey, ChangedTypes)

    /// The tasks for all wanted groups that rest on nothing that another task gives, in the order in which they are to be
    /// done.
    static func all(_ wanted: Set<CacheKey>, _ state: ArchiveState) -> [MakerTask] {
        var tasks = wanted.sorted(of: .health).map { MakerTask.health($0) }
        tasks += wanted.sorted(of: .observations).map { .observations($0) }
        tasks += Dictionary(grouping: wanted.sorted(of: .types), by: \.chain).values.map { .types($0) }
        for chain in state.chains {
            let own = wanted.filter { $0.chain == chain.id }
            let later = Set(own.filter { $0.entity == .diffs && $0.part == 0 }.map(\.to))
            let changes = Set(chain.finished.indices.filter { later.contains(chain.finished[$0].id) })
            let keys = Dictionary(grouping: own.filter { [.months, .days].contains($0.entity) }, by: \.type)
            for (id, name) in state.typeNames.sorted(by: { $0.value < $1.value }) {
                let keys = (keys[ExactText(name)] ?? []).sorted()
                let isKnown = !changes.isEmpty && chain.finished.contains { state.hash(of: id, at: $0.id) != nil }
                if !keys.isEmpty || isKnown {
                    tasks.append(.aggregates(chain, type: id, name: name, keys, changes: changes))
                }
            }
        }
        return tasks
    }
}

/// Does tasks with one connection, on one thread.
final class TaskWorker {
    /// What a task gave.
    struct Made: Sendable {
        var groups: [CacheGroup] = []
        var changed = ChangedTypes()
    }

    private let reader: any ArchiveAccess
    private let state: ArchiveState
    private let sources = SourceHashes()
    /// By chain.
    private var sweeps: [Int64: (sweep: AggregateSweep, zone: String)] = [:]

    init(reader: any ArchiveAccess, state: ArchiveState) {
        self.reader = reader
        self.state = state
    }

    /// - Throws: `GroupMaker.Stale`, and what the archive throws.
    func run(_ task: MakerTask) throws -> Made {
        try state.read(reader) { db in
            let rows = RowMaker(db: db, state: state)
            switch task {
            case .health(let key): return Made(groups: [try state.group(key, CacheRows(rows.health()))])
            case .observations(let key):
                guard let chain = state.chain(key.chain) else { return Made() }
                return Made(groups: [try state.group(key, CacheRows(rows.observations(chain)))])
            case .types(let keys):
                return Made(
                    groups: try keys.map { try state.group($0, CacheRows(rows.types(at: $0.observation))) })
            case .aggregates(let chain, let id, let name, let keys, let changes):
                return try aggregates(db, chain, id, name, keys, changes)
            case .storedDiff(let key, let changed): return try storedDiff(db, key, changed)
            }
        }
    }

    private func sweep(_ db: ArchiveDatabase, _ chain: Chain) throws -> (sweep: AggregateSweep, zone: String)? {
        if let known = sweeps[chain.id] { return known }
        guard let sweep = try AggregateSweep(db, chain),
            let zone = try ChainZone.recorded(db, chain: chain.id)?.zone.name
        else { return nil }
        sweeps[chain.id] = (sweep, zone)
        return (sweep, zone)
    }

    /// Months, days and the days of changes come from one pass over the stored days of the type.
    private func aggregates(
        _ db: ArchiveDatabase, _ chain: Chain, _ id: Int64, _ name: String, _ keys: [CacheKey], _ changes: Set<Int>
    ) throws -> Made {
        guard let (sweep, zone) = try sweep(db, chain) else {
            return Made(groups: try keys.map { try state.group($0, CacheRows([])) })
        }
        let places = chain.places
        var wanted: [AggregateQuestion.Size: Set<Int>] = [:]
        for key in keys { if let place = places[key.observation] { wanted[key.size, default: []].insert(place) } }
        var rows: [AggregateQuestion.Size: RowsOfRuns] = [:]
        let changed = try sweep.run(type: id, name, wanted, changes: changes) { size, observations, buckets in
            rows[size, default: RowsOfRuns()].add(
                buckets.map { RowMaker.row($0, zone: zone, sources) }, at: observations)
        }
        var made = Made()
        for key in keys {
            guard let place = places[key.observation] else { continue }
            made.groups.append(try state.group(key, rows[key.size, default: RowsOfRuns()].rows(at: place)))
        }
        for (observation, days) in changed { made.changed[ChangedPlace(observation: observation, type: id)] = days }
        return made
    }

    private func storedDiff(_ db: ArchiveDatabase, _ key: CacheKey, _ changed: ChangedTypes) throws -> Made {
        guard let chain = state.chain(key.chain), let later = chain.finished.first(where: { $0.id == key.to }) else {
            return Made()
        }
        var days: [Int64: ChangedDays] = [:]
        for (place, found) in changed where place.observation == key.to { days[place.type] = found }
        guard var diff = try StoredDiff.read(db, chain, at: later, days: days), diff.from.id == key.observation else {
            return Made()
        }
        let verdicts = try LabelledDiff.label(&diff, db, chain: chain)
        return Made(groups: [try state.group(key, CacheRows(RowMaker.rows(diff, verdicts)))])
    }
}

/// The tasks that two threads do together; what the second one made is put away by the first.
final class SharedTasks: Sendable {
    private struct State {
        var left: ArraySlice<MakerTask>
        var made: [TaskWorker.Made] = []
        var isEnded = false
    }

    private let state: Mutex<State>
    private let places = DispatchSemaphore(value: mostWaiting)
    private let arrivals = DispatchSemaphore(value: 0)

    /// How many results may wait to be put away.
    private static let mostWaiting = 4

    init(_ tasks: [MakerTask]) { state = Mutex(State(left: tasks[...])) }

    /// The next task that nobody has begun.
    func next() -> MakerTask? { state.withLock { $0.left.popFirst() } }

    /// Drops the tasks that nobody has begun.
    func stop() { state.withLock { $0.left = [] } }

    // MARK: - The second thread

    /// Hands on what was made; waits while too much waits to be put away.
    func hand(_ made: TaskWorker.Made) {
        places.wait()
        state.withLock { $0.made.append(made) }
        arrivals.signal()
    }

    /// Says that nothing more comes.
    func end() {
        state.withLock { $0.isEnded = true }
        arrivals.signal()
    }

    // MARK: - The first thread

    /// The oldest result of the second thread; nil where nothing more comes.
    /// - Parameter isWaiting: whether to wait for one; else nil where none is there now.
    func taken(isWaiting: Bool) -> TaskWorker.Made? {
        if isWaiting { arrivals.wait() } else if arrivals.wait(timeout: .now()) != .success { return nil }
        return state.withLock { state in
            guard let first = state.made.first else {
                // The end was said; who asks again hears it again.
                arrivals.signal()
                return nil
            }
            state.made.removeFirst()
            places.signal()
            return first
        }
    }
}

extension CacheKey {
    /// How long the buckets of its rows are.
    fileprivate var size: AggregateQuestion.Size { entity == .days ? .day : .month }
}

/// Rows that runs of observations show, put together for each observation; where two show the same, once for both.
private struct RowsOfRuns {
    private var runs: [(observations: Range<Int>, rows: [[CacheValue]])] = []
    private var borders: Set<Int> = []
    /// By how many borders are not behind an observation.
    private var made: [Int: CacheRows] = [:]

    /// Adds rows behind all others of these observations.
    mutating func add(_ rows: [[CacheValue]], at observations: Range<Int>) {
        runs.append((observations, rows))
        borders.formUnion([observations.lowerBound, observations.upperBound])
    }

    /// The rows of an observation, after the last one was added.
    mutating func rows(at place: Int) -> CacheRows {
        let part = borders.count { $0 <= place }
        if let known = made[part] { return known }
        let rows = CacheRows(runs.lazy.filter { $0.observations.contains(place) }.flatMap(\.rows))
        made[part] = rows
        return rows
    }
}
