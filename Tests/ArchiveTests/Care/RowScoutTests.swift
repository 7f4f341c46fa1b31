internal import ArchiveTestSupport
@testable internal import Care
internal import Foundation
internal import GRDB
@testable internal import Store
internal import Testing

/// What a repair saves of tables that lost pages in the middle and at their end.
@Suite struct RowScoutTests {
    /// Two tables whose pages take turns in the file.
    private static let tables = [
        "quarantine": "INSERT INTO quarantine VALUES (?1, 1, NULL, 'reason', 1, 1, 1, ?2)",
        "metadata_sets": "INSERT INTO metadata_sets VALUES (?1, ?2)",
    ]

    private func filled(_ path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA auto_vacuum = NONE")
            try Schema.versions.newest.create(db)
            try db.inTransaction {
                for id in 1...4_000 {
                    // Some rows go on over pages of their own, and some ids are missing.
                    let text = String(repeating: "x", count: id % 500 == 0 ? 9_000 : 120)
                    for sql in Self.tables.sorted(by: { $0.key < $1.key }).map(\.value) where id % 7 != 0 {
                        try db.execute(sql: sql, arguments: [id, text])
                    }
                }
                return .commit
            }
        }
        try database.close()
    }

    /// Overwrites leaf pages here and there in the second half, and cuts off the last tenth.
    private func damage(_ path: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let count = bytes.count / 4096
        let leaves = (count / 2..<count).filter { bytes[$0 * 4096] == 0x0D && bytes[$0 * 4096 + 4] > 10 }
        for page in leaves.enumerated().filter({ $0.offset % 9 < 2 }).map(\.element) {
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        try bytes.prefix(count * 9 / 10 * 4096).write(to: URL(fileURLWithPath: path))
    }

    private func attaching<T>(_ path: String, to new: String, _ body: (Database) throws -> T) throws -> T {
        try DatabaseQueue(path: new).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
            try UnsafeDatabase.allowShortFiles(db, true)
            try db.execute(sql: "ATTACH DATABASE ? AS old", arguments: [path])
            return try body(db)
        }
    }

    @Test func everyRowThatCanBeReadIsSaved() throws {
        let home = try TestArchive()
        defer { withExtendedLifetime(home) {} }
        let folder = home.folder
        let path = folder + "/old.sqlite"
        try filled(path)
        try damage(path)
        let readable = try attaching(path, to: folder + "/probe.sqlite") { db in
            var found: [String: Set<Int64>] = [:]
            for table in Self.tables.keys {
                let column = table == "quarantine" ? "element" : "metadata"
                let row = try db.makeStatement(sql: "SELECT \(column) FROM old.\(table) WHERE id = ?")
                for id in Int64(1)...4_000 {
                    guard let text = try? String.fetchOne(row, arguments: [id]), !text.isEmpty else { continue }
                    found[table, default: []].insert(id)
                }
            }
            return found
        }
        let (saved, losses) = try attaching(path, to: folder + "/new.sqlite") { db in
            let copy = ArchiveCopy(db, schema: Schema.versions.newest, salvages: true)
            try copy.run { _ in }
            let saved = try Self.tables.keys.map { ($0, try Set(Int64.fetchAll(db, sql: "SELECT id FROM main.\($0)"))) }
            return (Dictionary(uniqueKeysWithValues: saved), copy.losses)
        }
        for table in Self.tables.keys {
            let rows = try #require(readable[table])
            #expect((1_000..<3_300).contains(rows.count) && rows.contains { $0 > 2_500 }, "\(table): \(rows.count)")
            let found = try #require(saved[table])
            #expect(rows.subtracting(found).sorted() == [], "\(table): left out")
            #expect(found.subtracting(rows).sorted() == [], "\(table): not in the file")
            let words = losses.filter { $0.table == table }.map(\.what)
            #expect(words.count > 5 && words.last?.hasPrefix("row ids from ") == true, "\(words)")
        }
    }
}
