internal import Days
internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

extension ImportSession {
    /// Members of correlations and workouts, and the files of items but routes, as rows.
    func storeRelationships(_ document: ImportDocument) throws {
        for (path, id) in document.sideFiles {
            try db.execute(
                sql: "INSERT OR REPLACE INTO import_side_files (import_id, path, side_file_id) VALUES (?, ?, ?)",
                arguments: [importID, path, id])
        }
        for kind in request.missingFolders {
            try db.execute(
                sql: "INSERT OR IGNORE INTO absent_folders VALUES (?, ?)", arguments: [importID, kind.rawValue])
        }
        // Of several observations that state a relationship the first in chain order counts.
        let later = placement.after.map(\.id).sqlList
        let earliest = """
            ON CONFLICT DO UPDATE SET import_id = excluded.import_id WHERE relationships.import_id IN (\(later))
            """
        let owner = "iif(m.is_staged, (SELECT record_version_id FROM temp.placed_items WHERE seq = m.owner), m.owner)"
        try db.execute(
            sql: """
                INSERT INTO relationships (source_id, kind, target_id, import_id)
                SELECT o.sample, m.kind, t.id, ?
                FROM (SELECT m.rowid AS member, ifnull(c.sample_id, c.id) AS sample
                    FROM temp.item_members m CROSS JOIN record_versions c ON c.id = \(owner)) o
                JOIN temp.item_members m ON m.rowid = o.member
                CROSS JOIN record_versions t INDEXED BY record_versions_timeline ON t.sample_type_id = m.sample_type_id
                    AND t.start_seconds IS m.start_seconds AND substr(t.identity, 1, 4) = substr(m.identity, 1, 4)
                    AND t.identity = m.identity AND t.sample_id IS NULL AND t.device_chain_id = ?
                WHERE m.path IS NULL
                \(earliest)
                """,
            arguments: [importID, chainID])
        try db.execute(
            sql: """
                INSERT INTO relationships (source_id, kind, target_id, import_id)
                SELECT ifnull(c.sample_id, c.id), 'file', f.side_file_id, ?1
                FROM temp.item_members m CROSS JOIN record_versions c ON c.id = \(owner)
                JOIN import_side_files f ON f.import_id = ?1 AND f.path = ltrim(m.path, '/')
                WHERE m.path IS NOT NULL
                \(earliest)
                """,
            arguments: [importID])
    }

    /// Writes the rows of `type_sums`; those of types with rows that the file did not show are read from storage.
    func writeSums() throws {
        let condition = mode.derivation?.visible("f", at: importID) ?? "f.closed_observation_id = \(ArchiveFormat.open)"
        carried.summary = try StateSummary(db, chain: chainID, types: carried.types, visible: condition)
        try summary.insertSums(db, importID: importID, dictionaries) { !carried.types.contains($0) }
        try carried.summary.insertSums(db, importID: importID, dictionaries) { carried.types.contains($0) }
    }

    /// Writes the rows of `type_runs`.
    ///
    /// - Parameter leftOut: the types that the export shows and the selection leaves out.
    func writeTypeRuns(_ account: ObservationAccount, leftOut: Set<ExactText>, _ tally: ChangeTally) throws {
        let shown = try leftOut.map { try dictionaries.type($0.text) }
        let quarantined = try quarantinedTypes.map { try dictionaries.type($0.text) }
        let names = try SampleTypeNames.read(db)
        let before = try placement.predecessor.map { try TypeRunRow.read(db, importID: $0.id) } ?? [:]
        let excluded = try TypeRunRow.types(db, at: placement.before.map(\.id)).union(shown)
            .filter { !account.selection.includes(names[$0]) }
        let types = summary.types()
        let known = Set(before.filter { $0.value.visible > 0 }.keys).union(types.keys)
            .union(tally.types.keys).union(quarantined).union(excluded)
        let carriedTypes = carried.summary.types()
        try TypeRunRow.insert(
            db, importID: importID, types: names.filter { known.contains($0.key) }, account,
            leftOut: Set(shown), read: { types[$0]?.count ?? 0 }, before: before, tally
        ) { type in
            let totals = carriedTypes[type] ?? types[type]
            return (totals?.earliestStart, totals?.latestEnd)
        }
        try AggregateHash.store(db, importID: importID)
    }

    /// The observation's own row, with which it becomes visible.
    func writeObservation(_ document: ImportDocument, _ state: StateDigest) throws {
        for repair in document.repairs {
            try db.execute(
                sql: "INSERT OR REPLACE INTO repairs VALUES (?, ?, ?, ?)",
                arguments: [importID, repair.kind, repair.count, repair.firstLine])
        }
        for (name, count) in document.unknown {
            try db.execute(
                sql: "INSERT OR REPLACE INTO unknown_names VALUES (?, ?, ?)", arguments: [importID, name.text, count])
        }
        let withdrawn = try WithdrawnObservation.read(db, ofXML: document.xmlSHA256).map {
            "This export was imported before as observation \($0.id) and withdrawn: \($0.reason)"
        }
        let warnings = document.warnings + withdrawn
        for (position, warning) in warnings.enumerated() {
            try db.execute(
                sql: "INSERT OR REPLACE INTO import_warnings VALUES (?, ?, ?)",
                arguments: [importID, position, warning])
        }
        try rows.write(db, importID: importID)
        let ownFirst = isSupplementBesideOthers ? nil : firstRow
        let ownLast =
            isSupplementBesideOthers ? nil : try Int64.fetchOne(db, sql: "SELECT max(id) FROM record_versions") ?? 0
        try db.execute(
            sql: """
                UPDATE imports SET status = ?, ended_at = ?, offset_seconds = ?, locale = ?, export_version = ?,
                    doctype = ?, document_extras = ?, xml_byte_count = ?, xml_sha256 = ?, stopped_line = ?,
                    stopped_byte = ?, stopped_reason = ?, stream_digest = ?, state_digest = ?, type_selection = ?, type_selection_sha256 = ?,
                    first_record_version_id = ifnull(?, first_record_version_id), last_record_version_id = ifnull(?, last_record_version_id), failure = NULL
                WHERE id = ? AND status = ?
                """,
            arguments: [
                (document.isComplete ? Observation.Status.completed : .partial).rawValue, Date().timeIntervalSince1970,
                document.offsetSeconds, document.locale, document.exportVersion, document.doctype, document.extras,
                document.xmlByteCount, document.xmlSHA256, document.stop?.line, document.stop?.byte,
                document.stop?.reason, stream, state, request.types.json, request.types.sha256, ownFirst, ownLast,
                importID, (supplemented?.status ?? .started).rawValue,
            ])
        guard db.changesCount == 1 else { throw HealthProbeError.takenOver }
    }
}

extension ImportSession {
    /// The aggregates by local day, in the zone that follows from the chain with this observation in it.
    ///
    /// - Returns: a sentence where that is another one than before.
    func writeAggregates() throws -> String? {
        guard let chain = try Chain.read(db, name: request.chain) else { return nil }
        try aggregates.writeZones()
        let warning =
            if mode.derivation != nil {
                try Aggregates.afterInsertion(
                    db, chain, isSupplementBesideOthers ? nil : (importID, placement.successor?.id),
                    rows: "SELECT id FROM temp.touched_rows")
            } else {
                try aggregates.finish(chain, summary.keys, isRewritten: supplemented != nil)
            }
        if warning != nil { try RunLog.append(db, .timeZone, outcome: "changed", importID: importID) }
        return warning
    }
}
