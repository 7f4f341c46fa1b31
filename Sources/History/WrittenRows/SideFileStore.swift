package import Basics
internal import Foundation
internal import GRDB
package import HealthModel
package import Store

extension ImportSession {
    /// The stored side file with this canonical hash, its kind and the SHA-256 of its bytes; nil where there is none yet.
    ///
    /// - Throws: `archiveDamaged` where its row cannot be read.
    package func sideFile(_ hash: Digest256) throws -> (id: Int64, kind: SideFileKind, bytes: Digest256)? {
        let statement = try db.cachedStatement(
            sql: "SELECT id, kind, stored_sha256 FROM side_files WHERE content_sha256 = ?")
        guard let row = try Row.fetchOne(statement, arguments: [hash]) else { return nil }
        let id: Int64 = try row.get("id")
        return try (id, StoredSideFiles.kind(row, id), row.digest("stored_sha256", of: "side_files", id))
    }

    /// The bytes of a stored side file.
    ///
    /// - Throws: `integrityFailure` where they are damaged.
    package func bytes(of file: StoredSideFiles.File) throws -> [UInt8] { try StoredSideFiles.bytes(db, of: file.id) }

    /// Stores a side file's bytes, compressed, in parts of bounded size.
    ///
    /// - Parameters:
    ///   - bytes: the SHA-256 of the bytes from which `hash` was made.
    ///   - read: calls its argument with the file's bytes, piece by piece.
    /// - Returns: the file's row.
    /// - Throws: `inputOutput` where they are other bytes now.
    package func storeSideFile(
        _ hash: Digest256, _ bytes: Digest256, kind: SideFileKind,
        read: ((ByteView) throws -> Void) throws -> Void
    ) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO side_files (kind, content_sha256, stored_sha256, byte_count) VALUES (?, ?, ?, 0)",
            arguments: [kind.rawValue, hash, bytes])
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
