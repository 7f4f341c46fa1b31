internal import GRDB
internal import HealthModel

/// Equal copies: the same identity and version several times in one export.
///
/// Visible copies always have the ordinals 0, 1, … without gaps, so that an archive depends on the states alone and
/// not on which of several equal copies a walk happened to meet.
enum RepeatedCopies {
    /// Gives equal copies of a first export their ordinals and lets rows of one sample share the key's columns.
    static func fold(_ db: Database, chain: Int64, firstID: Int64) throws {
        // In the order of the index equal samples are neighbours, so only neighbours are fetched.
        let rows = try UnsafeStatement(
            db,
            """
            SELECT id, sample_type_id, start_seconds, substr(identity, 1, 4) FROM copies INDEXED BY copies_timeline
            WHERE sample_id IS NULL
            ORDER BY sample_type_id, start_seconds, substr(identity, 1, 4), id
            """)
        let folder = try Folder(db)
        var group: [Int64] = []
        var key: (type: Int64, start: Int64?, prefix: UInt32) = (0, nil, 0)
        while try rows.step() {
            let id = rows.int(0)
            guard id >= firstID else { continue }
            let prefix = rows.bytes(3).map { UnsafeRawPointer($0.start).loadUnaligned(as: UInt32.self) } ?? 0
            let next = (rows.int(1), rows.optionalInt(2), prefix)
            if next == key {
                group.append(id)
            } else {
                try folder.collect(group)
                group = [id]
                key = next
            }
        }
        try folder.collect(group)
        rows.reset()
        try folder.apply()
    }

    private final class Folder {
        private let db: Database
        private let fetch: UnsafeStatement
        private var changes: [(id: Int64, sample: Int64, payload: Int64?, ordinal: Int64)] = []

        init(_ db: Database) throws {
            self.db = db
            fetch = try UnsafeStatement(db, "SELECT identity, version FROM copies WHERE id = ?")
        }

        /// Notes what becomes of a group of rows with one key prefix.
        func collect(_ group: [Int64]) throws {
            guard group.count > 1 else { return }
            var first: [Digest256: Int64] = [:]
            var copies: [Digest256: [Digest256: (first: Int64, count: Int64)]] = [:]
            for id in group {
                fetch.bind(1, id)
                guard try fetch.step(), let identity = fetch.digest(0), let version = fetch.digest(1) else { continue }
                fetch.reset()
                guard let sample = first[identity] else {
                    first[identity] = id
                    copies[identity] = [version: (id, 1)]
                    continue
                }
                let known = copies[identity]?[version]
                changes.append((id, sample, known?.first, known?.count ?? 0))
                copies[identity]?[version] = (known?.first ?? id, (known?.count ?? 0) + 1)
            }
        }

        func apply() throws {
            let update = try UnsafeStatement(
                db,
                """
                UPDATE copies SET sample_id = ?2, payload_id = ?3, ordinal = ?4, sample_type_id = NULL,
                    start_seconds = NULL, identity = NULL, duration = NULL, value = NULL, spelling = NULL, strict_key = NULL,
                    version = iif(?3 IS NULL, version, NULL), creation_delay = iif(?3 IS NULL, creation_delay, NULL),
                    metadata = iif(?3 IS NULL, metadata, NULL), extras = iif(?3 IS NULL, extras, NULL),
                    unversioned = iif(?3 IS NULL, unversioned, NULL), trackless = iif(?3 IS NULL, trackless, NULL)
                WHERE id = ?1
                """)
            for change in changes {
                update.bind(1, change.id)
                update.bind(2, change.sample)
                update.bind(3, optional: change.payload)
                update.bind(4, change.ordinal)
                try update.run()
            }
        }
    }

    /// Makes the seen ones of several equal copies the first ones, by letting equal copies change places.
    static func normalise(_ db: Database, walker: StateWalker) throws {
        let siblings = try UnsafeStatement(
            db,
            """
            SELECT s.id FROM copies c JOIN copies s
                ON (s.id = ifnull(c.sample_id, c.id) OR s.sample_id = ifnull(c.sample_id, c.id))
                AND ifnull(s.payload_id, s.id) = ifnull(c.payload_id, c.id)
            WHERE c.id = ? AND s.ordinal < c.ordinal ORDER BY s.ordinal
            """)
        let isOutgoing = try UnsafeStatement(db, "SELECT 1 FROM temp.outgoing WHERE ref = ?")
        let exchange = try UnsafeStatement(db, "UPDATE temp.outgoing SET ref = ?2 WHERE ref = ?1")
        let repeated = try Int64.fetchAll(
            db, sql: "SELECT id FROM copies WHERE ordinal > 0 ORDER BY ordinal DESC, id DESC")
        for copy in repeated where walker.seen.contains(copy) {
            siblings.bind(1, copy)
            var replacement: Int64?
            while replacement == nil, try siblings.step() {
                let sibling = siblings.int(0)
                isOutgoing.bind(1, sibling)
                if try isOutgoing.step() { replacement = sibling }
                isOutgoing.reset()
            }
            siblings.reset()
            guard let replacement else { continue }
            exchange.bind(1, replacement)
            exchange.bind(2, copy)
            try exchange.run()
            walker.unmark(copy)
            walker.markSeen(replacement)
        }
    }
}
