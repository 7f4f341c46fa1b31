internal import ArchiveTestSupport
internal import Care
internal import Foundation
internal import HealthModel
internal import History
internal import Importing
internal import Testing

/// The same exports in any order give the same content.
@Suite struct AnyOrderTests {
    /// One export with the options under which it is imported.
    struct Step {
        var export: TestExport
        var without: String?
    }

    /// All orders of 0..<count.
    static func permutations(_ count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return permutations(count - 1).flatMap { shorter in
            (0...shorter.count).map { at in
                var order = shorter
                order.insert(count - 1, at: at)
                return order
            }
        }
    }

    static func importing(_ steps: [Step], _ order: [Int], checksEach: Bool) throws -> (TestArchive, [String]) {
        let archive = try TestArchive()
        let writer = try archive.writer()
        for index in order {
            var options = ImportOptions()
            options.allowUnrelated = true
            if let type = steps[index].without {
                options.types = TypeSelection(without: [type])
            }
            _ = try ImportJob.run(
                try archive.container(steps[index].export), options: options, writer: writer, isCancelled: { false },
                progress: { _ in })
            if checksEach { try archive.expectHealthy() }
        }
        writer.close()
        return (archive, try archive.read { try ContentDump.lines($0) })
    }

    /// Imports the exports in every order and compares what the archives say; nil where all say the same.
    static func disagreement(_ steps: [Step]) throws -> String? {
        var expected: [String] = []
        for (index, order) in permutations(steps.count).reversed().enumerated() {
            let found: [String]
            do {
                let (archive, lines) = try importing(steps, order, checksEach: false)
                found = lines
                let broken = try archive.check().invariants.filter { !$0.holds }
                if !broken.isEmpty {
                    return "order \(order): " + broken.map { "\($0.id): \($0.detail ?? "")" }.joined(separator: "; ")
                }
            } catch {
                return "order \(order): \(error)"
            }
            if index == 0 { expected = found }
            let differences = ContentDump.differences(expected, found)
            if !differences.isEmpty {
                return "order \(order) against \(permutations(steps.count).reversed()[0]):\n"
                    + differences.prefix(12).joined(separator: "\n")
            }
        }
        return nil
    }

    static func expectAgreement(_ steps: [Step], sourceLocation: SourceLocation = #_sourceLocation) throws {
        if let found = try disagreement(steps) { Issue.record("\(found)", sourceLocation: sourceLocation) }
    }

    @Test func completeExports() throws {
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, TestRecord.steps(0..<6))),
            Step(export: TestExport(day: 2, TestRecord.steps(0..<3) + TestRecord.steps(4..<8) { $0.source = "Uhr" })),
            Step(export: TestExport(day: 3, TestRecord.steps(0..<2) + TestRecord.steps(2..<9) { $0.source = "Uhr" })),
            Step(export: TestExport(day: 4, TestRecord.steps(0..<9) { $0.source = "Uhr" })),
        ])
    }

    @Test func reappearingAndRepeatedRecords() throws {
        let one = TestRecord(value: "7").xml
        let other = TestRecord(value: "7", metadata: [("a", "b")]).xml
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, [one, one, other])), Step(export: TestExport(day: 2, [other])),
            Step(export: TestExport(day: 3, [one, one, one])),
            Step(export: TestExport(day: 3, [one, other, other, other])),
        ])
    }

    @Test func partialExports() throws {
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, TestRecord.steps(0..<4))),
            Step(export: TestExport(day: 2, TestRecord.steps(2..<6) { $0.source = "Uhr" }, isTruncated: true)),
            Step(export: TestExport(day: 2, TestRecord.steps(0..<6))),
            Step(export: TestExport(day: 3, TestRecord.steps(1..<3), isTruncated: true)),
        ])
    }

    @Test func excludedTypes() throws {
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, TestRecord.steps(0..<2) + TestRecord.hearts(0..<3))),
            Step(
                export: TestExport(day: 2, TestRecord.steps(0..<3) + TestRecord.hearts(1..<3)),
                without: TestRecord.heart),
            Step(export: TestExport(day: 3, TestRecord.steps(0..<3)), without: TestRecord.heart),
            Step(export: TestExport(day: 4, TestRecord.steps(0..<4) + TestRecord.hearts(2..<5))),
        ])
    }

    @Test func routesWithAndWithoutFiles() throws {
        let items = TestRecord.steps(0..<2) + [SideFileTests.workout()]
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, items)),
            Step(export: TestExport(day: 2, items, files: SideFileTests.track())),
            Step(export: TestExport(day: 3, items)),
            Step(export: TestExport(day: 4, items, files: SideFileTests.track(point: "2"))),
        ])
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, items, files: SideFileTests.track())),
            Step(export: TestExport(day: 2, TestRecord.steps(0..<3))),
            Step(export: TestExport(day: 3, items)),
            Step(export: TestExport(day: 4, items, isTruncated: true)),
        ])
        let renamed = items.map { $0.replacingOccurrences(of: "\"Watch\"", with: "\"Uhr\"") }
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, items, files: SideFileTests.track())),
            Step(export: TestExport(day: 2, renamed)),
            Step(export: TestExport(day: 3, renamed)),
            Step(export: TestExport(day: 4, renamed, files: SideFileTests.track())),
        ])
    }

    @Test func electrocardiogramsWithAndWithoutTheirFolder() throws {
        try Self.expectAgreement([
            Step(export: TestExport(day: 1, TestRecord.steps(0..<2), files: SideFileTests.electrocardiogram())),
            Step(export: TestExport(day: 2, TestRecord.steps(0..<3))),
            Step(
                export: TestExport(
                    day: 3, TestRecord.steps(0..<3), files: SideFileTests.electrocardiogram("Inconclusive"))),
            Step(export: TestExport(day: 4, TestRecord.steps(0..<3), isTruncated: true)),
        ])
    }

    /// `HEALTHPROBE_ORDERS` is the number of random sets (2), `HEALTHPROBE_ORDERS_SEED` the first seed.
    @Test func randomSets() throws {
        for seed in OrderGenerator.seeds("HEALTHPROBE_ORDERS", count: 2) {
            // Each set is imported six or 24 times.
            var generator = OrderGenerator(seed: seed)
            let steps = generator.steps()
            if let found = try Self.disagreement(steps) {
                Issue.record("seed \(seed): \(found)\n\(OrderGenerator.described(steps))")
                return
            }
        }
    }
}
