internal import ArchiveComparing
internal import ArchiveFile
internal import ArchiveRows
internal import Foundation
internal import GRDB
internal import HealthModel

/// Gives each staged item that is not visible yet its row: an earlier row opened again, another representation of a
/// known sample, or a new sample.
final class RowPlacer {
    private let db: Database
    private let chain: Int64
    private let importID: Int64
    private let identities: IdentityIndex.Writer
    private let findSample: UnsafeStatement
    private let findVariants: UnsafeStatement
    private let findPayload: UnsafeStatement
    private let insert: UnsafeStatement
    private let variants: VariantTable
    private var nextID: Int64
    /// Where the import is placed between others: the earlier rows that it took are visible there from now on.
    private let insertion: Insertion?
    private var placed = Bitmap()

    /// The staged item that is to be placed.
    struct Request {
        var number: Int64
        var type: Int64
        var start: Int64?
        var identity: Digest256
        var version: Digest256
        /// The row that this one supersedes, with its start and version.
        var previous: (id: Int64, rule: MatchRule, start: Int64?, version: Digest256)?
    }

    init(
        _ db: Database, chain: Int64, importID: Int64, identities: IdentityIndex.Writer, insertion: Insertion?
    ) throws {
        self.insertion = insertion
        let isVisible = insertion?.visibleAtBaseline ?? "c.closed_observation_id = \(ArchiveFormat.open)"
        // A new row of an inserted observation is visible there alone until the next one is looked at.
        let isFirst = insertion != nil && insertion?.placement.predecessor == nil
        let opened = isFirst ? "NULL" : "\(importID)"
        let closed = insertion?.placement.successor?.id ?? ArchiveFormat.open
        self.db = db
        self.chain = chain
        self.importID = importID
        self.identities = identities
        variants = try VariantTable(db)
        nextID = try RowsOutsideImports.nextID(db)
        findSample = try UnsafeStatement(
            db,
            """
            SELECT c.id, c.payload_id, c.identity, \(VersionColumns.payload("version", "c")), c.ordinal,
                \(isVisible)
            FROM record_versions c INDEXED BY record_versions_timeline LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE c.sample_type_id = ?1 AND c.start_seconds IS ?2 AND substr(c.identity, 1, 4) = substr(?3, 1, 4)
                AND c.sample_id IS NULL AND c.device_chain_id = \(chain)
            ORDER BY c.id
            """)
        findVariants = try UnsafeStatement(
            db,
            """
            SELECT c.id, c.payload_id, NULL, \(VersionColumns.payload("version", "c")), c.ordinal,
                \(isVisible)
            FROM record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id WHERE c.sample_id = ?1
            """)
        findPayload = try UnsafeStatement(db, "SELECT ifnull(payload_id, id) FROM record_versions WHERE id = ?")
        insert = try UnsafeStatement(
            db,
            """
            INSERT INTO record_versions (id, device_chain_id, sample_type_id, start_seconds, duration, value, lexical_form,
                descriptor_id, creation_delay, metadata, identity, version, ordinal, opened_observation_id,
                closed_observation_id, previous_id, match_rule, sample_id, payload_id, extras, volatile_fields, strict_key, version_without_track, kind)
            SELECT ?1, \(chain), iif(?3 IS NULL, sample_type_id, NULL), iif(?3 IS NULL, start_seconds, NULL),
                iif(?3 IS NULL, duration, NULL), iif(?3 IS NULL, value, NULL), iif(?3 IS NULL, lexical_form, NULL), descriptor_id,
                iif(?4 IS NULL, creation_delay, NULL), iif(?4 IS NULL, metadata, NULL),
                iif(?3 IS NULL, identity, NULL), iif(?4 IS NULL, version, NULL), ?5, \(opened),
                \(closed), ?6, ?7, ?3, ?4, iif(?4 IS NULL, extras, NULL), iif(?4 IS NULL, volatile_fields, NULL),
                iif(?3 IS NULL, strict_key, NULL), iif(?4 IS NULL, version_without_track, NULL),
                iif(?3 IS NULL, kind, NULL)
            FROM temp.staged_items WHERE seq = ?2
            """)
    }

