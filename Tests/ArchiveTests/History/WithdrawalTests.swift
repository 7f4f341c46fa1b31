internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import GRDB
internal import HealthModel
internal import History
internal import Importing
internal import Store
internal import Testing

/// Withdrawing an observation leaves what an archive says that never had it.
@Suite struct WithdrawalTests {
    /// Withdraws the observation at an id and expects a healthy archive behind it.
    @discardableResult
    private static func withdraw(
        _ archive: TestArchive, _ id: Int64, isPreview: Bool = false, reason: String = "someone else's"
    ) throws -> Withdrawal {
        let writer = try archive.writer()
        defer { writer.close() }
        let observation = try writer.read { db in
            try Chain.names(db).compactMap { try Chain.read(db, name: $0) }.flatMap(\.all).first { $0.id == id }
        }
        return try writer.withdraw(
            #require(observation), reason: reason, isPreview: isPreview, confirm: "archive.sqlite",
            isCancelled: { false }, progress: { _ in })
    }

    /// Imports the exports in an order, withdraws each in turn, and compares with an archive of the others; nil where all
    /// say the same.
    private static func disagreement(_ steps: [AnyOrderTests.Step], _ order: [Int]) throws -> String? {
        for (place, left) in order.enumerated() {
            let note = "order \(order) without \(left)"
            do {
                let (archive, _) = try AnyOrderTests.importing(steps, order, checksEach: false)
                try withdraw(archive, Int64(place + 1))
                let broken = try archive.check().invariants.filter { !$0.holds }
                if !broken.isEmpty {
                    return "\(note): " + broken.map { "\($0.id): \($0.detail ?? "")" }.joined(separator: "; ")
                }
                let found = try archive.read { try ContentDump.lines($0) }
                let rest = order.filter { $0 != left }
                let (_, expected) = try AnyOrderTests.importing(steps, rest, checksEach: false)
                let differences = ContentDump.differences(expected, found)
                if !differences.isEmpty { return "\(note):\n" + differences.prefix(12).joined(separator: "\n") }
            } catch {
                return "\(note): \(error)"
            }
        }
        return nil
    }

    /// `HEALTHPROBE_ORDERS` is the number of random sets (3), `HEALTHPROBE_ORDERS_SEED` the first seed.
    @Test func anyObservationOfRandomHistories() throws {
        for seed in OrderGenerator.seeds("HEALTHPROBE_ORDERS", count: 3) {
            var generator = OrderGenerator(seed: seed)
            let steps = generator.steps()
            if let found = try Self.disagreement(steps, generator.order(steps.count)) {
                Issue.record("seed \(seed): \(found)\n\(OrderGenerator.described(steps))")
                return
            }
        }
    }

    private static func names(_ archive: TestArchive) -> Data {
        ["", "-wal"].reduce(Data()) {
            $0 + ((try? Data(contentsOf: URL(fileURLWithPath: archive.path + $1))) ?? Data())
        }
    }

    /// Nothing of the withdrawn export is left in the bytes of the file, and importing it again says why it was withdrawn.
    @Test func namesAreGoneAndTheReasonStays() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<300)))
        let stranger = TestExport(
            day: 2,
            TestRecord.steps(0..<400) {
                $0.source = "Strangers Watch"
                $0.metadata = [("Key", "StrangersMetadata"), ("Minute", "\($0.minute)")]
            } + ["<Record type=\"StrangersType\" sourceName=\"StrangersPhone\" startDate=\"broken\" endDate=\"x\"/>"])
        let wrong = try archive.add(stranger) {
            $0.allowUnrelated = true
            $0.note = "StrangersNote"
        }
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<310)))
        #expect(Self.names(archive).range(of: Data("Strangers".utf8)) != nil)
        let withdrawal = try Self.withdraw(archive, wrong.observationID)
        try archive.expectHealthy()
        #expect(
            withdrawal.rederived == [3] && withdrawal.sealSequence == 4 && withdrawal.observation.status == .withdrawn)
        #expect(Self.names(archive).range(of: Data("Strangers".utf8)) == nil)
        #expect(try archive.texts("SELECT status FROM imports ORDER BY id") == ["completed", "withdrawn", "completed"])
        let again = try archive.add(stranger)
        #expect(!again.alreadyImported && again.observationID == 4)
        #expect(
            try archive.texts("SELECT warning FROM import_warnings WHERE import_id = 4").last
                == "This export was imported before as observation 2 and withdrawn: someone else's")
    }

    @Test func theOnlyObservationAndAPreview() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        let before = try Data(contentsOf: URL(fileURLWithPath: archive.path))
        let preview = try Self.withdraw(archive, 1, isPreview: true)
        #expect(preview.sealSequence == nil && preview.deletedRows == 20)
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive.path)) == before)
        try Self.withdraw(archive, 1)
        try archive.expectHealthy()
        #expect(
            try archive.row("SELECT (SELECT count(*) FROM record_versions), (SELECT count(*) FROM sources)") == [0, 0])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<20)))
        #expect(
            try archive.texts("SELECT id || ' ' || status FROM imports ORDER BY id") == ["1 withdrawn", "2 completed"])
    }

    /// Imports, supplements and withdrawals go on behind a withdrawal.
    @Test func historiesGoOn() throws {
        let archive = try TestArchive()
        let exports = (1...4).map { day in
            TestExport(day: day, TestRecord.steps(0..<(day * 10)) { $0.source = day < 3 ? "Watch" : "Uhr" })
        }
        for export in [exports[0], exports[2], exports[3]] { try archive.add(export) }
        try Self.withdraw(archive, 1)
        try archive.expectHealthy()
        for export in [exports[1], exports[0]] { try archive.add(export) }
        try Self.withdraw(archive, 3)
        try archive.expectHealthy()
        try Self.withdraw(archive, 2)
        try archive.expectHealthy()
        try archive.add(exports[3])
        let (_, expected) = try AnyOrderTests.importing(
            [0, 1, 3].map { .init(export: exports[$0]) }, [0, 1, 2], checksEach: false)
        let differences = ContentDump.differences(expected, try archive.read { try ContentDump.lines($0) })
        #expect(differences.filter { !$0.contains("warning: ") } == [])
    }

    @Test func whatIsRefusedChangesNothing() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        let writer = try archive.writer()
        let observation = try #require(try writer.read { try Chain.read($0, name: "default")?.finished.first })
        func attempt(_ name: String, cancelled: Bool) -> HealthProbeError.Code? {
            let error = #expect(throws: HealthProbeError.self) {
                try writer.withdraw(
                    observation, reason: "r", isPreview: false, confirm: name, isCancelled: { cancelled },
                    progress: { _ in })
            }
            return error?.code
        }
        #expect(attempt("other.sqlite", cancelled: false) == .usage)
        #expect(attempt("archive.sqlite", cancelled: true) == .interrupted)
        writer.close()
        try archive.expectHealthy()
        #expect(try archive.texts("SELECT status FROM imports") == ["completed"])
        try archive.tamper("UPDATE type_runs SET read_count = read_count + 1")
        let error = #expect(throws: HealthProbeError.self) { try Self.withdraw(archive, 1) }
        #expect(error?.code == .integrityFailure)
    }
}
