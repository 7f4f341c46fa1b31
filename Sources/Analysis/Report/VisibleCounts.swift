internal import ArchiveFile
internal import ArchiveRows
internal import GRDB

/// How many records of each type were visible at each observation of a chain.
enum VisibleCounts {
    /// By type identifier, one count an observation in chain order.
    static func read(_ db: Database, _ chain: Chain) throws -> [String: [Int64]] {
        var counts: [String: [Int64]] = [:]
        let names = ArchiveNames(db)
        for (index, observation) in chain.finished.enumerated() {
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT sample_type_id, visible_count FROM type_runs WHERE import_id = ?",
                arguments: [observation.id])
            while let row = try rows.next() {
                let type = try names.type(row.get("sample_type_id"))
                if counts[type] == nil { counts[type] = [Int64](repeating: 0, count: chain.finished.count) }
                try counts[type]?[index] = row.get("visible_count")
            }
        }
        return counts
    }
}
