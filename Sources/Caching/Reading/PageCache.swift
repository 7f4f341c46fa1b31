package import Analysis
internal import ArchiveAggregating
internal import ArchiveComparing
package import ArchiveFile
package import ArchiveReading
package import ArchiveRows
internal import Foundation
internal import HealthModel
internal import Synchronization
internal import SystemCalls
internal import TextFormats

/// What one thread of pages reads from the cache; nil is always an answer, and the page then asks the archive.
///
/// A group is used only where the hash of its sources is that of the archive's present state, and the hash of its rows is
/// theirs.
package final class PageCache: Sendable {
    private let file: CacheFile
    private let keeper: CacheKeeper?
    private let keys: KeySearch
    private let open = Mutex<Open>(Open())
    private let blockCounts = BlockCounts()

    private struct Open {
        var connection: CacheConnection?
        var number: [UInt64] = []
        /// What the archive's connection said when `state` was read.
        var version: (connection: ObjectIdentifier, data: Int64)?
        var state: ArchiveState?
        /// What there was of the cache, by its files and the archive's version.
        var report: (files: [String?], version: (connection: ObjectIdentifier, data: Int64), report: CacheReport)?
    }

    /// - Parameter keeper: makes what is missing; nil where nobody does.
    package init(_ file: CacheFile, keeper: CacheKeeper?, _ keys: KeySearch) {
        (self.file, self.keeper, self.keys) = (file, keeper, keys)
    }

    /// Where the cache is.
    package var path: String { file.path }

    // MARK: - Questions

    /// Of which stored days the cache is made: another text once it is noticed that somebody edited them by hand; nil where
    /// there is no cache.
    package var storedDays: String? {
        open.withLock({ connect(&$0) })?.read { try $0.metadata(StoredDays.key) }.map { Digest256(hashing: $0).hex }
    }

    /// What there is of the cache.
    package func report(_ db: ArchiveDatabase) -> CacheReport {
        open.withLock { open -> CacheReport in
            guard let state = try? self.state(&open, db), let version = open.version else {
                return CacheReport.read(file, nil)
            }
            let files = ArchiveStamp.files(ofDatabase: file.path)
            if let known = open.report, known.files == files, known.version == version { return known.report }
            let report = CacheReport.read(file, state)
            open.report = report.state == .absent ? nil : (files, version, report)
            return report
        }
    }

    /// How many rows the archive has.
    package func rowCounts(_ db: ArchiveDatabase) -> ArchiveInfo.RowCounts? {
        guard let cells = read(db, { try self.rows(of: CacheKey(.health), $0, $1) })?.first, cells.count > 7,
            let samples = cells[5].integer, let versions = cells[6].integer, let recordVersions = cells[7].integer
        else { return nil }
        return ArchiveInfo.RowCounts(samples: samples, versions: versions, recordVersions: recordVersions)
    }

    /// The labelled diff of the types asked about, and what the analysis found; where the cache has it not, it is computed, and
    /// a diff of all types is kept.
    ///
    /// - Throws: what `LabelledDiff.readWithVerdicts` throws.
    package func diff(
        _ db: ArchiveDatabase, _ chain: Chain, _ question: ConsolidationQuestion
    ) throws -> (diff: DiffSummary, verdicts: [ConsolidationVerdict]) {
        let analysed = Self.key(.diffs, chain, question, part: 1)
        let known: (DiffSummary, [ConsolidationVerdict])? = read(db) { store, state in
            for key in [Self.key(.diffs, chain, question), analysed] {
                guard let rows = try self.rows(of: key, store, state),
                    let all = Self.types(rows)
                else { continue }
                let types = all.filter { question.types?.matches($0.0.type) ?? true }
                let diff = DiffSummary(
                    from: question.from, to: question.to, through: question.through,
                    zone: try ChainZone.recorded(db, chain: chain.id)?.zone, types: types.map(\.0),
                    sideFiles: try SideFileDiff.read(
                        db, chain, from: question.from, to: question.to, types: question.types))
                return (diff, types.compactMap(\.1))
            }
            return nil
        }
        if let known { return known }
        let found = try LabelledDiff.readWithVerdicts(db, chain: chain, question)
        if question.types != nil {
            keeper?.want([analysed])
        } else if let keeper, let state = open.withLock({ try? state(&$0, db) }),
            let group = try? state.group(analysed, CacheRows(RowMaker.rows(found.diff, found.verdicts)))
        {
            keeper.keep(group)
        }
        return found
    }

    /// Changes of a diff in their order.
    ///
    /// - Parameters:
    ///   - kinds: the only ones wanted.
    ///   - skipped: how many of these come before.
    /// - Returns: at most `limit` of them, and how many there are; nil where the cache has not all.
    package func changes(
        _ db: ArchiveDatabase, _ chain: Chain, _ question: ConsolidationQuestion, kinds: Set<DiffChange.Kind>,
        skipped: Int, limit: Int
    ) -> (changes: [DiffChange], total: Int)? {
        let first = Self.key(.members, chain, question)
        let isWhole = question.types == nil && kinds.count == DiffChange.Kind.allCases.count
        // No diff has more.
        let skipped = min(skipped, GroupMaker.mostMembers)
        let page = skipped..<skipped + limit
        func isWanted(_ sort: BlockCounts.Sort) -> Bool {
            kinds.contains(sort.kind) && question.types?.matches(sort.type.text) ?? true
        }
        let found: (rows: [[CacheValue]], total: Int)? = read(db) { store, state in
            var rows: [[CacheValue]] = []
            var total = 0
            var key = first
            while let entry = try store.entry(key) {
                guard state.source(of: key) == entry.source else { return nil }
                let isLast = entry.rowCount != CacheKey.membersOfBlock
                // Of all changes every block but the last is full, or there is no next one.
                let count =
                    isWhole && !isLast
                    ? CacheKey.membersOfBlock : blockCounts.count(entry, where: isWanted)
                if let count, !(total..<total + count).overlaps(page) {
                    total += count
                } else {
                    guard let block = try self.rows(of: key, store, state) else { return nil }
                    let sorts = block.compactMap(BlockCounts.Sort.init)
                    guard sorts.count == block.count else { return nil }
                    blockCounts.note(entry, sorts)
                    for (cells, sort) in zip(block, sorts) where isWanted(sort) {
                        if page.contains(total) { rows.append(cells) }
                        total += 1
                    }
                }
                if isLast { return (rows, total) }
                key.part += 1
            }
            return nil
        }
        guard let found, let reader = try? RecordReader.forComparison(db),
            let changes = try? found.rows.map({ try CachedChange.change($0, reader) })
        else { return nil }
        return (changes, found.total)
    }

    /// Of a diff with more changes none are kept.
    package static var mostChanges: Int { GroupMaker.mostMembers }

    /// Asks for the changes of a diff, unless there are too many to keep.
    ///
    /// Who has just read them asks: two who compare at once take twice the memory.
    ///
    /// - Parameter count: how many there are at least.
    package func wantChanges(_ chain: Chain, _ question: ConsolidationQuestion, count: Int) {
        if count <= Self.mostChanges { keeper?.want([Self.key(.members, chain, question)]) }
    }

    private static func key(
        _ entity: CacheEntity, _ chain: Chain, _ question: ConsolidationQuestion, part: Int64 = 0
    ) -> CacheKey {
        CacheKey(
            entity, chain: chain.id, observation: question.from.id, to: question.to.id, through: question.through,
            part: part)
    }

    // MARK: - Reading

    /// The rows of a group where it holds; else the keeper is told.
    func rows(of key: CacheKey, _ store: CacheStore, _ state: ArchiveState) throws -> [[CacheValue]]? {
        guard let entry = try store.entry(key), state.source(of: key) == entry.source else { return nil }
        guard let rows = try store.rows(entry) else {
            keeper?.report(key)
            return nil
        }
        keeper?.used(entry.id)
        return rows.values
    }

    /// Reads the cache beside a read transaction of the archive; nil where there is none, or where anything is wrong with it.
    func read<R>(_ db: ArchiveDatabase, _ body: (CacheStore, ArchiveState) throws -> R?) -> R? {
        let found = open.withLock { open -> (connection: CacheConnection, state: ArchiveState)? in
            guard let connection = connect(&open), let state = try? state(&open, db) else { return nil }
            return (connection, state)
        }
        guard let found else { return nil }
        return found.connection.read(of: found.state.identity) { try body($0, found.state) }
    }

    private func connect(_ open: inout Open) -> CacheConnection? {
        let info = status(file.path)
        let number = info.map { [UInt64($0.st_dev), UInt64($0.st_ino)] } ?? []
        if let connection = open.connection, open.number == number { return connection }
        open.connection?.close()
        open.connection = CacheConnection(file)
        open.number = number
        return open.connection
    }

    /// The archive's state, read again where its connection or its stamp is another one.
    private func state(_ open: inout Open, _ db: ArchiveDatabase) throws -> ArchiveState {
        let version = (connection: ObjectIdentifier(db), data: try db.dataVersion)
        let hasKey = try ArchiveStamp.hasKey(db, keys)
        if let state = open.state, let known = open.version, known == version,
            try ArchiveStamp.read(db, hasKey: hasKey) == state.stamp
        {
            return state
        }
        let state = try ArchiveState(db, keys)
        (open.state, open.version) = (state, version)
        return state
    }
}

