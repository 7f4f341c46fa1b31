internal import Basics
internal import Foundation
internal import GRDB
internal import Store

/// A new archive file made from the rows of another.
enum RebuiltFile {
    /// Makes `path`, where nothing may be yet, from `source`.
    ///
    /// - Parameters:
    ///   - schema: the version to make.
    ///   - salvages: pass over damaged pages.
    ///   - isCancelled: ends the statements where it returns true.
    ///   - finish: the last changes, in the transaction that the file ends with.
    /// - Returns: what could not be read.
    static func make(
        _ path: String, from source: String, schema: Schema = Schema.versions.newest, salvages: Bool,
        isCancelled: @escaping () -> Bool = { false }, progress: (String) -> Void,
        finish: (Database) throws -> Void
    ) throws -> [ArchiveCopy.Loss] {
        let queue = try ArchiveConnection.open(path, readonly: false)
        let losses = try queue.writeWithoutTransaction { db in
            let cancellation = ProgressHandler(db, endsStatements: isCancelled)
            defer { cancellation.remove() }
            try schema.setHeader(db)
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            // Not OFF: a statement that meets a damaged page must be rolled back.
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = MEMORY")
            if salvages { try UnsafeDatabase.allowShortFiles(db, true) }
            try attach(source, to: db, untouched: salvages)
            let copy = ArchiveCopy(db, schema: schema, salvages: salvages)
            // Each statement commits by itself: a transaction that has met a damaged page of the other file may not
            // be committed. Nothing depends on what is written here before the file is synced as a whole.
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try copy.run(progress: progress)
            try db.execute(sql: "DETACH DATABASE old")
            try db.execute(sql: "PRAGMA locking_mode = NORMAL")
            if salvages { try UnsafeDatabase.allowShortFiles(db, false) }
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.inTransaction {
                try finish(db)
                return .commit
            }
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            _ = try db.checkpoint(.truncate)
            return copy.losses
        }
        try queue.close()
        return losses
    }

    /// Attaches the source as `old`.
    ///
    /// - Parameter untouched: leave nothing beside it, and read what is on a read-only medium.
    private static func attach(_ source: String, to db: Database, untouched: Bool) throws {
        let place = untouched ? untouchedPlace(source) : (uri: ArchiveConnection.uri(source), exclusive: false)
        // It must hold when the file is attached, which reads it.
        if place.exclusive { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        try db.execute(sql: "ATTACH DATABASE ? AS old", arguments: [place.uri])
        try db.execute(sql: "PRAGMA old.cell_size_check = ON")
    }

    /// The URI that opens an archive and leaves nothing beside it, and whether that needs the exclusive locking mode.
    static func untouchedPlace(_ source: String) -> (uri: String, exclusive: Bool) {
        // Where shared memory is beside the archive, somebody may have it open, and nothing new is left behind.
        let isShared = access(source + "-wal", R_OK) == 0 && access(source + "-shm", W_OK) == 0
        return isShared
            ? (uri: ArchiveConnection.uri(source), exclusive: false) : ArchiveConnection.withoutSharedMemory(source)
    }

    /// `2026-11-21T21-10-00Z`: part of the names of files that are moved aside.
    static func stamp(_ date: Date = Date()) -> String {
        ISO8601.string(unixSeconds: Int64(date.timeIntervalSince1970)).prefix(19).replacing(":", with: "-") + "Z"
    }

    static func freeName(_ path: String, _ ending: String) -> String {
        let wanted = "\(path).\(stamp()).\(ending)"
        var name = wanted
        var number = 1
        while linkStatus(name) != nil {
            number += 1
            name = "\(wanted)-\(number)"
        }
        return name
    }
}
