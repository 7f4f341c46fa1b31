internal import ArchiveTestSupport
@testable internal import Days
internal import GRDB
internal import HealthModel
internal import Questions
internal import Store
internal import Testing

/// Values of a damaged archive are told as damage: neither printed as something else nor able to stop the process.
@Suite struct DamagedValueTests {
    @Test(arguments: ["x", "[1]", #"{"a":"1"}"#, #"{"a":1.5}"#, ""])
    func countsThatAreNone(_ text: String) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        for column in ["evidence", "changed_fields"] {
            let damaged = try TestArchive(copyOf: archive.path)
            try damaged.tamper("UPDATE type_runs SET \(column) = '\(text)'")
            let error = #expect(throws: HealthProbeError.self) {
                try damaged.read { try ObservationReport.read($0, id: 1) }
            }
            #expect(error?.code == .archiveDamaged)
        }
    }

    @Test(arguments: [
        "read_count", "visible_count", "appeared_count", "disappeared_count", "representation_changed_count",
        "earliest_start", "latest_end",
    ])
    func countsBeyondAll(_ column: String) throws {
        let archive = try TestArchive(checksImports: false)
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        try archive.tamper("UPDATE type_runs SET \(column) = 9223372036854775807")
        let error = #expect(throws: HealthProbeError.self) {
            try archive.read { try ObservationReport.read($0, id: 1) }
        }
        #expect(error?.code == .archiveDamaged)
        #expect(try !archive.failures().isEmpty)
        guard !["appeared_count", "disappeared_count", "representation_changed_count"].contains(column) else { return }
        let refusal = #expect(throws: HealthProbeError.self) {
            try archive.add(TestExport(day: 2, TestRecord.steps(0..<4)))
        }
        #expect(refusal?.code == .archiveDamaged)
    }

    /// An observation of no known status is none that failed: a further import must not take its place.
    @Test func statusesThatAreNone() throws {
        let archive = try TestArchive(checksImports: false)
        let export = TestExport(day: 1, TestRecord.steps(0..<3))
        try archive.add(export)
        try archive.tamper("PRAGMA ignore_check_constraints = ON; UPDATE imports SET status = 'x'")
        try expectDamage("imports", 1) { _ = try archive.read { try Chain.read($0, name: "default") } }
        try expectDamage("imports", 1) { _ = try archive.add(export) }
        #expect(try archive.texts("SELECT status FROM imports") == ["x"])
        #expect(try archive.failures().contains("S02-sealedFacts"))
    }

    @Test(arguments: [
        "record_count = 1 << 50", "number_count = 1 << 50", "value_sum = NULL", "value_sum_rest = x'00'",
        "value_max = 9e999", "extra_samples = 1 << 60",
    ])
    func aggregatesThatAreNone(edit: String) throws {
        try expectDamagedDays("daily_aggregates", edit, "K03-dailyAggregates")
    }

    @Test(arguments: ["origin = 'x'", "offsets = 'x'"]) func zonesThatAreNone(edit: String) throws {
        try expectDamagedDays("chain_zones", edit, "K01-chainZones")
    }

    /// Rows behind such an id could not be found by the identity index.
    @Test(arguments: [Int64.max, 1 << 40]) func idsThatAreNone(last: Int64) throws {
        let archive = try TestArchive(checksImports: false)
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        try archive.tamper("UPDATE imports SET last_record_version_id = \(last)")
        let error = #expect(throws: HealthProbeError.self) {
            try archive.add(TestExport(day: 2, TestRecord.steps(0..<4)))
        }
        #expect(error?.code == .archiveDamaged)
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [3])
    }

    @Test func choicesThatAreNone() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        try archive.tamper(
            "PRAGMA ignore_check_constraints = ON; INSERT OR REPLACE INTO import_sources VALUES (1, 'x', NULL)")
        try expectDamage("import_sources", 1) { _ = try archive.read { try KeptSource.read($0, observation: 1) } }
    }

    @Test func backupsOfWhatTheTableRefuses() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        try archive.tamper("PRAGMA ignore_check_constraints = ON; UPDATE type_runs SET status = 'x'")
        let error = #expect(throws: HealthProbeError.self) {
            try ArchiveBackup.run(archive: archive.path, to: archive.freshPath("backup"), progress: { _ in })
        }
        #expect(error?.code == .integrityFailure)
    }

    /// Reads the days of an archive with a damaged table.
    private func expectDamagedDays(_ table: String, _ edit: String, _ invariant: String) throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3)))
        try archive.tamper("PRAGMA ignore_check_constraints = ON; UPDATE \(table) SET \(edit)")
        try expectDamage(table) {
            try archive.read { db in
                let chain = try #require(try Chain.read(db, name: "default"))
                try Aggregates.forEachBucket(db, chain, at: chain.finished[0], AggregateQuestion()) { _ in }
            }
        }
        #expect(try archive.failures().contains(invariant))
    }

    /// - Parameter id: nil for any row of the table.
    private func expectDamage(_ table: String, _ id: Int64? = nil, _ body: () throws -> Void) throws {
        let error = #expect(throws: HealthProbeError.self) { try body() }
        #expect(error?.code == .archiveDamaged)
        guard case .row(table: table, id: let row)? = error?.place else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(id == nil || row == id)
    }

    /// Covered seconds wrap around, as they do where a bucket is built.
    @Test func changesOfDamagedTimes() {
        var change = BucketChange()
        for _ in 0..<3 { change.removed.add(seconds: .max, number: nil) }
        for _ in 0..<6 { change.added.add(seconds: .max, number: 1) }
        let old = Aggregate(count: 2, numberCount: 0, coveredSeconds: .max, terms: [], minimum: nil, maximum: nil)
        #expect(change.applied(to: old).aggregate.count == 5)
    }
}
