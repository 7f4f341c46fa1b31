internal import GRDB

/// The copies that a partial observation's own file showed, as runs of ids.
enum ReadRuns {
    /// Writes the runs of an observation in place of those that it had.
    static func write(_ db: Database, importID: Int64, _ read: Bitmap) throws {
        try db.execute(sql: "DELETE FROM read_runs WHERE import_id = ?", arguments: [importID])
        let insert = try UnsafeStatement(db, "INSERT INTO read_runs VALUES (\(importID), ?, ?)")
        try read.forEachRun { first, last in
            insert.bind(1, first)
            insert.bind(2, last)
            try insert.run()
        }
    }

    /// Reads the runs of an observation.
    static func read(_ db: Database, importID: Int64) throws -> Bitmap {
        var read = Bitmap()
        let runs = try UnsafeStatement(
            db, "SELECT first_record_version_id, last_record_version_id FROM read_runs WHERE import_id = \(importID)")
        while try runs.step() {
            let (first, last) = (runs.int(0), runs.int(1))
            guard first >= 1, first <= last, last <= CheckScope.highestCopyID else {
                throw ArchiveError.unreadableValue
            }
            for id in first...last { read.insert(id) }
        }
        return read
    }
}
