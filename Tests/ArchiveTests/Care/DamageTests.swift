internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Testing
internal import TestSupport

/// Random damage to the file: every change of content is reported by the deep check, and nothing crashes.
///
/// `HEALTHPROBE_DAMAGE=full` runs the long version and writes its table to `docs/reliability.md`.
@Suite(.serialized) struct DamageTests {
    enum Kind: String, CaseIterable, Sendable {
        case bitFlip = "one bit flipped"
        case zeroedPage = "a page of zeros"
        case truncation = "cut off"

        var fullCount: Int { self == .bitFlip ? 1000 : 200 }
        var shortCount: Int { self == .bitFlip ? 60 : 12 }
    }

    /// What became of the damaged files of one kind.
    struct Outcome {
        var tried = 0
        /// Nothing that a query can see is different.
        var contentIntact = 0
        /// Of the others: what the check said.
        var reported = 0
        var refused = 0
        /// What is different in each file that the check found healthy.
        var missed: [String] = []
        /// What SQLite's own check would have said.
        var bySQLite = 0
        /// Reports although the content is intact: of the file's structure.
        var structureOnly = 0
    }

    private static let isFull = ProcessInfo.processInfo.environment["HEALTHPROBE_DAMAGE"] == "full"

    private static let model = Result { () throws -> TestArchive in
        let archive = try TestArchive()
        let files = SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a }
        func records(_ range: Range<Int>, _ source: String) -> [String] {
            TestRecord.steps(range) {
                $0.source = source
                $0.metadata = [("HKWasUserEntered", "1")]
            }
        }
        try archive.add(TestExport(day: 1, records(0..<150, "Phone") + [SideFileTests.workout()], files: files))
        try archive.add(TestExport(day: 2, records(10..<160, "My Watch") + [SideFileTests.workout(70)], files: files))
        try archive.add(TestExport(day: 3, records(0..<165, "My Watch"), files: files, isTruncated: true))
        // The file as a process leaves it that closes: one file without a log.
        return archive
    }

    @Test(arguments: Kind.allCases)
    func everyChangeOfContentIsReported(kind: Kind) throws {
        let model = try Self.model.get()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: model.path))
        let expected = try Self.content(model.path)
        var outcome = Outcome()
        var generator = SystemLike(state: UInt64(kind.rawValue.utf8.count) &* 0x9E37_79B9_7F4A_7C15)
        for number in 0..<(Self.isFull ? kind.fullCount : kind.shortCount) {
            let damaged = try TestArchive()
            try Self.damage(bytes, kind, &generator).write(to: URL(fileURLWithPath: damaged.path))
            outcome.tried += 1
            let content = try? Self.content(damaged.path)
            let isIntact = content == expected
            if Self.sqliteFinds(damaged.path) { outcome.bySQLite += 1 }
            let verdict = Self.verdict(damaged)
            if isIntact {
                outcome.contentIntact += 1
                if verdict != .healthy { outcome.structureOnly += 1 }
            } else {
                switch verdict {
                case .healthy:
                    let parts = expected.keys.filter { content?[$0] != expected[$0] }.sorted()
                    outcome.missed.append("file \(number): " + parts.joined(separator: "; "))
                case .reported: outcome.reported += 1
                case .refused: outcome.refused += 1
                }
            }
        }
        #expect(outcome.missed.isEmpty, "\(kind.rawValue): \(outcome.missed) changed content and were not reported")
        #expect(outcome.reported + outcome.refused > 0)
        if Self.isFull { try Self.record(kind, outcome) }
    }

    private struct SystemLike {
        var state: UInt64
        mutating func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
    }

    private static func damage(_ bytes: Data, _ kind: Kind, _ generator: inout SystemLike) -> Data {
        var bytes = bytes
        switch kind {
        case .bitFlip: bytes[generator.next(bytes.count)] ^= UInt8(1 << generator.next(8))
        case .zeroedPage:
            let page = generator.next(bytes.count / 4096) * 4096
            bytes.replaceSubrange(page..<(page + 4096), with: Data(count: 4096))
        case .truncation: bytes = bytes.prefix(generator.next(bytes.count))
        }
        return bytes
    }

    private enum Verdict { case healthy, reported, refused }

    private static func verdict(_ archive: TestArchive) -> Verdict {
        do { return try archive.check().healthy ? .healthy : .reported } catch { return .refused }
    }

    private static func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func sqliteFinds(_ path: String) -> Bool {
        do {
            let queue = try queue(path)
            defer { try? queue.close() }
            return try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } != ["ok"]
        } catch {
            return true
        }
    }

    /// Hashes of everything that SQL can see of the file: schema and rows of all tables, by scan and through each index.
    private static func content(_ path: String) throws -> [String: String] {
        let queue = try queue(path)
        defer { try? queue.close() }
        return try queue.read { db in
            var hashes: [String: String] = [:]
            func add(_ sql: String) throws {
                var hash = SHA256()
                let rows = try Row.fetchCursor(db, sql: sql)
                while let row = try rows.next() {
                    for value in row.databaseValues {
                        switch value.storage {
                        case .null: hash.update([0])
                        case .int64(let number): hash.update(Array("i\(number);".utf8))
                        case .double(let number): hash.update(Array("d\(number.bitPattern);".utf8))
                        case .string(let text): hash.update(Array("s\(text.utf8.count):\(text)".utf8))
                        case .blob(let data): hash.update(Array("b\(data.count):".utf8) + Array(data))
                        }
                    }
                }
                hashes[sql] = hash.finalize().hex
            }
            try add("PRAGMA user_version")
            try add("PRAGMA application_id")
            try add("SELECT type, name, sql FROM sqlite_master ORDER BY rowid")
            // Each import has metadata sets of its own: the number of another with the same text says the same.
            let metadata = """
                ifnull((SELECT m.metadata FROM metadata_sets m
                    WHERE typeof(t.metadata) = 'integer' AND m.id = t.metadata), t.metadata)
                """
            let tables = try Row.fetchAll(
                db, sql: "SELECT name, sql LIKE '%WITHOUT ROWID%' AS bare FROM sqlite_master WHERE type = 'table'")
            var bare: Set<String> = []
            for table in tables {
                let name: String = table["name"]
                if table["bare"] == 1 { bare.insert(name) }
                let columns = try db.columns(in: name).map { $0.name == "metadata" ? metadata : $0.name }
                let rowID = table["bare"] == 1 ? "" : "rowid, "
                try add("SELECT \(rowID)\(columns.joined(separator: ", ")) FROM \(name) t")
            }
            for index in try Row.fetchAll(
                db, sql: "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
            {
                let sql: String = index["sql"]
                let condition = sql.range(of: " WHERE ").map { String(sql[$0.lowerBound...]) } ?? ""
                let table: String = index["tbl_name"]
                let column = bare.contains(table) ? "*" : "rowid"
                try add("SELECT \(column) FROM \(table) INDEXED BY \(index["name"] as String)\(condition)")
            }
            return hashes
        }
    }

    // MARK: - The table of results

    private static let page = TestSupport.repository.appendingPathComponent("docs/reliability.md")

    /// Replaces the row of one kind of damage.
    private static func record(_ kind: Kind, _ outcome: Outcome) throws {
        let row =
            "| \(kind.rawValue) | \(outcome.tried) | \(outcome.contentIntact) | \(outcome.structureOnly) "
            + "| \(outcome.reported) | \(outcome.refused) | \(outcome.missed.count) | \(outcome.bySQLite) |"
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n").map {
            $0.hasPrefix("| \(kind.rawValue) |") ? row : $0
        }
        try lines.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
    }
}