extension PageCache {
    /// The types of a diff from its rows; nil where the labels of an analysis are not in them.
    private static func types(_ rows: [[CacheValue]]) -> [(DiffSummary.TypeDiff, ConsolidationVerdict?)]? {
        func counts(_ value: CacheValue) -> [(String, Int64)] {
            (value.text.flatMap { JSON.parse($0) }?.members ?? []).compactMap { name, count in
                count.int.map { (name, $0) }
            }
        }
        func texts(_ value: CacheValue) -> [String] {
            (value.text.flatMap { JSON.parse($0) }?.elements ?? []).compactMap(\.string)
        }
        var types: [(DiffSummary.TypeDiff, ConsolidationVerdict?)] = []
        for cells in rows {
            guard cells.count > 15, let name = cells[0].text, let before = cells[6].integer,
                let after = cells[7].integer,
                let text = cells[14].text, let days = StoredText.decode(ChangedDays.self, text)
            else { return nil }
            var type = DiffSummary.TypeDiff(type: name, before: before, after: after)
            type.appeared = cells[1].integer ?? 0
            type.disappeared = cells[2].integer ?? 0
            type.representationChanged = cells[3].integer ?? 0
            let rules = counts(cells[8])
            type.matchRules = MatchRule.allCases.compactMap { rule in rules.first { $0.0 == rule.name } }
            type.changedFields = counts(cells[9]).sorted { $0.0 < $1.0 }
            type.labels = texts(cells[10]).compactMap(DiffLabel.init(rawValue:))
            type.uncertainty = texts(cells[11]).compactMap(Uncertainty.init(rawValue:))
            type.days = days
            var verdict: ConsolidationVerdict?
            if let text = cells[15].text {
                guard let found = StoredText.decode(ConsolidationVerdict.self, text) else { return nil }
                verdict = found
            }
            types.append((type, verdict))
        }
        return types
    }
}

