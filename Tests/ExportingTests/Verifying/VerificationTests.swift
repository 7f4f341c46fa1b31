internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import Testing

/// What the program writes is valid for both verifiers, whatever is in it.
@Suite struct VerificationTests {
    private func expectValid(_ bag: TestBag, _ comment: Comment) throws {
        #expect(try bag.failure()?.text == nil, comment)
        if PlainPython.path != nil {
            let answer = PlainPython.verify(bag.folder)
            #expect(answer.status == 0, "\(comment): \(answer.text)")
        }
    }

    /// Types are ordered by what they say, not by how JSON spells it.
    @Test func typesThatBeginAlike() throws {
        let archive = try TestArchive()
        let types = [
            "Foo", "Foo Bar", "Foo!", "x&quot;y", "xAy", "x\\y", "tab&#9;", "tab!", "e\u{301}", "\u{E9}", "+1", "-",
        ]
        for day in [2, 3] {
            try archive.add(
                day: day,
                types.map {
                    Samples.steps(1, version: "\(day)").replacing("HKQuantityTypeIdentifierStepCount", with: $0)
                } + ["<Über/>", "<Ärger/>", "<Odd/>"])
        }
        for kind in [ExportKind.records, .types, .manifest, .diff] {
            for provenance in Provenance.allCases {
                for format in ExportFormat.allCases {
                    let bag = try archive.export(
                        archive.question(kind, format, from: kind.hasTwoSides ? 1 : nil, to: 2) {
                            $0.provenance = provenance
                        })
                    try expectValid(bag, "\(kind) \(provenance) \(format)")
                }
            }
        }
    }

    /// Python's own limit on the length of a cell is no limit of the format.
    @Test func aLongCell() throws {
        let archive = try TestArchive()
        let long = String(repeating: "long, ", count: 30_000)
        try archive.add(day: 2, [Samples.steps(1, inner: Samples.metadata("Note", long))])
        try expectValid(archive.export(archive.question(.records, .csv) { $0.provenance = .full }), "a long cell")
    }
}
