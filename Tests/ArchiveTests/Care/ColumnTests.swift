internal import ArchiveTestSupport
@testable internal import Care
@testable internal import Evidence
internal import Foundation
internal import GRDB
@testable internal import History
internal import Importing
@testable internal import Store
internal import Testing

/// No value of any column can be changed without a deep check that notices.
///
/// Every table of a full archive, every column, several rows, each value altered in several ways: what random damage
/// meets by chance, tried systematically. `HEALTHPROBE_DAMAGE=full` tries more rows and all alterations.
@Suite struct ColumnTests {
    /// Alterations after which every answer is what it was, and why: `table.column` and where they apply.
    private static let exceptions: [String: (why: String, condition: String)] = [
        "record_versions.metadata": (
            "a set of the same content under another number",
            "typeof(metadata) = 'integer' AND (SELECT metadata FROM metadata_sets m WHERE m.id = record_versions.metadata + 1) = "
                + "(SELECT metadata FROM metadata_sets m WHERE m.id = record_versions.metadata)"
        )
    ]

    private static let isFull = ProcessInfo.processInfo.environment["HEALTHPROBE_DAMAGE"] == "full"

    private static let model = Result { try makeModel() }

    /// An archive in which every table has rows.
    private static func makeModel() throws -> TestArchive {
        let archive = try TestArchive()
        let files = SideFileTests.track().merging(SideFileTests.electrocardiogram()) { a, _ in a }
        func weight(_ value: String, _ unit: String) -> String {
            TestRecord(type: "HKQuantityTypeIdentifierBodyMass", minute: 60, value: value, unit: unit).xml
        }
        func steps(_ range: Range<Int>, _ source: String) -> [String] {
            TestRecord.steps(range) {
                $0.source = source
                $0.metadata = [("HKWasUserEntered", "1"), ("HKTimeZone", "Europe/Berlin")]
            }
        }
        let twice = TestRecord(minute: 50, value: "7.50").xml
        let quarantined = "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"x\"/>"
        let unknown = "<Novelty kind=\"a\" when=\"2024-01-01 00:00:00 +0000\">te\u{1}xt</Novelty>"
        let sleep = TestRecord(
            type: "HKCategoryTypeIdentifierSleepAnalysis", minute: 90, value: "HKCategoryValueSleepAnalysisAsleep",
            unit: nil)
        let first = steps(0..<12, "Phone") + [twice, twice, weight("70", "kg"), quarantined, unknown, sleep.xml]
        try archive.add(TestExport(day: 3, first + [SideFileTests.workout()], files: files))
        try archive.add(
            TestExport(day: 5, steps(0..<12, "My Watch") + [weight("154.324", "lb"), SideFileTests.workout()])
        ) {
            $0.allowUnrelated = true
            $0.note = "a note"
            $0.timeZone = "Europe/Rome"
        }
        try archive.add(TestExport(day: 7, first + [SideFileTests.workout()], files: files))
        try archive.add(TestExport(day: 9, steps(2..<14, "Phone"), files: files, isTruncated: true))
        // Placed between the others.
        try archive.add(
            TestExport(day: 4, steps(0..<4, "Phone") + [weight("70", "kg"), SideFileTests.workout()], files: files))
        // With a warning: the export states another date.
        try archive.add(TestExport(day: 2, steps(0..<4, "Phone"))) {
            $0.chain = "other"
            $0.observedAt = 1_706_800_000
        }
        _ = try? archive.add(TestExport(day: 11, steps(0..<4, "Phone")), isCancelled: true)
        try record(in: archive)
        try archive.expectHealthy()
        return archive
    }

