import Foundation
import GRDB
import Testing
import TestSupport

/// Every reader has one answer to a row that cannot be read: exit 4 and an error that names table and row.
@Suite("Damaged rows", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct DamagedRowTests {
    /// What replaces the value of a column of one row.
    struct Damage: Sendable, CustomStringConvertible {
        var table = "record_versions"
        var row = 2
        var column: String
        var value: String
        /// Whether `export xml` prints this column of the record.
        var isInXML = true

        var description: String { "\(table).\(column) = \(value)" }
    }

    static let damages = [
        Damage(column: "identity", value: "x'00'"), Damage(column: "identity", value: "'text'"),
        Damage(column: "identity", value: "NULL"), Damage(column: "version", value: "zeroblob(31)"),
        Damage(column: "version", value: "NULL"), Damage(column: "kind", value: "11"),
        Damage(column: "kind", value: "'x'"), Damage(column: "kind", value: "NULL"),
        Damage(column: "start_seconds", value: "'x'"), Damage(column: "start_seconds", value: "1 << 50"),
        Damage(column: "duration", value: "x'00'"), Damage(column: "duration", value: "-(1 << 50)"),
        Damage(column: "creation_delay", value: "'x'"), Damage(column: "creation_delay", value: "1 << 50"),
        Damage(column: "value", value: "x'00'"), Damage(column: "value", value: "9e999"),
        Damage(column: "lexical_form", value: "x'00'"), Damage(column: "metadata", value: "x'00'"),
        Damage(column: "metadata", value: "999"), Damage(column: "extras", value: "'x'"),
        Damage(column: "extras", value: "x'00'"), Damage(column: "strict_key", value: "x'00'"),
        Damage(column: "descriptor_id", value: "999"), Damage(column: "descriptor_id", value: "'x'"),
        Damage(column: "ordinal", value: "'x'", isInXML: false),
        Damage(column: "sample_type_id", value: "NULL"), Damage(column: "sample_type_id", value: "'x'"),
        Damage(column: "sample_type_id", value: "999"),
        Damage(table: "sample_types", row: 1, column: "type_identifier", value: "x'00'"),
        Damage(table: "sample_types", row: 1, column: "id", value: "998"),
    ]

    @Test func everyReaderNamesTheRow() throws {
        let sandbox = try Sandbox()
        let identity = try makeArchive(in: sandbox)
        let sound = try sandbox.copyOfArchive()
        let observation = ["--at", "1"]
        let readers: [(command: [String], readsAll: Bool, isXML: Bool)] = [
            (["records", "--json"] + observation, true, false),
            (["diff", "1", "2", "--records", "--json"], true, false),
            (["history", identity, "--json"], true, false),
            (["export", "records", "--output", sandbox.path("output/records")] + observation, true, false),
            (["export", "xml", "--output", sandbox.path("output/export.xml")] + observation, true, true),
            (["consolidation", "1", "2", "--groups", "--json"], false, false),
            (["aggregates", "--json"] + observation, false, false),
        ]
        let expected = try readers.map { try sandbox.run($0.command).expecting(0).outputText }
        for damage in Self.damages {
            try sandbox.restoreArchive(from: sound)
            try apply(damage, to: sandbox)
            for (reader, text) in zip(readers, expected) {
                try? FileManager.default.removeItem(atPath: sandbox.path("output"))
                try FileManager.default.createDirectory(
                    atPath: sandbox.path("output"), withIntermediateDirectories: true)
                let answer = try sandbox.run(reader.command)
                let mustFail = reader.readsAll && (damage.isInXML || !reader.isXML)
                if answer.status == 0, !mustFail {
                    #expect(answer.outputText == text, "\(damage): \(answer.command)")
                    continue
                }
                #expect(answer.status == 4, "\(damage): \(answer.command): \(answer.errorText)")
                let names = ["row \(damage.row) of \(damage.table) ", "row 999 of "]
                #expect(
                    names.contains { answer.errorText.contains($0) },
                    "\(damage): \(answer.command): \(answer.errorText)")
            }
            #expect(try sandbox.run("check", "--deep").status == 4, "\(damage)")
        }
    }

    /// An observation of no known status is none that failed: no command passes over it or takes its place.
    @Test func observations() throws {
        let sandbox = try Sandbox()
        _ = try makeArchive(in: sandbox)
        try apply(Damage(table: "imports", row: 1, column: "status", value: "'x'"), to: sandbox)
        let name = URL(fileURLWithPath: sandbox.archive).lastPathComponent
        for command in [
            ["records", "--at", "2"], ["import", sandbox.path("export.xml")],
            ["observation", "withdraw", "2", "--reason", "a test", "--confirm", name],
        ] {
            let answer = try sandbox.run(command).expecting(4)
            #expect(answer.errorText.contains("row 1 of imports"), "\(answer.command): \(answer.errorText)")
        }
        try sandbox.run("check").expecting(4)
        try sandbox.run("archive", "reset", "--confirm", name).expecting(0)
    }

    /// A file that cannot be found by its hash is no file that is not there.
    @Test(arguments: ["content_sha256", "stored_sha256"]) func sideFiles(column: String) throws {
        let sandbox = try Sandbox()
        let date = "2024-04-20 08:00:00 +0200"
        try FileManager.default.createDirectory(
            atPath: sandbox.path("export/workout-routes"), withIntermediateDirectories: true)
        try sandbox.write(
            Inputs.export(
                "2024-05-01 10:00:00 +0200",
                """
                 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" startDate="\(date)" \
                endDate="\(date)"><WorkoutRoute sourceName="Watch" startDate="\(date)" endDate="\(date)">\
                <FileReference path="/workout-routes/r.gpx"/></WorkoutRoute></Workout>

                """), to: "export/export.xml")
        try sandbox.write("<gpx><trk><trkpt lat=\"1\"/></trk></gpx>", to: "export/workout-routes/r.gpx")
        try sandbox.run("import", sandbox.path("export")).expecting(0)
        try apply(Damage(table: "side_files", row: 1, column: column, value: "x'00'"), to: sandbox)
        for command in [
            ["export", "records", "--include", "routes", "--output", sandbox.path("records")],
            ["export", "xml", "--zip", "--output", sandbox.path("export.zip")],
        ] {
            let answer = try sandbox.run(command + ["--at", "1"]).expecting(4)
            #expect(answer.errorText.contains("row 1 of side_files"), "\(answer.errorText)")
        }
    }

    /// Imports two exports, of which the first has a record more: the row with the id 2; returns its identity.
    private func makeArchive(in sandbox: Sandbox) throws -> String {
        let record = Inputs.heartRate(70, inner: "<MetadataEntry key=\"a\" value=\"b\"/>")
        let others = (71..<80).map { Inputs.heartRate($0) }
        for (date, records) in [
            ("2024-05-01 10:00:00 +0200", [others[0], record] + others[1...]), ("2024-05-02 10:00:00 +0200", others),
        ] {
            let path = try sandbox.write(Inputs.export(date, records.joined()), to: "export.xml")
            try sandbox.run("import", path, "--allow-unrelated").expecting(0)
        }
        let queue = try DatabaseQueue(path: sandbox.archive)
        defer { try? queue.close() }
        let sql = "SELECT lower(hex(identity)) FROM record_versions WHERE id = 2"
        return try queue.read { try String.fetchOne($0, sql: sql) } ?? ""
    }

    /// Edits the row as no program should: the table's declared types do not hold any more.
    private func apply(_ damage: Damage, to sandbox: Sandbox) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: sandbox.archive, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try declare(db, damage.table, "replace(sql, ') STRICT', ')')")
            try db.execute(
                sql: """
                    PRAGMA ignore_check_constraints = ON;
                    UPDATE \(damage.table) SET \(damage.column) = \(damage.value) WHERE id = \(damage.row);
                    """)
            #expect(db.changesCount == 1)
            try declare(db, damage.table, "sql || ' STRICT'")
            try db.checkpoint(.truncate)
        }
        try queue.close()
    }

    /// Declares a table as an expression over its declaration `sql`.
    private func declare(_ db: Database, _ table: String, _ expression: String) throws {
        try db.execute(
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = \(expression) WHERE type = 'table' AND name = '\(table)';
                PRAGMA writable_schema = RESET;
                """)
    }
}
