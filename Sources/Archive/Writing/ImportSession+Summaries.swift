internal import Foundation
internal import GRDB
internal import HealthModel

extension ImportSession {
    /// Members of correlations and workouts, routes of workouts and the files of items, as rows.
    func storeRelationships(_ document: ImportDocument) throws {
        for (path, id) in document.sideFiles {
            try db.execute(
                sql: "INSERT OR REPLACE INTO import_side_files (import_id, path, side_file_id) VALUES (?, ?, ?)",
                arguments: [importID, path, id])
        }
        let owner = "iif(m.in_incoming, (SELECT copy_id FROM temp.placed WHERE seq = m.owner), m.owner)"
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO relationships (source_id, kind, target_id, import_id)
                SELECT o.sample, m.kind, t.id, ?
                FROM (SELECT m.rowid AS member, ifnull(c.sample_id, c.id) AS sample
                    FROM temp.members m CROSS JOIN copies c ON c.id = \(owner)) o
                JOIN temp.members m ON m.rowid = o.member
                CROSS JOIN copies t INDEXED BY copies_timeline ON t.sample_type_id = m.sample_type_id
                    AND t.start_seconds IS m.start_seconds AND substr(t.identity, 1, 4) = substr(m.identity, 1, 4)
                    AND t.identity = m.identity AND t.sample_id IS NULL AND t.device_chain_id = ?
                WHERE m.path IS NULL
                """,
            arguments: [importID, chainID])
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO relationships (source_id, kind, target_id, import_id)
                SELECT ifnull(c.sample_id, c.id), 'file', f.side_file_id, ?1
                FROM temp.members m CROSS JOIN copies c ON c.id = \(owner)
                JOIN import_side_files f ON f.import_id = ?1 AND f.path = ltrim(m.path, '/')
                WHERE m.path IS NOT NULL
                """,
            arguments: [importID])
    }

    /// The rows of `type_runs` and `type_sums`.
    func writeSummaries(_ document: ImportDocument, _ tally: ChangeTally) throws {
        let before = try previousCounts()
        let identifiers = Dictionary(
            uniqueKeysWithValues: try Row.fetchAll(db, sql: "SELECT id, type_identifier FROM sample_types")
                .map { ($0["id"] as Int64, $0["type_identifier"] as String) })
        let known = Set(before.keys).union(summary.types.keys).union(tally.types.keys).union(quarantinedTypes)
        var recomputed = StateSummary()
        var recomputedTypes = Set<Int64>()
        for type in known.sorted() {
            guard let identifier = identifiers[type] else { continue }
            let counts = tally.types[type] ?? ChangeTally.Counts()
            let status = status(of: type, identifier, document)
            let visible = (before[type] ?? 0) + counts.appeared - counts.disappeared
            let read = summary.types[type]?.count ?? 0
            if visible != read, visible > 0 {
                // Not all of the state was read now: a partial document, an excluded type, an absent folder.
                try StateSummary.add(type: type, importID: importID, chainID: chainID, db, to: &recomputed)
                recomputedTypes.insert(type)
            }
            let totals = recomputedTypes.contains(type) ? recomputed.types[type] : summary.types[type]
            try db.execute(
                sql: """
                    INSERT INTO type_runs (import_id, sample_type_id, status, read_count, visible_count, appeared_count,
                        disappeared_count, representation_changed_count, earliest_start, latest_end, evidence,
                        changed_fields)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    importID, type, status, read, visible, counts.appeared, counts.disappeared, counts.changed,
                    totals?.earliestStart, totals?.latestEnd, Self.json(counts.evidence), Self.json(counts.fields),
                ])
        }
        recomputed.flush()
        try writeSums(summary, where: { !recomputedTypes.contains($0) })
        try writeSums(recomputed, where: { recomputedTypes.contains($0) })
    }

    private func previousCounts() throws -> [Int64: Int64] {
        guard let previous else { return [:] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT sample_type_id, visible_count FROM type_runs WHERE import_id = ? AND visible_count > 0",
            arguments: [previous.id])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["sample_type_id"], $0["visible_count"]) })
    }

    private func status(of type: Int64, _ identifier: String, _ document: ImportDocument) -> String {
        if !request.includesType(identifier) { return "excluded" }
        if !document.isComplete || quarantinedTypes.contains(type) || request.missingFolders.makesIncomplete(identifier) {
            return "incomplete"
        }
        return (summary.types[type]?.count ?? 0) > 0 ? "completed" : "absent"
    }

    private func writeSums(_ summary: StateSummary, where isWanted: (Int64) -> Bool) throws {
        var sums: [Int64: [Int64: [Int64: StateSummary.Sum]]] = [:]
        for entry in summary.entries where isWanted(entry.type) {
            let parts = try dictionaries.parts(of: entry.descriptor)
            sums[entry.type, default: [:]][parts.source, default: [:]][parts.unit, default: StateSummary.Sum()]
                .merge(entry.sum)
        }
        for (type, sources) in sums {
            for (source, units) in sources {
                for (unit, sum) in units {
                    try db.execute(
                        sql: "INSERT INTO type_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        arguments: [importID, type, source, unit, sum.count, sum.numbers, sum.sum.value, sum.maximum])
                }
            }
        }
    }

    private static func json(_ counts: [String: Int64]) -> String {
        CanonicalJSON.object(counts.map { ($0.key, .integer($0.value)) }).text
    }

    /// The observation's own row, with which it becomes visible.
    func writeObservation(_ document: ImportDocument) throws {
        for repair in document.repairs {
            try db.execute(
                sql: "INSERT OR REPLACE INTO repairs VALUES (?, ?, ?, ?)",
                arguments: [importID, repair.kind, repair.count, repair.firstLine])
        }
        for (name, count) in document.unknown {
            try db.execute(
                sql: "INSERT OR REPLACE INTO unknown_names VALUES (?, ?, ?)", arguments: [importID, name, count])
        }
        for (position, warning) in document.warnings.enumerated() {
            try db.execute(
                sql: "INSERT OR REPLACE INTO import_warnings VALUES (?, ?, ?)", arguments: [importID, position, warning])
        }
        let lastCopyID = try Int64.fetchOne(db, sql: "SELECT max(id) FROM copies") ?? 0
        try db.execute(
            sql: """
                UPDATE imports SET status = ?, ended_at = ?, offset_seconds = ?, locale = ?, export_version = ?,
                    doctype = ?, document_extras = ?, xml_byte_count = ?, xml_sha256 = ?, stopped_line = ?,
                    stopped_byte = ?, stopped_reason = ?, stream_digest = ?, state_digest = ?, type_selection = ?,
                    first_copy_id = ?, last_copy_id = ?, failure = NULL
                WHERE id = ?
                """,
            arguments: [
                document.isComplete ? "completed" : "partial", Date().timeIntervalSince1970, document.offsetSeconds,
                document.locale, document.exportVersion, document.doctype, document.extras, document.xmlByteCount,
                Data(document.xmlSHA256.data), document.stop?.line, document.stop?.byte, document.stop?.reason,
                Data(stream.stored), Data((state ?? stream).stored), request.typeSelection,
                firstCopyID, lastCopyID, importID,
            ])
    }
}

extension ImportSession {
    /// The aggregates by local day, in the zone that follows from the chain with this observation in it.
    func writeAggregates() throws {
        guard let chain = try Chain.read(db, name: request.chain),
            let warning = try aggregates.finish(chain, summary, isRewritten: supplements)
        else { return }
        try db.execute(
            sql: """
                INSERT INTO import_warnings
                SELECT ?1, ifnull(max(position), -1) + 1, ?2 FROM import_warnings WHERE import_id = ?1
                """,
            arguments: [importID, warning])
    }
}

extension StateSummary {
    /// Adds the copies of one type that are visible once the import is finished.
    static func add(type: Int64, importID: Int64, chainID: Int64, _ db: Database, to summary: inout StateSummary) throws {
        let rows = try UnsafeStatement(
            db,
            """
            SELECT f.descriptor_id, f.start_seconds, f.end_seconds, f.value FROM full_copies f
            WHERE f.sample_type_id = \(type) AND f.device_chain_id = \(chainID)
                AND f.closed_observation_id = \(ArchiveFormat.open)
            """)
        while try rows.step() {
            let isNumber = !rows.isNull(3) && !rows.isText(3)
            summary.add(
                type: type, descriptor: rows.int(0), start: rows.optionalInt(1), end: rows.optionalInt(2),
                number: isNumber ? rows.double(3) : nil)
        }
        summary.flush()
    }
}