/// Changes of a diff from the rows of its members.
enum CachedChange {
    /// - Throws: `archiveDamaged` for a row that is no member's, and where a record is missing.
    static func change(_ cells: [CacheValue], _ records: RecordReader) throws -> DiffChange {
        guard cells.count > 5 else { throw HealthProbeError.unreadableValue }
        switch (cells[0].text.flatMap(DiffChange.Kind.init), cells[1].integer, cells[2].integer) {
        case (.appeared, let id?, _): return .appeared(rowID: id)
        case (.disappeared, _, let id?): return .disappeared(rowID: id)
        case (.representationChanged, let after?, let before?):
            let steps = (cells[5].text.flatMap { JSON.parse($0) }?.elements ?? []).compactMap { step -> LineageStep? in
                guard let from = step["from"]?.int, let to = step["to"]?.int,
                    let rule = step["evidence"]?.string.flatMap(MatchRule.init(name:))
                else { return nil }
                return LineageStep(from: from, to: to, rule: rule)
            }
            guard let matchRule = cells[3].text.flatMap(MatchRule.init(name:)) else {
                throw HealthProbeError.unreadableValue
            }
            let fields = try records.fetch(before).changedFields(to: records.fetch(after))
            return .representationChanged(
                matchRule: matchRule, changedFields: fields, steps: steps, before: before, after: after)
        default: throw HealthProbeError.unreadableValue
        }
    }
}
