internal import GRDB
internal import HealthModel

extension ImportSession {
    /// The names that occur in each whole state. What a partial export did not show is not gone, so no
    /// old name is either.
    func sourceNames(_ document: ImportDocument) throws -> SourceNames {
        guard let previous = placement.predecessor else { return SourceNames(before: [], after: []) }
        let before = try StateSummary.sources(db, at: previous.id)
        var after = try readSources()
        if !document.isComplete { after.formUnion(before) }
        for type in try carriedTypes() {
            after.formUnion(
                try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT source_id FROM type_sums
                        WHERE import_id = ? AND sample_type_id = ? AND visible_count > 0
                        """,
                    arguments: [previous.id, type]))
        }
        return SourceNames(before: before, after: after)
    }

    /// The names of a partial observation's finished state; nil where the names of `sourceNames` stand for the same.
    ///
    /// Which copies a part of an export leaves visible is decided before it is known which names stay. The change list
    /// is the comparison of two states all the same, so where an old name is gone in the end, the pairs are found again.
    func finishedNames(_ names: SourceNames, _ comparison: StateComparison) throws -> SourceNames? {
        guard placement.predecessor != nil, comparison.pairCount > 0 else { return nil }
        var gone = names.before.subtracting(try readSources())
        guard !gone.isEmpty, let walker else { return nil }
        let rows = try UnsafeStatement(
            db,
            """
            SELECT o.ref, d.source_id FROM temp.outgoing o CROSS JOIN full_record_versions f ON f.id = o.ref
            JOIN descriptors d ON d.id = f.descriptor_id
            """)
        while !gone.isEmpty, try rows.step() {
            if walker.seen.contains(rows.int(0)) || comparison.isTaken(before: rows.int(0)) { continue }
            gone.remove(rows.int(1))
        }
        return gone.isEmpty ? nil : SourceNames(before: names.before, after: names.after.subtracting(gone))
    }

    private func readSources() throws -> Set<Int64> {
        var sources = Set<Int64>()
        for (key, sum) in zip(summary.keys, summary.sums) where sum.count > 0 {
            sources.insert(try dictionaries.parts(of: key.descriptor).source)
        }
        return sources
    }

    /// The types of a complete export whose samples stay as they were: excluded ones, and ECGs without their folder.
    func carriedTypes() throws -> Set<Int64> {
        let rows = try Row.fetchCursor(db, sql: "SELECT id, type_identifier FROM sample_types")
        var carried = Set<Int64>()
        while let row = try rows.next() {
            let identifier: String = try row.get("type_identifier")
            if !request.includesType(identifier)
                || (identifier == SampleType.electrocardiogram && request.missingFolders.contains(.electrocardiograms))
            {
                try carried.insert(row.get("id"))
            }
        }
        return carried
    }
}
