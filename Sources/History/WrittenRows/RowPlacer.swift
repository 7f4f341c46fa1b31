internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Gives each staged item that is not visible yet its row: an earlier row opened again, another representation of a
/// known sample, or a new sample.
final class RowPlacer {
    private let db: Database
    private let importID: Int64
    private let identities: IdentityIndex.Writer
    private let findSample: PreparedStatement
    private let findVariants: PreparedStatement
    private let insert: RowBatch
    /// The samples of the rows that `insert` has and the table has not.
    private var waiting: [Digest256] = []
    private let variants: VariantTable
    private var nextID: Int64
    /// Whether rows get their ranges and links now, not from a derivation.
    private let appends: Bool
    /// The rows of the state that the items were merged with.
    private let visible: Bitmap
    /// The rows that items got.
    private(set) var placed = Bitmap()

    /// - Parameters:
    ///   - visible: the rows of the state that the items were merged with.
    ///   - appends: whether rows get their ranges and links now, not from a derivation.
    init(
        _ db: Database, chain: Int64, _ placement: ChainPlacement, identities: IdentityIndex.Writer, visible: Bitmap,
        appends: Bool
    ) throws {
        self.appends = appends
        self.visible = visible
        importID = placement.importID
        // A new row of an observation before others is visible there alone until these are derived again.
        let opened = placement.predecessor == nil ? "NULL" : "\(importID)"
        let closed = placement.successor?.id ?? ArchiveFormat.open
        self.db = db
        self.identities = identities
        variants = try VariantTable(db)
        nextID = try RowsOutsideImports.nextID(db)
        findSample = try PreparedStatement(
            db,
            """
            SELECT c.id, c.identity FROM record_versions c INDEXED BY record_versions_timeline
            WHERE c.sample_type_id = ?1 AND c.start_seconds IS ?2 AND substr(c.identity, 1, 4) = substr(?3, 1, 4)
                AND c.sample_id IS NULL AND c.device_chain_id = \(chain)
            ORDER BY c.id
            """)
        findVariants = try PreparedStatement(
            db,
            """
            SELECT c.id, ifnull(c.payload_id, c.id), \(VersionColumns.payload("version", "c")), c.ordinal
            FROM record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE c.id = ?1 OR c.sample_id = ?1
            """)
        insert = try RowBatch(db, columns: 7) { rows in
            """
            WITH placed (number, row, sample, payload, ordinal, previous, rule) AS (VALUES \(rows))
            INSERT INTO record_versions (id, device_chain_id, sample_type_id, start_seconds, duration, value, lexical_form,
                descriptor_id, creation_delay, metadata, identity, version, ordinal, opened_observation_id,
                closed_observation_id, previous_id, match_rule, sample_id, payload_id, extras, volatile_fields, strict_key, kind)
            SELECT row, \(chain), iif(sample IS NULL, sample_type_id, NULL), iif(sample IS NULL, start_seconds, NULL),
                iif(sample IS NULL, duration, NULL), iif(sample IS NULL, value, NULL),
                iif(sample IS NULL, lexical_form, NULL), descriptor_id, iif(payload IS NULL, creation_delay, NULL),
                iif(payload IS NULL, metadata, NULL), iif(sample IS NULL, identity, NULL),
                iif(payload IS NULL, version, NULL), ordinal, \(opened), \(closed), previous, rule, sample, payload,
                iif(payload IS NULL, extras, NULL), iif(payload IS NULL, volatile_fields, NULL),
                iif(sample IS NULL, strict_key, NULL), iif(sample IS NULL, kind, NULL)
            FROM placed CROSS JOIN temp.staged_items ON seq = number
            """
        }
    }

    /// Places one staged item, whose row is written now or by `finish`, and returns that row's id.
    ///
    /// - Parameter previous: the row that it supersedes.
    func placeItem(_ item: RecordRow, previous: EarlierRows.Pair?) throws -> Int64 {
        let known = try lookUp(item, previous)
        if let rowID = known.closedRow {
            if let sample = known.sample, variants.contains(sample) {
                try variants.removeClosed(sample, item.version, rowID: rowID)
            }
            if appends { try reopen(rowID, previous) }
            placed.insert(rowID)
            return rowID
        }
        let id = nextID
        nextID += 1
        var payload = known.payload
        if let previous, previous.row.version == item.version, previous.row.start == item.start {
            payload = payload ?? previous.payloadID
        }
        insert.bind(1, item.rowID)
        insert.bind(2, id)
        insert.bind(3, optional: known.sample)
        insert.bind(4, optional: payload)
        insert.bind(5, known.count)
        // The usual predecessor is the row that this one inherits from; naming it again would cost four bytes.
        insert.bind(6, optional: previous.flatMap { $0.row.rowID == known.sample ?? payload ? nil : $0.row.rowID })
        insert.bind(7, optional: previous?.rule.rawValue)
        waiting.append(item.identity)
        try insert.endRow()
        if insert.isEmpty { waiting.removeAll(keepingCapacity: true) }
        placed.insert(id)
        if let sample = known.sample {
            if variants.contains(sample) { try variants.add(sample, item.version, payload: payload ?? id) }
        } else {
            try identities.add(item.identity, rowID: id)
        }
        return id
    }

