internal import Foundation
internal import GRDB
package import HealthModel
internal import TextFormats

/// One import's way into the archive: pages in, one final transaction out.
///
/// The first export of a chain is written straight into `record_versions` in batches; nothing of it is visible before its
/// observation is finished. A later one runs in a single transaction: the walk answers what is shown again, the rest
/// waits in temporary tables until the comparison tells what became of it.
package final class ImportSession {
    let db: Database
    let request: ImportRequest
    let chainID: Int64
    package let importID: Int64
    let placement: ChainPlacement
    /// Set where the chain has later observations already, and where a supplemented one is placed again.
    let insertion: Insertion?
    let dictionaries: Dictionaries
    let identities: IdentityIndex.Writer
    let isDirect: Bool
    /// Whether an observation beside others is supplemented: the rows that this adds lie in no import's range.
    let isPlacedAgain: Bool
    /// The observation of the same XML that is given what it lacked; nil for every other import.
    let target: Observation?
    var summary = StateSummary()
    var stream = StateDigest()
    /// What the state has in place of what the file showed: routes whose track is known from an earlier export.
    var keptTracks = StateDigest()
    /// Items of this export that have the key's row number, by which relationships name them.
    var owners = Bitmap()
    /// Routes without a file in this export, by number; what becomes of them is known when all has been read.
    var fileless: [Int64] = []
    var keptCopies: [Int64] = []
    /// Those of them that keep a track although something else of them changed.
    var grafted: [Int64] = []
    /// The state as storage yields it, once that has been checked.
    var state: StateDigest?
    var quarantinedTypes: Set<Int64> = []
    let aggregates: AggregateRecorder
    let walker: StateWalker?
    /// What this import changes, for the seal.
    let changes: ChangeList
    var spans = RowSpans()
    private let binder: RowBinder
    private let insertRow: UnsafeStatement
    private let insertNested: UnsafeStatement
    private let insertMember: UnsafeStatement
    var nextNumber: Int64 = 1
    var nextNested: Int64 = 1
    let firstCopyID: Int64
    private var rowsInBatch = 0
    /// Rows of the first import written in one transaction.
    private static let batchRows = 50_000

    /// The side files that a supplemented observation had before; empty for every other import.
    package let earlierFiles: [EarlierFile]

    /// Starts an import whose row is there already; begins the first transaction.
    ///
    /// - Parameter placement: where in the chain, as far as that can be told before the file has been read.
    init(
        _ db: Database, request: ImportRequest, chain: Chain, placement: ChainPlacement,
        supplementing target: Observation?
    ) throws {
        self.db = db
        self.request = request
        self.chainID = chain.id
        importID = placement.importID
        self.placement = placement
        self.target = target
        isDirect = placement.baseline == nil
        changes = ChangeList(countsOrdinals: placement.baseline == nil)
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.beginTransaction(.immediate)
        earlierFiles = try target.map { try EarlierFile.read(db, importID: $0.id) } ?? []
        try Incoming.create(db)
        if let target { try TakenBack.run(db, target, isSole: isDirect) }
        dictionaries = try Dictionaries(db)
        binder = RowBinder(dictionaries: dictionaries)
        identities = IdentityIndex.Writer(db, importID: importID)
        aggregates = try AggregateRecorder(
            db, chain: chain.id, importID: importID,
            predecessors: placement.baseline.map { chain.ids(through: $0) } ?? [])
        firstCopyID = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM record_versions") ?? 0) + 1
        isPlacedAgain = target != nil && !isDirect
        insertion =
            placement.after.isEmpty && !isPlacedAgain
            ? nil : try Insertion(db, placement: placement, firstCopyID: isPlacedAgain ? nil : firstCopyID)
        if isPlacedAgain { try insertion?.withdraw(chain: chain.id) }
        let chainID = chain.id
        if placement.baseline != nil {
            let insertOutgoing = try UnsafeStatement(db, "INSERT INTO temp.outgoing VALUES (?, ?, ?, ?, ?)")
            walker = try StateWalker(
                db, spans: try RowSpans.read(db, chain: chainID),
                visible: Visibility.sql("c", through: placement.idsThroughBaseline)
                    + " AND c.device_chain_id = \(chainID)"
            ) { id, type, identity, version in
                insertOutgoing.bind(1, id)
                insertOutgoing.bind(2, type)
                insertOutgoing.bind(3, RowBinder.key(identity))
                try withUnsafeBytes(of: identity) { first in
                    try withUnsafeBytes(of: version) { second in
                        guard let first = first.baseAddress, let second = second.baseAddress else { return }
                        insertOutgoing.bind(4, blob: first, 32)
                        insertOutgoing.bind(5, blob: second, 32)
                        try insertOutgoing.run()
                    }
                }
            }
            insertRow = try UnsafeStatement(
                db, "INSERT INTO temp.incoming (seq, \(Incoming.keyedColumns)) VALUES (?, \(Incoming.parameters), ?)")
        } else {
            walker = nil
            nextNumber = firstCopyID
            insertRow = try UnsafeStatement(
                db,
                "INSERT INTO record_versions (id, device_chain_id, \(Incoming.columns)) VALUES (?, \(chainID), \(Incoming.parameters))"
            )
        }
        insertNested = try UnsafeStatement(
            db, "INSERT INTO temp.nested (seq, \(Incoming.keyedColumns)) VALUES (?, \(Incoming.parameters), ?)")
        insertMember = try UnsafeStatement(db, "INSERT INTO temp.members VALUES (?, ?, ?, ?, ?, ?, ?)")
    }

    // MARK: - Pages

    /// Takes one page.
    package func write(_ page: ItemPage) throws {
        try dictionaries.define(page)
        aggregates.count(zones: page.timeZones)
        for item in page.items { try take(item, page) }
        for item in page.nested {
            try binder.insert(item, of: page, number: nextNested, with: insertNested, keyed: true)
            nextNested += 1
        }
        for broken in page.quarantined { try quarantine(broken) }
        if isDirect, target == nil, rowsInBatch >= Self.batchRows { try commitBatch() }
    }

    @inline(__always)
    private func take(_ item: PreparedItem, _ page: ItemPage) throws {
        stream.add(item.identity, item.version)
        let type = dictionaries.type(item.type)
        summary.add(
            type: type, descriptor: dictionaries.descriptor(item.descriptor),
            start: item.start == PreparedItem.absentTime ? nil : item.start,
            end: item.end == PreparedItem.absentTime ? nil : item.end,
            number: item.valueKind == 1 ? item.number : nil)
        let isFileless = item.kind == .workoutRoute && !isDirect && !Self.hasTrack(item, page)
        if !isFileless, let walker, let known = try walker.match(type, item.identity, item.version) {
            if item.detail >= 0 { try storeDetail(page.details[Int(item.detail)], owner: known, isIncoming: false) }
            return
        }
        let number = nextNumber
        nextNumber += 1
        if isFileless { fileless.append(number) }
        try binder.insert(item, of: page, number: number, with: insertRow, keyed: !isDirect)
        if item.detail >= 0 { try storeDetail(page.details[Int(item.detail)], owner: number, isIncoming: !isDirect) }
        if isDirect {
            try aggregates.note(
                pair: summary.lastIndex, start: item.start == PreparedItem.absentTime ? nil : item.start,
                end: item.end == PreparedItem.absentTime ? nil : item.end,
                number: item.valueKind == 1 ? item.number : nil)
            try changes.add(item.identity, item.version)
            try identities.add(item.identity, copy: number)
            spans.note(type: type, copy: number)
            rowsInBatch += 1
        }
    }

    private static func hasTrack(_ item: PreparedItem, _ page: ItemPage) -> Bool {
        item.detail >= 0 && page.details[Int(item.detail)].versionWithoutTrack != nil
    }

    /// What the relationships of an item are made of, noted at every observation that shows it: the earliest one counts.
    private func storeDetail(_ detail: ItemDetail, owner: Int64, isIncoming: Bool) throws {
        if isIncoming { owners.insert(owner) }
        // A member of a type that is left out is not of this observation, whatever else the chain knows of it.
        for member in detail.members where request.types.includes(member.sampleType) {
            insertMember.bind(1, owner)
            insertMember.bind(2, Int64(isIncoming ? 1 : 0))
            let kind = Array(member.relationship.utf8)
            let type = try dictionaries.type(member.sampleType)
            try kind.withUnsafeBufferPointer { text in
                if let base = text.baseAddress { insertMember.bind(3, text: ByteView(base, text.count)) }
                insertMember.bind(4, type)
                insertMember.bind(5, optional: member.start)
                insertMember.bindNull(7)
                try withUnsafeBytes(of: member.identity) {
                    if let base = $0.baseAddress { insertMember.bind(6, blob: base, 32) }
                    try insertMember.run()
                }
            }
        }
        if let path = detail.filePath {
            try db.execute(
                sql: "INSERT INTO temp.members VALUES (?, ?, 'file', NULL, NULL, NULL, ?)",
                arguments: [owner, isIncoming ? 1 : 0, path])
        }
    }

    private func quarantine(_ item: QuarantinedItem) throws {
        if let type = item.sampleType { quarantinedTypes.insert(try dictionaries.type(type)) }
        try db.execute(
            sql: """
                INSERT INTO quarantine (import_id, type_identifier, reason, line, byte_start, byte_end, element)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                importID, item.sampleType, item.reason.code, item.line, item.byteStart, item.byteEnd, item.text,
            ])
    }

    private func commitBatch() throws {
        rowsInBatch = 0
        try db.commit()
        try db.beginTransaction(.immediate)
    }
}