    /// Places one item and returns its row's id.
    func placeItem(_ request: Request) throws -> Int64 {
        let known = try lookUp(request)
        if let rowID = known.closedRow {
            if let sample = known.sample, variants.contains(sample) {
                try variants.removeClosed(sample, request.version, rowID: rowID)
            }
            if let insertion {
                try insertion.setVisible(true, rowID: rowID)
                try insertion.editor.setPredecessor(
                    request.previous?.id, request.previous?.rule, of: rowID, at: importID)
                placed.insert(rowID)
            } else {
                try reopen(rowID, request)
            }
            return rowID
        }
        let id = nextID
        nextID += 1
        var payload = known.payload
        if payload == nil, let previous = request.previous, previous.version == request.version,
            previous.start == request.start
        {
            payload = try payloadRow(of: previous.id)
        }
        insert.bind(1, id)
        insert.bind(2, request.number)
        insert.bind(3, optional: known.sample)
        insert.bind(4, optional: payload)
        insert.bind(5, known.count)
        // The usual predecessor is the row that this one inherits from; naming it again would cost four bytes.
        insert.bind(6, optional: request.previous.flatMap { $0.id == known.sample ?? payload ? nil : $0.id })
        insert.bind(7, optional: request.previous?.rule.rawValue)
        try insert.run()
        try insertion?.addRow(id)
        if insertion != nil { placed.insert(id) }
        if let sample = known.sample {
            if variants.contains(sample) { try variants.add(sample, request.version, payload: payload ?? id) }
        } else {
            try identities.add(request.identity, rowID: id)
        }
        return id
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

    private func lookUp(_ request: Request) throws -> Known {
        var known = Known()
        // SQLite compares the prefix of an indexed expression; the whole identity is compared here.
        findSample.bind(1, request.type)
        findSample.bind(2, optional: request.start)
        var lowest = Int64.max
        func countRow(_ row: UnsafeStatement) {
            guard row.digest(3) == request.version else { return }
            known.count += 1
            known.payload = known.payload ?? row.optionalInt(1) ?? row.int(0)
            if isFree(row), row.int(4) < lowest {
                lowest = row.int(4)
                known.closedRow = row.int(0)
            }
        }
        findSample.bind(3, request.identity)
        defer { findSample.reset() }
        while known.sample == nil, try findSample.step() {
            if findSample.digest(2) == request.identity { known.sample = findSample.int(0) }
        }
        guard let sample = known.sample else { return known }
        if !variants.contains(sample) {
            countRow(findSample)
            findVariants.bind(1, sample)
            defer { findVariants.reset() }
            var read = 0
            while read < VariantTable.limit, try findVariants.step() {
                countRow(findVariants)
                read += 1
            }
            if read < VariantTable.limit { return known }
            try addVariants(of: sample)
        }
        known = Known(sample: sample)
        if let version = try variants.version(sample, request.version) {
            known.payload = version.payload
            known.count = version.count
            known.closedRow = version.closed
        }
        return known
    }

    /// Whether the current row of a look-up is not visible and this import did not place anything in it.
    private func isFree(_ row: UnsafeStatement) -> Bool { row.int(5) == 0 && !placed.contains(row.int(0)) }

    /// Adds a sample of many rows, whose first `findSample` has, to the table of variants.
    private func addVariants(of sample: Int64) throws {
        variants.insert(sample)
        func add(_ row: UnsafeStatement) throws {
            guard let version = row.digest(3) else { throw HealthProbeError.unreadableValue }
            try variants.add(
                sample, version, payload: row.optionalInt(1) ?? row.int(0),
                closed: isFree(row) ? (row.int(0), row.int(4)) : nil)
        }
        try add(findSample)
        findVariants.reset()
        while try findVariants.step() { try add(findVariants) }
    }

    private func payloadRow(of rowID: Int64) throws -> Int64? {
        findPayload.bind(1, rowID)
        defer { findPayload.reset() }
        return try findPayload.step() ? findPayload.int(0) : nil
    }

    private func reopen(_ rowID: Int64, _ request: Request) throws {
        try db.executeCached(
            """
            INSERT INTO past_ranges (record_version_id, opened_observation_id, closed_observation_id, superseded,
                previous_id, match_rule)
            SELECT id, opened_observation_id, closed_observation_id, superseded,
                CASE WHEN match_rule IS NOT NULL THEN coalesce(previous_id, sample_id, payload_id) END, match_rule
            FROM record_versions WHERE id = ? AND opened_observation_id IS NOT closed_observation_id
            """, [rowID])
        try db.executeCached(
            """
            UPDATE record_versions SET opened_observation_id = ?, closed_observation_id = \(ArchiveFormat.open),
                superseded = 0, previous_id = ?, match_rule = ? WHERE id = ?
            """, [importID, request.previous?.id, request.previous?.rule.rawValue, rowID])
    }
}