    /// Writes the rows that wait.
    func finish() throws {
        try insert.flush()
        waiting.removeAll(keepingCapacity: true)
    }

    private struct Known {
        /// The row with the strict key's columns.
        var sample: Int64?
        /// The row with this version's payload columns.
        var payload: Int64?
        /// How many rows of this identity and version there are.
        var count: Int64 = 0
        /// The first of them that is not visible.
        var closedRow: Int64?
    }

    private func lookUp(_ item: RecordRow, _ previous: EarlierRows.Pair?) throws -> Known {
        if waiting.contains(item.identity) { try finish() }
        guard let sample = try sample(of: item, previous) else { return Known() }
        var known = Known(sample: sample)
        if !variants.contains(sample) {
            var lowest = Int64.max
            var read = 0
            findVariants.bind(1, sample)
            defer { findVariants.reset() }
            while read < VariantTable.limit, try findVariants.step() {
                read += 1
                guard findVariants.digest(2) == item.version else { continue }
                known.count += 1
                known.payload = findVariants.int(1)
                if isFree(findVariants), findVariants.int(3) < lowest {
                    lowest = findVariants.int(3)
                    known.closedRow = findVariants.int(0)
                }
            }
            if read < VariantTable.limit { return known }
            try addVariants(of: sample)
        }
        known = Known(sample: sample)
        if let version = try variants.version(sample, item.version) {
            known.payload = version.payload
            known.count = version.count
            known.closedRow = version.closed
        }
        return known
    }

    /// The row that has the strict key's columns of an item; nil for a new sample.
    private func sample(of item: RecordRow, _ previous: EarlierRows.Pair?) throws -> Int64? {
        if let previous, previous.rule == .strictKey { return previous.row.sampleID }
        // SQLite compares the prefix of an indexed expression; the whole identity is compared here.
        findSample.bind(1, item.typeID)
        findSample.bind(2, optional: item.start)
        findSample.bind(3, item.identity)
        defer { findSample.reset() }
        while try findSample.step() {
            if findSample.digest(1) == item.identity { return findSample.int(0) }
        }
        return nil
    }

    /// Whether the current row of a look-up is not visible and this import did not place anything in it.
    private func isFree(_ row: PreparedStatement) -> Bool {
        !visible.contains(row.int(0)) && !placed.contains(row.int(0))
    }

    /// Adds a sample of many rows to the table of variants.
    private func addVariants(of sample: Int64) throws {
        variants.insert(sample)
        findVariants.reset()
        while try findVariants.step() {
            guard let version = findVariants.digest(2) else { throw HealthProbeError.unreadableValue }
            try variants.add(
                sample, version, payload: findVariants.int(1),
                closed: isFree(findVariants) ? (findVariants.int(0), findVariants.int(3)) : nil)
        }
    }

    private func reopen(_ rowID: Int64, _ previous: EarlierRows.Pair?) throws {
        try db.executeCached(
            """
            INSERT INTO past_ranges (record_version_id, opened_observation_id, closed_observation_id, superseded,
                previous_id, match_rule)
            SELECT id, opened_observation_id, closed_observation_id, superseded,
                CASE WHEN match_rule IS NOT NULL THEN \(StoredLink.previous()) END, match_rule
            FROM record_versions WHERE id = ? AND opened_observation_id IS NOT closed_observation_id
            """, [rowID])
        try db.executeCached(
            """
            UPDATE record_versions SET opened_observation_id = ?, closed_observation_id = \(ArchiveFormat.open),
                superseded = 0, previous_id = ?, match_rule = ? WHERE id = ?
            """, [importID, previous?.row.rowID, previous?.rule.rawValue, rowID])
    }
}
