internal import ArchiveTestSupport
internal import Care
@testable internal import Evidence
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import History
internal import Importing
internal import Store
internal import Testing

/// The chain of seals can be recomputed by anybody who reads the documentation, and no edit gets past it.
@Suite struct SealTests {
    private static func sha256(_ bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(Array(bytes))
        return hash.finalize().hex
    }

    private func history() throws -> TestArchive {
        let archive = try TestArchive()
        let twice = TestRecord(minute: 50, value: "7").xml
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20) + [twice, twice]))
        try archive.add(TestExport(day: 2, TestRecord.steps(5..<20) { $0.source = "My Watch" } + [twice]))
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<25) + [twice, twice]))
        try archive.add(TestExport(day: 4, TestRecord.steps(2..<6), isTruncated: true))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<4))) { $0.chain = "other" }
        return archive
    }

    private struct Link {
        var statement: String
        var seal: String
        var object: [String: Any]
        var subjects: [[String: Any]] { object["observations"] as? [[String: Any]] ?? [] }
    }

    private func links(_ archive: TestArchive) throws -> [Link] {
        try archive.read {
            try Row.fetchAll($0, sql: "SELECT statement, lower(hex(seal)) AS seal FROM seals ORDER BY sequence")
        }
        .map { row in
            let text: String = row["statement"]
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return Link(statement: text, seal: row["seal"], object: try #require(object))
        }
    }

    @Test func everyObservationIsSealedInTheOrderOfImporting() throws {
        let archive = try history()
        let links = try links(archive)
        #expect(links.count == 5)
        var previous: String?
        for (index, link) in links.enumerated() {
            #expect(Self.sha256(Data(("hp:v2:seal:" + link.statement).utf8)) == link.seal)
            #expect(link.object["previous"] as? String == previous)
            #expect(link.object["sequence"] as? Int == index + 1)
            let facts = try #require(link.subjects.first?["facts"] as? [String: Any])
            #expect(facts["id"] as? Int == index + 1)
            #expect(facts["status"] as? String == (index == 3 ? "partial" : "completed"))
            previous = link.seal
        }
    }

    /// The change list from the documented views alone, for complete chains of two events or more.
    @Test func changeListsFollowFromTheViews() throws {
        let archive = try history()
        for (index, link) in try links(archive).enumerated() {
            let rows = try archive.read {
                try Row.fetchAll(
                    $0,
                    sql: """
                        SELECT CASE e.event_kind WHEN 'appeared' THEN 0 WHEN 'representationChanged' THEN 1 ELSE 2 END AS code,
                            f.identity, f.version, f.ordinal
                        FROM sample_observation_events e JOIN full_record_versions f ON f.id = e.version_id
                        WHERE e.observation_id = ?1
                        UNION ALL
                        SELECT 3, f.identity, f.version, f.ordinal FROM record_version_ranges r JOIN full_record_versions f ON f.id = r.record_version_id
                        WHERE r.last_observation_id = ?1 AND r.superseded
                        """, arguments: [index + 1])
            }
            let entries = rows.map { row -> [UInt8] in
                let ordinal = UInt32(row["ordinal"] as Int)
                return [UInt8(row["code"] as Int)] + Array(row["identity"] as Data) + Array(row["version"] as Data)
                    + withUnsafeBytes(of: ordinal.bigEndian) { Array($0) }
            }.sorted { $0.lexicographicallyPrecedes($1) }
            let changes = try #require(link.subjects.first?["changes"] as? [String: Any])
            #expect(changes["count"] as? Int == entries.count)
            #expect(changes["sha256"] as? String == Self.sha256(Array("hp:v2:changes:".utf8) + entries.flatMap { $0 }))
        }
    }

    @Test func aSupplementSupersedesAndRewritesNothing() throws {
        let archive = try TestArchive()
        let weight = TestRecord(type: "HKQuantityTypeIdentifierBodyMass", minute: 60, value: "70", unit: "kg").xml
        let export = TestExport(day: 1, TestRecord.steps(0..<5) + [weight])
        try archive.add(export) {
            $0.types = TypeSelection(only: ["StepCount"])
        }
        let first = try #require(try links(archive).first)
        try archive.add(export)
        let all = try links(archive)
        #expect(all.count == 2)
        #expect(all.first?.statement == first.statement)
        #expect(all.last?.subjects.first?["supersedes"] as? Int == 1)
    }

    @Test func aDerivedObservationIsNamedInTheNewSeal() throws {
        let archive = try history()
        let writer = try archive.writer()
        try writer.queue.write { db in
            // As an export placed before observation 3 would: its counts are no longer what was sealed.
            try db.execute(sql: "UPDATE imports SET note = 'derived again' WHERE id = 3")
        }
        #expect(try archive.failures() == ["S02-sealedFacts"])
        try writer.queue.write { _ = try Seals.write($0, observation: 5, rederived: [3]) }
        writer.close()
        try archive.expectHealthy()
        let last = try #require(try links(archive).last)
        #expect(last.subjects.compactMap { $0["supersedes"] as? Int } == [5, 3])
    }

    @Test func failedImportsKeepTheirEntryAndHaveNoSeal() throws {
        let archive = try history()
        #expect(throws: HealthProbeError.self) {
            try archive.add(TestExport(day: 9, TestRecord.steps(0..<3)), isCancelled: true)
        }
        #expect(try links(archive).count == 5)
        let writer = try archive.writer()
        try writer.log(.importRun, outcome: "interrupted")
        writer.close()
        try archive.expectHealthy()
        #expect(
            try archive.texts("SELECT outcome FROM run_log WHERE event = 'import' ORDER BY id").suffix(2) == [
                "completed", "interrupted",
            ])
    }

    @Test(arguments: [
        "UPDATE run_log SET outcome = 'x'", "DELETE FROM run_log", "UPDATE seals SET statement = ''",
        "DELETE FROM seals",
        "UPDATE key_epochs SET key_id = ''", "DELETE FROM key_epochs",
    ])
    func nothingSealedOrLoggedCanBeChanged(sql: String) throws {
        let archive = try history()
        #expect(throws: (any Error).self) { try archive.tamper(sql) }
    }

    @Test func aMalformedSealIsNotLeftOut() throws {
        let archive = try history()
        try archive.tamper(
            """
            DROP TRIGGER seals_update;
            PRAGMA ignore_check_constraints = ON;
            UPDATE seals SET seal = x'00' WHERE sequence = 2;
            """)
        let error = #expect(throws: HealthProbeError.self) { try archive.read { try Seals.forEach($0) { _ in } } }
        #expect(error?.place == .row(table: "seals", id: 2))
    }

    // MARK: - What leaves an archive that is whole in itself

    @Test func anOlderCopyIsAStepBackOnlyAtItsPlace() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let copy = archive.folder + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: archive.path, toPath: copy)
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<6)))
        #expect(try headAnswer(archive, at: copy) == .unknown)
        #expect(try headAnswer(archive, at: archive.path) == .continues)
        try FileManager.default.removeItem(atPath: archive.path)
        try FileManager.default.moveItem(atPath: copy, toPath: archive.path)
        #expect(try failures(archive) == ["S05-rememberedHead"])
        let writer = try archive.writer()
        #expect(writer.olderCopy != nil)
        writer.close()
        #expect(try failures(archive) == ["S05-rememberedHead"])
        let accepting = try archive.writer()
        try accepting.acceptHead()
        accepting.close()
        #expect(try failures(archive).isEmpty)
    }

    @Test func aRemovedNewestObservationIsMissed() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<5)))
        let before = archive.folder + "/before.sqlite"
        try FileManager.default.copyItem(atPath: archive.path, toPath: before)
        let checkpoint = try archive.read { try Checkpoint.present($0) }
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<6)))
        let later = try archive.read { try Checkpoint.present($0) }
        #expect(try archive.read { try checkpoint.problem($0) } == nil)
        // Whoever knows the format can make the archive as it would be without the observation.
        try FileManager.default.removeItem(atPath: archive.path)
        try FileManager.default.moveItem(atPath: before, toPath: archive.path)
        #expect(try archive.read { try later.problem($0) } != nil)
        #expect(try failures(archive) == ["S05-rememberedHead"])
    }

    @Test func checkpointsAreReadAgain() throws {
        let archive = try history()
        let checkpoint = try archive.read { try Checkpoint.present($0) }
        #expect(try Checkpoint(parsing: checkpoint.text + "\nwritten down\n") == checkpoint)
        #expect(throws: HealthProbeError.self) { try Checkpoint(parsing: "healthprobe/x\n1\n") }
    }

    private func headAnswer(_ archive: TestArchive, at path: String) throws -> RememberedHead.Answer {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        return try reader.headAnswer(environment: archive.environment)
    }

    private func failures(_ archive: TestArchive) throws -> [String] {
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        return try reader.check(deep: true, environment: archive.environment) { _ in }.invariants
            .filter { !$0.holds }.map(\.id)
    }
}
