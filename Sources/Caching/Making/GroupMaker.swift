internal import Analysis
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import GRDB
internal import HealthModel

/// Makes groups from the archive, step by step: each step reads the archive in one transaction and hands its groups on.
struct GroupMaker {
    /// The archive has changed since its state was read.
    struct Stale: Error {}
    /// Somebody ended the making.
    struct Ended: Error {}

    let reader: any ArchiveAccess
    /// Another connection to the archive, for a second thread; nil for one thread.
    var other: ArchiveReader?
    let state: ArchiveState
    /// Asked before each step.
    let isEnded: () -> Bool
    /// Receives the groups of a step: how many there are, and what makes each in turn.
    let sink: (_ count: Int, _ group: (Int) throws -> CacheGroup) throws -> Void

    /// A diff with more changes than these keeps no members.
    static let mostMembers = 250_000

    /// Makes these groups in about the order of the list of docs/cache.md; those that the archive cannot have are passed over.
    /// Of a diff's members all groups are made together, whichever is wanted.
    ///
    /// - Throws: `Stale`, `Ended`, and what the archive and the sink throw.
    func make(_ wanted: Set<CacheKey>) throws {
        let changed = try run(MakerTask.all(wanted, state))
        let diffs = wanted.sorted(of: .diffs)
        _ = try run(diffs.filter { $0.part == 0 }.map { .storedDiff($0, changed) })
        for key in diffs where key.part == 1 { try step { try analysedDiff(key, $0) } }
        for first in Set(wanted.sorted(of: .members).map { $0.block(0) }).sorted() { try members(first) }
        for key in wanted.sorted(of: .exports) {
            try step { [try state.group(key, CacheRows(RowMaker(db: $0, state: state).exports()))] }
        }
    }

    private func step(_ body: (ArchiveDatabase) throws -> [CacheGroup]) throws {
        if isEnded() { throw Ended() }
        let groups = try state.read(reader, body)
        try sink(groups.count) { groups[$0] }
    }

    /// Does tasks, on two threads where there are two connections.
    ///
    /// - Returns: the days that changed between neighbours of which diffs are wanted.
    private func run(_ tasks: [MakerTask]) throws -> ChangedTypes {
        let shared = SharedTasks(tasks)
        let second = other.map { other in
            ThreadResult { [state] in
                defer { shared.end() }
                let worker = TaskWorker(reader: other, state: state)
                while let task = shared.next() { try shared.hand(worker.run(task)) }
            }
        }
        var changed = ChangedTypes()
        func put(_ made: TaskWorker.Made) throws {
            for (place, days) in made.changed { changed[place] = days }
            try sink(made.groups.count) { made.groups[$0] }
        }
        do {
            let worker = TaskWorker(reader: reader, state: state)
            while let task = shared.next() {
                if isEnded() { throw Ended() }
                try put(worker.run(task))
                while let made = shared.taken(isWaiting: false) { try put(made) }
            }
            guard let second else { return changed }
            while let made = shared.taken(isWaiting: true) { try put(made) }
            try second.get()
        } catch {
            shared.stop()
            if let second {
                while shared.taken(isWaiting: true) != nil {}
                _ = try? second.get()
            }
            throw error
        }
        return changed
    }

    // MARK: - Diffs that are compared

    private func question(_ key: CacheKey) -> (chain: Chain, ConsolidationQuestion)? {
        guard let chain = state.chain(key.chain), let from = chain.finished.first(where: { $0.id == key.observation }),
            let to = chain.finished.first(where: { $0.id == key.to })
        else { return nil }
        return (chain, ConsolidationQuestion(from: from, to: to, through: key.through))
    }

    private func analysedDiff(_ key: CacheKey, _ db: ArchiveDatabase) throws -> [CacheGroup] {
        guard let (chain, question) = question(key) else { return [] }
        let (diff, verdicts) = try LabelledDiff.readWithVerdicts(db, chain: chain, question)
        return [try state.group(key, CacheRows(RowMaker.rows(diff, verdicts)))]
    }

    /// Makes all groups of a diff's members, unless there are too many. The last has fewer rows than the others, if need be
    /// none: so a reader knows that it has all.
    private func members(_ key: CacheKey) throws {
        guard let (chain, question) = question(key) else { return }
        if isEnded() { throw Ended() }
        try state.read(reader) { db in
            var changes: [DiffChange] = []
            do {
                _ = try Diff.run(
                    db, chain: chain, from: question.from, to: question.to, through: question.through, types: nil,
                    source: nil
                ) { change in
                    guard changes.count < Self.mostMembers else { throw Ended() }
                    changes.append(change.withoutFields)
                }
            } catch is Ended {
                return
            }
            let types = try VersionTypes(db, state.typeNames)
            try sink(changes.count / CacheKey.membersOfBlock + 1) { part in
                let key = key.block(part)
                let block = changes.dropFirst(Int(key.firstPosition)).prefix(CacheKey.membersOfBlock)
                let rows = try ArchiveConnection.mapped { try block.map { try RowMaker.row($0, typeOf: types.name) } }
                return try state.group(key, CacheRows(rows, from: key.firstPosition))
            }
        }
    }
}

extension DiffChange {
    /// The change as far as a member's row has it.
    fileprivate var withoutFields: DiffChange {
        guard case .representationChanged(let rule, _, let steps, let before, let after) = self else { return self }
        return .representationChanged(matchRule: rule, changedFields: [], steps: steps, before: before, after: after)
    }
}

/// The types of record versions.
struct VersionTypes {
    private let rows: PreparedStatement
    private let names: [Int64: String]

    init(_ db: ArchiveDatabase, _ names: [Int64: String]) throws {
        rows = try PreparedStatement(db, "SELECT sample_type_id FROM full_record_versions WHERE id = ?")
        self.names = names
    }

    /// The identifier of the type of a row.
    func name(_ id: Int64) throws -> String {
        rows.bind(1, id)
        defer { rows.reset() }
        guard try rows.step(), let name = names[rows.int(0)] else {
            throw HealthProbeError.damagedRow("record_versions", id)
        }
        return name
    }
}
