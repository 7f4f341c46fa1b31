internal import GRDB
internal import HealthModel
internal import Store

/// Equal rows: the same identity and version several times in one export.
///
/// Visible rows always have the ordinals 0, 1, … without gaps, so that an archive depends on the states alone and
/// not on which of several equal rows the merge join happened to meet.
enum RepeatedRows {
    /// Gives equal rows of a first export their ordinals and lets rows of one sample share the key's columns.
    static func fold(_ db: Database, firstRow: Int64) throws {
        let folder = try Folder(db)
        try SampleNeighbours.forEachGroup(db, from: firstRow, folder.collect)
        try folder.apply()
    }

    private final class Folder {
        private let db: Database
        private let fetch: PreparedStatement
        private var changes: [(id: Int64, sample: Int64, payload: Int64?, ordinal: Int64)] = []

        init(_ db: Database) throws {
            self.db = db
            fetch = try PreparedStatement(db, "SELECT identity, version FROM record_versions WHERE id = ?")
        }

        /// Decides what becomes of a group of rows with one key prefix.
        func collect(_ group: [Int64]) throws {
            var first: [Digest256: Int64] = [:]
            var rowIDs: [Digest256: [Digest256: (first: Int64, count: Int64)]] = [:]
            for id in group {
                fetch.bind(1, id)
                guard try fetch.step(), let identity = fetch.digest(0), let version = fetch.digest(1) else { continue }
                fetch.reset()
                guard let sample = first[identity] else {
                    first[identity] = id
                    rowIDs[identity] = [version: (id, 1)]
                    continue
                }
                let known = rowIDs[identity]?[version]
                changes.append((id, sample, known?.first, known?.count ?? 0))
                rowIDs[identity]?[version] = (known?.first ?? id, (known?.count ?? 0) + 1)
            }
        }

        func apply() throws {
            let update = try PreparedStatement(
                db,
                """
                UPDATE record_versions SET sample_id = ?2, payload_id = ?3, ordinal = ?4, sample_type_id = NULL,
                    start_seconds = NULL, identity = NULL, duration = NULL, value = NULL, lexical_form = NULL, strict_key = NULL, kind = NULL,
                    version = iif(?3 IS NULL, version, NULL), creation_delay = iif(?3 IS NULL, creation_delay, NULL),
                    metadata = iif(?3 IS NULL, metadata, NULL), extras = iif(?3 IS NULL, extras, NULL),
                    volatile_fields = iif(?3 IS NULL, volatile_fields, NULL)
                WHERE id = ?1
                """)
            for change in changes {
                try update.run(binding: [change.id, change.sample, change.payload, change.ordinal])
            }
        }
    }

    /// Makes the seen ones of several equal rows the first ones, by letting equal rows change places.
    ///
    /// - Complexity: linear in the rows of samples that have equal ones, and nothing where no row is left over.
    static func normalise(_ db: Database, chain: Int64, _ merge: StateMergeJoin) throws {
        guard try Int64.fetchOne(db, sql: "SELECT 1 FROM temp.import_before LIMIT 1") != nil else { return }
        let samples = try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT ifnull(sample_id, id) FROM record_versions INDEXED BY record_versions_repeated
                WHERE ordinal > 0 AND device_chain_id = ?
                """, arguments: [chain])
        let rowIDs = try PreparedStatement(
            db,
            """
            SELECT id, ifnull(payload_id, id) AS payload FROM record_versions WHERE id = ?1 OR sample_id = ?1
            ORDER BY payload, ordinal
            """)
        let exchange = try Exchange(db, merge)
        for sample in samples {
            rowIDs.bind(1, sample)
            var equal: [Int64] = []
            var payload: Int64?
            while try rowIDs.step() {
                if rowIDs.int(1) != payload {
                    try exchange.run(equal)
                    equal.removeAll(keepingCapacity: true)
                    payload = rowIDs.int(1)
                }
                equal.append(rowIDs.int(0))
            }
            rowIDs.reset()
            try exchange.run(equal)
        }
    }

    private struct Exchange {
        let merge: StateMergeJoin
        let isUnmatched: PreparedStatement
        let replace: PreparedStatement

        init(_ db: Database, _ merge: StateMergeJoin) throws {
            self.merge = merge
            isUnmatched = try PreparedStatement(db, "SELECT 1 FROM temp.import_before WHERE ref = ?")
            replace = try PreparedStatement(db, "UPDATE temp.import_before SET ref = ?2 WHERE ref = ?1")
        }

        /// Lets equal rows, in the order of their ordinals, change places until those that are seen come first.
        func run(_ rowIDs: [Int64]) throws {
            guard rowIDs.count > 1 else { return }
            var low = 0
            var high = rowIDs.count - 1
            while low < high {
                if !merge.seen.contains(rowIDs[high]) {
                    high -= 1
                } else if try !isLeftOver(rowIDs[low]) {
                    low += 1
                } else {
                    try replace.run(binding: [rowIDs[low], rowIDs[high]])
                    merge.unmark(rowIDs[high])
                    merge.markSeen(rowIDs[low])
                }
            }
        }

        private func isLeftOver(_ rowID: Int64) throws -> Bool {
            isUnmatched.bind(1, rowID)
            defer { isUnmatched.reset() }
            return try isUnmatched.step()
        }
    }
}