    /// An export and an analysis, as the parts of the program record them that make them.
    private static func record(in archive: TestArchive) throws {
        let writer = try archive.writer()
        defer { writer.close() }
        let hash = String(repeating: "0", count: 64)
        let export = RecordedExport(
            exportID: hash, createdAt: 1, kind: "observation_records_json", fromObservation: nil, toObservation: 1,
            question: "{}", manifestHash: hash, recordCount: 1, program: "test")
        try writer.record(export, items: [.init(sampleID: 1, rowID: 1, hash: hash)])
        try writer.queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO analysis_runs VALUES (1, 1, 2, 0, 1, zeroblob(32), 0);
                    INSERT INTO analysis_types VALUES (1, 1, '{}');
                    INSERT INTO analysis_groups VALUES (1, 1, 1, 'intervalAndSum', 'complete', NULL, NULL, '{}');
                    INSERT INTO analysis_members VALUES (1, 1, 0, 1, NULL, NULL, 0), (1, 1, 1, 2, 2, 1, 0);
                    """)
            try LoggedRows.append(db, .analysis, subject: "1-2-0", outcome: "stored")
        }
    }

    /// What an altered value may look like, as SQL over the column `c`.
    private static func alterations(_ type: String, _ c: String) -> [String] {
        switch type {
        case "INTEGER": ["\(c) + 1", "iif(\(c) IS NULL, 0, NULL)", "ifnull(\(c), 0) - 1"]
        case "REAL": ["\(c) + 1", "iif(\(c) IS NULL, 0, NULL)", "ifnull(\(c), 0) * 1.5 + 0.25"]
        case "BLOB":
            [
                "CAST(substr(\(c), 1, length(\(c)) - 1) || x'00' AS BLOB)", "iif(\(c) IS NULL, zeroblob(32), NULL)",
                "CAST(x'FF' || substr(\(c), 2) AS BLOB)",
            ]
        case "ANY":
            [
                "iif(typeof(\(c)) IN ('integer', 'real'), \(c) + 1, 'x' || substr(\(c), 2))",
                "iif(\(c) IS NULL, 1, NULL)",
            ]
        default:
            [
                "'x' || substr(\(c), 2)", "iif(\(c) IS NULL, 'x', NULL)", "\(c) || ' '",
                "substr(\(c), 1, length(\(c)) - 1)",
            ]
        }
    }

    static let tables: [String] = Schema.versions.newest.ddl.components(separatedBy: "CREATE TABLE ").dropFirst()
        .map { String($0.prefix { $0 != " " }) }

    /// SQL compares such a text whole; the program would read it up to the NUL, and U+FFFD for what is no UTF-8.
    @Test(arguments: tables)
    func everyTextThatIsNoneIsReported(table: String) throws {
        try Self.withCopy { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            let texts = "SELECT name FROM pragma_table_info('\(table)') WHERE type IN ('TEXT', 'ANY')"
            for column in try String.fetchAll(db, sql: texts) {
                for byte in ["x'00'", "x'FF'"] {
                    let edit = """
                        UPDATE \(table) SET \(column) = CAST(CAST(\(column) AS BLOB) || \(byte) AS TEXT)
                        WHERE typeof(\(column)) = 'text'
                        """
                    guard let failures = try Self.failures(db, edit, deep: false) else { continue }
                    #expect(failures.contains("B02-rowForm"), "\(table).\(column): \(byte)")
                }
            }
        }
    }

    @Test(arguments: tables)
    func everyAlteredValueIsReported(table: String) throws {
        try Self.withCopy { db in
            let columns = try Row.fetchAll(db, sql: "SELECT name, type, pk FROM pragma_table_info('\(table)')")
            let keys = columns.filter { $0["pk"] as Int > 0 }.map { $0["name"] as String }
            let isBare = try Bool.fetchOne(
                db, sql: "SELECT sql LIKE '%WITHOUT ROWID%' FROM sqlite_master WHERE name = ?", arguments: [table])
            let key = isBare == true ? keys.joined(separator: ", ") : "rowid"
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            #expect(count > 0, "\(table) has no rows to alter")
            let most = Self.isFull ? 8 : 2
            let places = count <= most ? Array(0..<count) : (0..<most).map { $0 * (count - 1) / (most - 1) }
            for column in columns {
                let name: String = column["name"]
                let excepted = Self.exceptions["\(table).\(name)"].map { " AND NOT (\($0.condition))" } ?? ""
                for change in Self.alterations(column["type"], name).prefix(Self.isFull ? 4 : 1) {
                    for place in places {
                        let row = "(SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT 1 OFFSET \(place))"
                        let edit = """
                            UPDATE \(table) SET \(name) = \(change)
                            WHERE (\(key)) = \(row) AND \(name) IS NOT (\(change))\(excepted)
                            """
                        let failures = try Self.failures(db, edit, deep: true)
                        #expect(failures?.isEmpty != true, "\(table).\(name) of row \(place): \(change)")
                    }
                }
            }
        }
    }

    /// Runs a body on a copy of the archive.
    private static func withCopy(_ body: (Database) throws -> Void) throws {
        let archive = try TestArchive(copyOf: try model.get().path)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: archive.path, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction(body)
    }

    /// The invariants that do not hold of the altered rows; nil where the table itself refuses the change, or none was
    /// made. The rows stay as they are.
    private static func failures(_ db: Database, _ edit: String, deep: Bool) throws -> [String]? {
        try db.beginTransaction()
        defer { try? db.rollback() }
        let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger["name"] as String)") }
        do { try db.execute(sql: edit) } catch { return nil }
        if db.changesCount == 0 { return nil }
        for trigger in triggers { try db.execute(sql: trigger["sql"]) }
        return try ArchiveCheck.run(db, deep: deep, progress: { _ in }).failed.map(\.id)
    }
}
