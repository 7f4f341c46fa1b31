import Foundation
import GRDB
import TestSupport
import Testing

/// Every reader has one answer to a row that cannot be read: exit 4 and an error that names table and row.
@Suite("Damaged rows", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct DamagedRowTests {
    /// What replaces the value of a column of one row of `record_versions`.
    struct Damage: Sendable, CustomStringConvertible {
        var column: String
        var value: String
        /// Whether `export xml` prints this column of the record.
        var isInXML = true

        var description: String { "\(column) = \(value)" }
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
    ]

    private static let id = 2
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
                let names = ["row \(Self.id) of record_versions", "row 999 of "]
                #expect(
                    names.contains { answer.errorText.contains($0) },
                    "\(damage): \(answer.command): \(answer.errorText)")
            }
            #expect(try sandbox.run("check", "--deep").status == 4, "\(damage)")
        }
    }

    /// Imports two exports, of which the first has a record more: the row with the id `id`; returns its identity.
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
        let sql = "SELECT lower(hex(identity)) FROM record_versions WHERE id = \(Self.id)"
        return try queue.read { try String.fetchOne($0, sql: sql) } ?? ""
    }

    /// Edits the row as no program should: the table's declared types do not hold any more.
    private func apply(_ damage: Damage, to sandbox: Sandbox) throws {
        let queue = try DatabaseQueue(path: sandbox.archive)
        try queue.writeWithoutTransaction { db in
            try declare(db, "replace(sql, ') STRICT', ')')")
            try db.execute(
                sql: "UPDATE record_versions SET \(damage.column) = \(damage.value) WHERE id = ?", arguments: [Self.id])
            #expect(db.changesCount == 1)
            try declare(db, "sql || ' STRICT'")
            try db.checkpoint(.truncate)
        }
        try queue.close()
    }

    /// Declares the table as an expression over its declaration `sql`.
    private func declare(_ db: Database, _ expression: String) throws {
        try db.execute(
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = \(expression) WHERE type = 'table' AND name = 'record_versions';
                PRAGMA writable_schema = RESET;
                """)
    }
}
