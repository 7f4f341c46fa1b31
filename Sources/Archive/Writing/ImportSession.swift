internal import Foundation
internal import GRDB
package import HealthModel

/// One import's way into the archive: pages in, one final transaction out.
///
/// The first export of a chain is written straight into `copies` in batches; nothing of it is visible before its
/// observation is finished. A later one runs in a single transaction: the walk answers what is shown again, the rest
/// waits in temporary tables until the comparison tells what became of it.
package final class ImportSession {
    let db: Database
    let request: ImportRequest
    let chainID: Int64
    package let importID: Int64
    let previous: Observation?
    let dictionaries: Dictionaries
    let identities: IdentityIndex.Writer
    let isDirect: Bool
    let supplements: Bool
    var summary = StateSummary()
    var stream = StateDigest()
    /// What the state has in place of what the file showed: routes whose track is known from an earlier export.
    var keptTracks = StateDigest()
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
    /// - Parameter previous: the observation before this one; nil for a chain's first.
    init(
        _ db: Database, request: ImportRequest, chain: Chain, importID: Int64, previous: Observation?, supplements: Bool
    ) throws {
        self.db = db
        self.request = request
        self.chainID = chain.id
        self.importID = importID
        self.previous = previous
        self.supplements = supplements
        isDirect = previous == nil
        changes = ChangeList(countsOrdinals: previous == nil)
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.beginTransaction(.immediate)
        earlierFiles = supplements ? try EarlierFile.read(db, importID: importID) : []
        if supplements {
            try TakenBack.run(db, importID: importID, chainID: chain.id, isFirst: previous == nil)
        }
        dictionaries = try Dictionaries(db)
        binder = RowBinder(dictionaries: dictionaries)
        identities = IdentityIndex.Writer(db, importID: importID)
        aggregates = try AggregateRecorder(
            db, chain: chain.id, importID: importID, predecessors: previous.map { chain.ids(through: $0) } ?? [])
        firstCopyID = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM copies") ?? 0) + 1
        try Incoming.create(db)
        let chainID = chain.id
        if let previous {
            let insertOutgoing = try UnsafeStatement(db, "INSERT INTO temp.outgoing VALUES (?, ?, ?, ?, ?)")
            walker = try StateWalker(
                db, spans: try RowSpans.read(db, chain: chainID),
                visible: Visibility.sql("c", through: chain.ids(through: previous))
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
                "INSERT INTO copies (id, device_chain_id, \(Incoming.columns)) VALUES (?, \(chainID), \(Incoming.parameters))"
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
        if isDirect, !supplements, rowsInBatch >= Self.batchRows { try commitBatch() }
    }

    @inline(__always)
    private func take(_ item: PreparedItem, _ page: ItemPage) throws {
        var item = item
        stream.add(item.identity, item.version)
        if item.kind == .workoutRoute { try keepKnownTrack(&item, page) }
        let type = dictionaries.type(item.type)
        summary.add(
            type: type, descriptor: dictionaries.descriptor(item.descriptor),
            start: item.start == PreparedItem.absentTime ? nil : item.start,
            end: item.end == PreparedItem.absentTime ? nil : item.end,
            number: item.valueKind == 1 ? item.number : nil)
        if let walker, try walker.match(type, item.identity, item.version) != nil { return }
        let number = nextNumber
        nextNumber += 1
        try binder.insert(item, of: page, number: number, with: insertRow, keyed: !isDirect)
        if item.detail >= 0 { try storeDetail(page.details[Int(item.detail)], owner: number) }
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

    /// A route whose file is not in this export keeps the track that was known before.
    private func keepKnownTrack(_ item: inout PreparedItem, _ page: ItemPage) throws {
        let hasTrack = item.detail >= 0 && page.details[Int(item.detail)].tracklessVersion != nil
        guard !hasTrack, let walker else { return }
        let known = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT c.id, iif(c.payload_id IS NULL, c.version, p.version) AS version
                    FROM copies k INDEXED BY copies_timeline JOIN copies c ON c.id = k.id OR c.sample_id = k.id
                    LEFT JOIN copies p ON p.id = c.payload_id
                    WHERE k.sample_type_id = ? AND k.start_seconds IS ? AND substr(k.identity, 1, 4) = ?
                        AND k.sample_id IS NULL AND iif(c.payload_id IS NULL, c.trackless, p.trackless) = ?
                        AND c.closed_observation_id = \(ArchiveFormat.open) AND c.device_chain_id = \(chainID)
                    ORDER BY c.id
                    """),
            arguments: [
                dictionaries.type(item.type), item.start == PreparedItem.absentTime ? nil : item.start,
                Data(item.identity.data.prefix(4)), Data(item.version.data),
            ])
        while let row = try known.next() {
            let id: Int64 = row["id"]
            let version: Data = row["version"]
            if !walker.seen.contains(id), let kept = version.withUnsafeBytes({ Digest256(bytes: $0) }) {
                keptTracks.remove(item.identity, item.version)
                keptTracks.add(item.identity, kept)
                item.version = kept
                return
            }
        }
    }

    private func storeDetail(_ detail: ItemDetail, owner: Int64) throws {
        for member in detail.members {
            insertMember.bind(1, owner)
            insertMember.bind(2, Int64(isDirect ? 0 : 1))
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
                arguments: [owner, isDirect ? 0 : 1, path])
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
