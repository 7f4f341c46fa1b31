package import Foundation
package import GRDB
package import HealthModel

/// The side files that the archive keeps, by observation, by content and by the item they belong to.
package struct StoredSideFiles {
    /// One stored file under the path that an export gave it.
    package struct File: Sendable {
        package var id: Int64
        package var path: String
        /// The canonical hash: of a route without what changes at every export.
        package var content: Digest256
        /// SHA-256 of the bytes as they are kept.
        package var stored: Digest256
        package var byteCount: Int64

        /// What the file is follows from its path: equal bytes, none for instance, are stored once whatever they are.
        package var kind: SideFileKind? { SideFileKind.of(path) }
    }

    private let db: Database
    private let scope: String
    private let history: [Int64]

    /// Files to search for.
    ///
    /// - Parameter history: the ids of the observations whose files are looked at, oldest first.
    /// - Throws: `archiveDamaged` where a file has no hash: a search for it would not find the file.
    package init(_ db: Database, history: [Int64]) throws {
        self.db = db
        let damaged = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM side_files WHERE typeof(content_sha256) <> 'blob' OR length(content_sha256) <> 32
                    OR typeof(stored_sha256) <> 'blob' OR length(stored_sha256) <> 32
                """)
        if let damaged { throw HealthProbeError.damagedRow("side_files", damaged) }
        self.history = history
        scope = "s.import_id IN (\(history.sqlList))"
    }

    /// The files of an observation by path.
    ///
    /// - Throws: `archiveDamaged` where the row of one of them cannot be read.
    package static func files(_ db: Database, of observation: Int64) throws -> [File] {
        try fetch(db, "s.import_id = ?", [observation], order: "s.path")
    }

    /// The file of a route, by the route's row: as the newest observation that shows it says, or where that one lacks the
    /// folder of routes, the newest known before.
    package func file(ofRoute row: Int64) throws -> File? {
        let facts = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT r.import_id AS at, r.side_file_id AS file, EXISTS (SELECT 1 FROM absent_folders a
                        WHERE a.import_id = r.import_id AND a.kind = '\(SideFileKind.workoutRoute.rawValue)') AS lacked
                    FROM shown_routes r WHERE r.record_version_id = ?
                    """), arguments: [row])
        let byObservation = try Dictionary(facts.map { (try $0.get("at") as Int64, $0) }) { first, _ in first }
        let newest = history.reversed().compactMap { byObservation[$0] }
        for (place, fact) in newest.enumerated() {
            if let id = try fact.get("file") as Int64? { return try file(id) }
            if place == 0, try !(fact.get("lacked") as Bool) { return nil }
        }
        return nil
    }

    /// A file by its row, under the path that the newest of the observations gave it.
    package func file(_ id: Int64) throws -> File? {
        try search("f.id = ?", [id], order: "s.import_id DESC, s.path").first
    }

    /// The files that exports named for an item that is no route, the newest import's first.
    package func files(ofSample sample: Int64) throws -> [File] {
        try search(
            "f.id IN (SELECT target_id FROM relationships WHERE source_id = ? AND kind = 'file')", [sample],
            order: "s.import_id DESC, s.path")
    }

    /// The file at a path that exports named for an item; the newest import's.
    package func file(ofSample sample: Int64, path: String) throws -> File? {
        try files(ofSample: sample).first { $0.path == path }
    }

    private func search(
        _ condition: String, _ arguments: [any DatabaseValueConvertible], order: String
    ) throws -> [File] {
        try Self.fetch(db, "\(condition) AND \(scope)", arguments, order: order)
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: [any DatabaseValueConvertible], order: String
    ) throws -> [File] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT f.id, f.kind, s.path, f.content_sha256, f.stored_sha256, f.byte_count
                    FROM side_files f JOIN import_side_files s ON s.side_file_id = f.id
                    WHERE \(condition) ORDER BY \(order)
                    """),
            arguments: StatementArguments(arguments)
        ).map { row in
            let id: Int64 = try row.get("id")
            // Damage, even where nobody asks for it.
            _ = try kind(row, id)
            return try File(
                id: id, path: row.get("path"), content: row.digest("content_sha256", of: "side_files", id),
                stored: row.digest("stored_sha256", of: "side_files", id), byteCount: row.get("byte_count"))
        }
    }

    /// The kind by whose rules the canonical hash of a row of `side_files` was made.
    ///
    /// - Throws: `archiveDamaged` where there is no such kind.
    package static func kind(_ row: Row, _ id: Int64) throws -> SideFileKind {
        guard let kind = (try? row.get("kind") as String).flatMap(SideFileKind.init(rawValue:)) else {
            throw HealthProbeError.damagedRow("side_files", id)
        }
        return kind
    }

    /// Calls `body` with the bytes of a file, in parts of about a mebibyte.
    ///
    /// - Throws: `integrityFailure` where the stored bytes are damaged.
    package func read(_ id: Int64, _ body: (Data) throws -> Void) throws { try Self.read(db, id, body) }

    /// The bytes of a file.
    ///
    /// - Throws: `integrityFailure` where they are damaged.
    package static func bytes(_ db: Database, of id: Int64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(db, id) { bytes += $0 }
        return bytes
    }

    /// The error for bytes that are not those that were stored.
    package static let damaged = HealthProbeError(
        .integrityFailure, "A stored side file is damaged.", hint: "Run healthprobe check.")

    private static func read(_ db: Database, _ id: Int64, _ body: (Data) throws -> Void) throws {
        let parts = try Data.fetchCursor(
            db, sql: "SELECT deflated FROM side_file_parts WHERE side_file_id = ? ORDER BY part", arguments: [id])
        while let part = try parts.next() {
            guard let bytes = Deflate.expand(part) else { throw damaged }
            try body(bytes)
        }
    }
}
