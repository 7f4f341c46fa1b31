internal import Foundation
internal import GRDB
internal import HealthModel

/// Gives each incoming item that is not visible yet its row: an earlier copy opened again, another representation of a
/// known sample, or a new sample.
final class CopyPlacer {
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
    /// Where the import is placed between others: the earlier copies that it took are visible there from now on.
    private let insertion: Insertion?
    private var taken = Bitmap()

    /// What is known of the incoming row that is to be placed.
    struct Request {
        var seq: Int64
        var type: Int64
        var start: Int64?
        var identity: Digest256
        var version: Digest256
        /// The copy that this one continues, with its start and version.
        var previous: (id: Int64, evidence: Evidence, start: Int64?, version: Digest256)?
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
        nextID = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM record_versions") ?? 0) + 1
        findSample = try UnsafeStatement(
            db,
            """
            SELECT c.id, c.payload_id, c.identity, iif(c.payload_id IS NULL, c.version, p.version), c.ordinal,
                \(isVisible)
            FROM record_versions c INDEXED BY record_versions_timeline LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE c.sample_type_id = ?1 AND c.start_seconds IS ?2 AND substr(c.identity, 1, 4) = ?3
                AND c.sample_id IS NULL AND c.device_chain_id = \(chain)
            ORDER BY c.id
            """)
        findVariants = try UnsafeStatement(
            db,
            """
            SELECT c.id, c.payload_id, NULL, iif(c.payload_id IS NULL, c.version, p.version), c.ordinal,
                \(isVisible)
            FROM record_versions c LEFT JOIN record_versions p ON p.id = c.payload_id WHERE c.sample_id = ?1
            """)
        findPayload = try UnsafeStatement(db, "SELECT ifnull(payload_id, id) FROM record_versions WHERE id = ?")
        insert = try UnsafeStatement(
            db,
            """
            INSERT INTO record_versions (id, device_chain_id, sample_type_id, start_seconds, duration, value, lexical_form,
                descriptor_id, creation_delay, metadata, identity, version, ordinal, opened_observation_id,
                closed_observation_id, previous_id, evidence, sample_id, payload_id, extras, volatile_fields, strict_key, version_without_track)
            SELECT ?1, \(chain), iif(?3 IS NULL, sample_type_id, NULL), iif(?3 IS NULL, start_seconds, NULL),
                iif(?3 IS NULL, duration, NULL), iif(?3 IS NULL, value, NULL), iif(?3 IS NULL, lexical_form, NULL), descriptor_id,
                iif(?4 IS NULL, creation_delay, NULL), iif(?4 IS NULL, metadata, NULL),
                iif(?3 IS NULL, identity, NULL), iif(?4 IS NULL, version, NULL), ?5, \(opened),
                \(closed), ?6, ?7, ?3, ?4, iif(?4 IS NULL, extras, NULL), iif(?4 IS NULL, volatile_fields, NULL),
                iif(?3 IS NULL, strict_key, NULL), iif(?4 IS NULL, version_without_track, NULL)
            FROM temp.incoming WHERE seq = ?2
            """)
    }

