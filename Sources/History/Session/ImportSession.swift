internal import Days
internal import Evidence
internal import Foundation
internal import GRDB
package import HealthModel
package import Store

/// One import's way into the archive: pages in, one final transaction out.
///
/// The first export of a chain is written straight into `record_versions` in batches; nothing of it is visible before its
/// observation is finished. A later one runs in a single transaction: the merge join finds what is shown again, and the
/// other items wait in temporary tables for the comparison.
package final class ImportSession {
    /// How the items of an import come into its chain.
    enum Mode {
        /// The chain has no other observation: items become rows at once.
        case first
        /// Behind all other observations: ranges begin and end with the import.
        case append(StateMergeJoin)
        /// Before other observations, or an observation beside others gets what it lacked: its state and those behind it are
        /// derived from what the files showed.
        case derive(StateMergeJoin, Derivation)

        var isFirst: Bool { merge == nil }

        @inline(__always)
        var merge: StateMergeJoin? {
            switch self {
            case .first: nil
            case .append(let merge), .derive(let merge, _): merge
            }
        }

        var derivation: Derivation? { if case .derive(_, let derivation) = self { derivation } else { nil } }
    }

    let db: Database
    let request: ImportRequest
    let chainID: Int64
    let importID: Int64
    let placement: ChainPlacement
    let mode: Mode
    /// The observation of the same XML that gets what it lacked; nil for every other import.
    let supplemented: Observation?
    /// The comparison with the state before; nil in mode `first`.
    let transition: StateTransition?
    let dictionaries: Dictionaries
    let identities: IdentityIndex.Writer
    let aggregates: AggregateRecorder
    /// What this import changes, for the seal.
    let changes: ChangeList
    /// What the file shows.
    var summary = StateSummary()
    var stream = StateDigest()
    var quarantinedTypes: Set<ExactText> = []
    /// The rows of the state that the items are merged with; none for a first import.
    let baseline: Bitmap
    /// The rows of a supplemented observation's former state.
    let formerRows: Bitmap?
    /// What the file showed and what is visible now; known when the items are placed.
    var rows = ShownSet(shown: Bitmap(), visible: Bitmap())
    /// The types of the rows that stay although the file did not show them, and what these types come to in all.
    var carried: (types: Set<Int64>, summary: StateSummary) = ([], StateSummary())
    /// The numbers of staged items whose row relationships name.
    var owners = Bitmap()
    var spans = RowSpans()
    /// The lowest id of the rows that this import adds.
    let firstRow: Int64
    /// The side files that a supplemented observation had before; empty for every other import.
    package let earlierFiles: [StoredSideFiles.File]
    /// The paths of the ECGs of a supplemented observation that were damaged, so that their files are not stored.
    package let earlierDamage: [String]
    /// The numbers of the next item and the next nested item; of a first import an item's number is its row's id.
    var nextNumber: Int64
    var nextNested: Int64 = 1
    private let insertItem: ItemInsert
    private let insertNested: ItemInsert
    private let insertMember: PreparedStatement
    let insertRoute: PreparedStatement
    /// The last item that was no route: the next routes may stand in it.
    private var lastItem: RouteOwner?
    private var rowsInBatch = 0
    /// Rows of the first import written in one transaction.
    private static let batchRows = 50_000

    /// Starts an import whose row is there already; begins the first transaction.
    ///
    /// - Parameters:
    ///   - placement: where in the chain, as far as that is known before the file has been read.
    ///   - target: the observation to supplement, which is reverted first.
    init(
        _ db: Database, request: ImportRequest, chain: Chain, placement: ChainPlacement,
        supplementing target: Observation?
    ) throws {
        self.db = db
        self.request = request
        chainID = chain.id
        importID = placement.importID
        self.placement = placement
        supplemented = target
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.beginTransaction(.immediate)
        let files = try target.map { try StoredSideFiles.files(db, of: $0.id) } ?? []
        let broken = try String.fetchAll(
            db, sql: "SELECT element FROM quarantine WHERE import_id = ? AND reason = ? ORDER BY rowid",
            arguments: [target?.id, QuarantineReason.electrocardiogram.code])
        earlierFiles = files
        let paths = Set(files.map(\.path))
        earlierDamage = broken.filter { !paths.contains($0) }
        try db.createTemporary(TemporaryTable.importing)
        formerRows = try target.map { try ShownSet(db, importID: $0.id).visible }
        baseline = try placement.baseline.map { try ShownSet(db, importID: $0.id).visible } ?? Bitmap()
        if let target {
            if placement.baseline == nil { try ArchiveWriter.removeChainRows(db, of: target) }
            try ArchiveWriter.removeDocument(db, of: target.id)
        }
        dictionaries = try Dictionaries(db)
        identities = IdentityIndex.Writer(db, importID: importID)
        changes = ChangeList(countsOrdinals: placement.baseline == nil)
        aggregates = try AggregateRecorder(
            db, chain: chain.id, importID: importID,
            predecessors: placement.baseline.map { chain.ids(through: $0) } ?? [])
        firstRow = try RowsOutsideImports.nextID(db)
        transition = placement.baseline == nil ? nil : try StateTransition(db, .importing)
        mode = try Self.mode(db, chain, placement, transition, isSupplement: target != nil)
        nextNumber = mode.isFirst ? firstRow : 1
        insertItem =
            mode.isFirst
            ? try ItemInsert(db, dictionaries, chain: chain.id)
            : try ItemInsert(db, dictionaries, staging: "staged_items")
        insertNested = try ItemInsert(db, dictionaries, staging: "nested_items")
        insertMember = try PreparedStatement(
            db,
            """
            INSERT INTO temp.item_members (owner, is_staged, kind, sample_type_id, start_seconds, identity, path)
            VALUES (?, ?, 'member', ?, ?, ?, NULL)
            """)
        insertRoute = try PreparedStatement(db, "INSERT INTO temp.item_routes VALUES (?, ?, ?, ?, ?, ?, ?)")
    }

    /// Leaves the connection as it was before whatever import it had: without temporary tables, with foreign keys.
    static func restoreConnection(_ db: Database) throws {
        try db.dropTemporary(
            TemporaryTable.importing + [.touchedRows] + TemporaryTable.comparison(.importing)
                + TemporaryTable.comparison(.rederiving))
        try db.execute(sql: "PRAGMA foreign_keys = ON")
    }

    private static func mode(
        _ db: Database, _ chain: Chain, _ placement: ChainPlacement, _ transition: StateTransition?, isSupplement: Bool
    ) throws -> Mode {
        guard let transition else { return .first }
        let appends = !isSupplement && placement.after.isEmpty
        let visible =
            appends
            ? "c.closed_observation_id = \(ArchiveFormat.open)"
            : Visibility.sql("c", through: placement.idsThroughBaseline)
        let merge = StateMergeJoin(
            db, spans: try RowSpans.read(db, chain: chain.id),
            visible: "\(visible) AND c.device_chain_id = \(chain.id)",
            unmatched: try transition.earlierInsert())
        return appends
            ? .append(merge) : .derive(merge, try Derivation(db, chain: chain.id, order: placement.ids))
    }

    // MARK: - Pages

    package func write(_ page: ItemPage) throws {
        try dictionaries.define(page)
        aggregates.count(zones: page.timeZones)
        for item in page.items { try write(item, page) }
        try insertItem.endPage(page)
        for item in page.nested {
            try insertNested.insertRow(nextNested, item, of: page)
            nextNested += 1
        }
        try insertNested.endPage(page)
        for broken in page.quarantined { try insertQuarantined(broken) }
        if mode.isFirst, supplemented == nil, rowsInBatch >= Self.batchRows { try commitBatch() }
    }

    @inline(__always)
    private func write(_ item: PreparedItem, _ page: ItemPage) throws {
        let type = try dictionaries.type(item.type)
        stream.add(item.identity, item.version)
        try summary.add(
            type: type, descriptor: dictionaries.descriptor(item.descriptor), start: item.startDate, end: item.endDate,
            number: item.numericValue)
        let merge = mode.merge
        if let merge, let known = try merge.match(type, item.identity, item.version, number: nextNumber) {
            try insertDetail(of: item, page, RouteOwner(number: known, isStaged: false))
            return
        }
        let number = nextNumber
        nextNumber += 1
        try insertItem.insertRow(number, item, of: page)
        try insertDetail(of: item, page, RouteOwner(number: number, isStaged: merge != nil))
        if merge == nil {
            try recordFirst(
                number, type: type, item.identity, item.version, start: item.startDate, end: item.endDate,
                value: item.numericValue)
            rowsInBatch += 1
        }
    }

    /// Records the new row of a first import for what follows from all rows.
    @inline(__always)
    func recordFirst(
        _ row: Int64, type: Int64, _ identity: Digest256, _ version: Digest256, start: Int64?, end: Int64?,
        value: Double?
    ) throws {
        try aggregates.appendRecord(pair: summary.lastIndex, start: start, end: end, number: value)
        try changes.add(identity, version)
        try identities.add(identity, rowID: row)
        spans.add(type: type, row: row)
    }

    /// Stores what only some items have, at every observation that shows the item.
    @inline(__always)
    private func insertDetail(of item: PreparedItem, _ page: ItemPage, _ owner: RouteOwner) throws {
        let detail = item.detail < 0 ? nil : page.details[Int(item.detail)]
        if item.kind == .workoutRoute {
            try noteRoute(item, detail, in: lastItem)
        } else {
            lastItem = owner
            guard let detail else { return }
            if owner.isStaged { owners.insert(owner.number) }
            try insertDetail(detail, owner: owner.number, isStaged: owner.isStaged)
        }
    }

    /// Stores what the relationships of an item are made of; of several observations the earliest one counts.
    private func insertDetail(_ detail: ItemDetail, owner: Int64, isStaged: Bool) throws {
        // A member of a type that is left out is not of this observation, whatever else the chain knows of it.
        for member in detail.members where request.types.includes(member.sampleType) {
            insertMember.bind(1, owner)
            insertMember.bind(2, Int64(isStaged ? 1 : 0))
            insertMember.bind(3, try dictionaries.type(member.sampleType))
            insertMember.bind(4, optional: member.start)
            insertMember.bind(5, member.identity)
            try insertMember.run()
        }
        if let path = detail.filePath {
            try db.execute(
                sql: "INSERT INTO temp.item_members (owner, is_staged, kind, path) VALUES (?, ?, 'file', ?)",
                arguments: [owner, isStaged ? 1 : 0, path])
        }
    }

    private func insertQuarantined(_ item: QuarantinedItem) throws {
        if let type = item.sampleType {
            quarantinedTypes.insert(ExactText(type))
            _ = try dictionaries.type(type)
        }
        try db.execute(
            sql: """
                INSERT INTO quarantine (import_id, type_identifier, reason, line, byte_start, byte_end, element)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                importID, item.sampleType, item.reason.code, item.place.line, item.place.byteStart, item.place.byteEnd,
                item.text,
            ])
    }

    private func commitBatch() throws {
        rowsInBatch = 0
        try db.commit()
        try db.beginTransaction(.immediate)
    }
}
