internal import ArchiveFile
internal import ArchiveRows
internal import Foundation
internal import GRDB
package import HealthModel
package import TextFormats

extension ImportSession {
    /// The stored side file with this canonical hash, its kind and the SHA-256 of its bytes; nil where there is none yet.
    package func sideFile(_ hash: Digest256) throws -> (id: Int64, kind: String, bytes: Digest256)? {
        let statement = try db.cachedStatement(
            sql: "SELECT id, kind, stored_sha256 FROM side_files WHERE content_sha256 = ?")
        return try Row.fetchOne(statement, arguments: [hash]).map { row in
            try (row.get("id"), row.get("kind"), row.get("stored_sha256"))
        }
    }

    /// The bytes of a stored side file of at most `limit` bytes; nil where it is longer or damaged.
    package func storedBytes(_ id: Int64, limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let parts = try Data.fetchCursor(
            db, sql: "SELECT deflated FROM side_file_parts WHERE side_file_id = ? ORDER BY part", arguments: [id])
        while let part = try parts.next() {
            guard let expanded = Deflate.expand(part), bytes.count + expanded.count <= limit else { return nil }
            bytes.append(contentsOf: expanded)
        }
        return bytes
    }

    /// Stores a side file's bytes, compressed, in parts of bounded size.
    ///
    /// - Parameters:
    ///   - bytes: the SHA-256 of the bytes from which `hash` was made.
    ///   - read: calls its argument with the file's bytes, piece by piece.
    /// - Returns: the file's row.
    /// - Throws: `inputOutput` where they are other bytes now.
    package func storeSideFile(
        _ hash: Digest256, _ bytes: Digest256, kind: String,
        read: ((ByteView) throws -> Void) throws -> Void
    ) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO side_files (kind, content_sha256, stored_sha256, byte_count) VALUES (?, ?, ?, 0)",
            arguments: [kind, hash, bytes])
        let id = db.lastInsertedRowID
        var stored = SHA256()
        var byteCount = 0
        var part = 0
        var pending = Data()
        func flush() throws {
            try db.execute(
                sql: "INSERT INTO side_file_parts (side_file_id, part, deflated) VALUES (?, ?, ?)",
                arguments: [id, part, Deflate.compress(pending)])
            part += 1
            pending.removeAll(keepingCapacity: true)
        }
        try read { bytes in
            stored.update(bytes)
            byteCount += bytes.count
            pending.append(contentsOf: bytes)
            if pending.count >= 1 << 20 { try flush() }
        }
        if !pending.isEmpty { try flush() }
        guard stored.finalize() == bytes else { throw HealthProbeError.changedWhileRead }
        try db.execute(sql: "UPDATE side_files SET byte_count = ? WHERE id = ?", arguments: [byteCount, id])
        return id
    }
}
