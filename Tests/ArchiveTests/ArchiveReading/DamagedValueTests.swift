@testable internal import ArchiveAggregating
internal import ArchiveReading
internal import ArchiveTestSupport
internal import GRDB
internal import HealthModel
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

    /// Covered seconds wrap around, as they do where a bucket is built.
    @Test func changesOfDamagedTimes() {
        var change = BucketChange()
        for _ in 0..<3 { change.removed.add(seconds: .max, number: nil) }
        for _ in 0..<6 { change.added.add(seconds: .max, number: 1) }
        let old = Aggregate(count: 2, numberCount: 0, coveredSeconds: .max, terms: [], minimum: nil, maximum: nil)
        #expect(change.applied(to: old).aggregate.count == 5)
    }
}
