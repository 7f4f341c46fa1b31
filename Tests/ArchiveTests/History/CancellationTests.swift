internal import ArchiveTestSupport
internal import Foundation
internal import HealthModel
internal import History
internal import Importing
internal import Synchronization
internal import Testing

/// An import that somebody ends after its export was read: nothing of it is visible.
@Suite struct CancellationTests {
    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    @Test(arguments: [[3], [1, 3], [5], []]) func whileComparing(others: [Int]) throws {
        let archive = try TestArchive()
        func export(_ day: Int) -> TestExport { TestExport(day: day, TestRecord.steps(0..<(200 + day))) }
        for day in others { try archive.add(export(day)) }
        let before = try others.isEmpty ? [] : archive.read { try ContentDump.lines($0) }
        let container = try archive.container(export(4))
        let flag = Flag()
        let writer = try archive.writer()
        let error = #expect(throws: HealthProbeError.self) {
            _ = try ImportJob.run(
                container, options: ImportOptions(), writer: writer, isCancelled: { flag.isSet },
                progress: { if $0.phase == "comparing" { flag.set() } })
        }
        writer.close()
        #expect(error?.code == .interrupted)
        try archive.expectHealthy()
        #expect(try archive.texts("SELECT status FROM imports ORDER BY id DESC LIMIT 1") == ["cancelled"])
        let visible = try archive.row("SELECT count(*) FROM observations WHERE chain_position IS NOT NULL")
        #expect(visible == [Int64(others.count)])
        if !others.isEmpty { #expect(try archive.read { try ContentDump.lines($0) } == before) }
        try archive.add(export(4))
    }
}