    /// Places one row and returns its copy id.
    func place(_ request: Request) throws -> Int64 {
        let known = try lookUp(request)
        if let copy = known.closedCopy {
            if let sample = known.sample, variants.holds(sample) {
                try variants.opened(sample, request.version, copy: copy)
            }
            if let insertion {
                try insertion.set(true, copy: copy)
                try insertion.editor.begin(
                    copy, at: importID, previous: request.previous?.id, request.previous?.evidence)
                taken.insert(copy)
            } else {
                try reopen(copy, request)
            }
            return copy
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
        insert.bind(2, request.seq)
        insert.bind(3, optional: known.sample)
        insert.bind(4, optional: payload)
        insert.bind(5, known.copies)
        // The usual predecessor is the row that this one inherits from; naming it again would cost four bytes.
        insert.bind(6, optional: request.previous.flatMap { $0.id == known.sample ?? payload ? nil : $0.id })
        insert.bind(7, optional: request.previous?.evidence.rawValue)
        try insert.run()
        try insertion?.added(id)
        if insertion != nil { taken.insert(id) }
        if let sample = known.sample {
            if variants.holds(sample) { try variants.add(sample, request.version, payload: payload ?? id) }
        } else {
            try identities.add(request.identity, copy: id)
        }
        return id
    }

    private struct Known {
        /// The row with the strict key's columns.
        var sample: Int64?
        /// The row with this version's payload columns.
        var payload: Int64?
        /// How many copies of this identity and version there are.
        var copies: Int64 = 0
        /// The first of them that is not visible.
        var closedCopy: Int64?
    }

    private func lookUp(_ request: Request) throws -> Known {
        var known = Known()
        // SQLite compares the prefix of an indexed expression; the whole identity is compared here.
        findSample.bind(1, request.type)
        findSample.bind(2, optional: request.start)
        var lowest = Int64.max
        func note(_ row: UnsafeStatement) {
            guard row.digest(3) == request.version else { return }
            known.copies += 1
            known.payload = known.payload ?? row.optionalInt(1) ?? row.int(0)
            if isFree(row), row.int(4) < lowest {
                lowest = row.int(4)
                known.closedCopy = row.int(0)
            }
        }
        try withUnsafeBytes(of: request.identity) { identity in
            guard let base = identity.baseAddress else { return }
            findSample.bind(3, blob: base, 4)
            while known.sample == nil, try findSample.step() {
                if findSample.digest(2) == request.identity { known.sample = findSample.int(0) }
            }
        }
        defer { findSample.reset() }
        guard let sample = known.sample else { return known }
        if !variants.holds(sample) {
            note(findSample)
            findVariants.bind(1, sample)
            defer { findVariants.reset() }
            var read = 0
            while read < VariantTable.limit, try findVariants.step() {
                note(findVariants)
                read += 1
            }
            if read < VariantTable.limit { return known }
            try hold(sample)
        }
        known = Known(sample: sample)
        if let version = try variants.version(sample, request.version) {
            known.payload = version.payload
            known.copies = version.copies
            known.closedCopy = version.closed
        }
        return known
    }

    /// Whether the row that a look-up stands on is not visible and was not taken by this import.
    private func isFree(_ row: UnsafeStatement) -> Bool { row.int(5) == 0 && !taken.contains(row.int(0)) }

    /// Hands a sample of many copies, on whose first row `findSample` stands, to the table of variants.
    private func hold(_ sample: Int64) throws {
        variants.begin(sample)
        func add(_ row: UnsafeStatement) throws {
            guard let version = row.digest(3) else { throw ArchiveError.unreadableValue }
            try variants.add(
                sample, version, payload: row.optionalInt(1) ?? row.int(0),
                closed: isFree(row) ? (row.int(0), row.int(4)) : nil)
        }
        try add(findSample)
        findVariants.reset()
        while try findVariants.step() { try add(findVariants) }
    }

    private func payloadRow(of copy: Int64) throws -> Int64? {
        findPayload.bind(1, copy)
        defer { findPayload.reset() }
        return try findPayload.step() ? findPayload.int(0) : nil
    }

    private func reopen(_ copy: Int64, _ request: Request) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO past_ranges (record_version_id, opened_observation_id, closed_observation_id, superseded,
                    previous_id, evidence)
                SELECT id, opened_observation_id, closed_observation_id, superseded,
                    CASE WHEN evidence IS NOT NULL THEN coalesce(previous_id, sample_id, payload_id) END, evidence
                FROM record_versions WHERE id = ? AND opened_observation_id IS NOT closed_observation_id
                """
        ).execute(arguments: [copy])
        try db.cachedStatement(
            sql: """
                UPDATE record_versions SET opened_observation_id = ?, closed_observation_id = \(ArchiveFormat.open),
                    superseded = 0, previous_id = ?, evidence = ? WHERE id = ?
                """
        ).execute(arguments: [importID, request.previous?.id, request.previous?.evidence.rawValue, copy])
    }
}
