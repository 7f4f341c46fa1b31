internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import Testing
internal import TestSupport

/// Every kind of export fits the schemas of `docs/schemas`, verifies, and says the same in each format.
@Suite struct SchemaTests {
    private static let kinds: [(ExportKind, String)] = [
        (.records, "item"), (.diff, "item"), (.selection, "item"), (.types, "type"), (.manifest, "observation"),
    ]

    @Test(arguments: kinds, Provenance.allCases)
    func fits(_ kind: (ExportKind, String), _ provenance: Provenance) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything + (10..<20).map { Samples.steps($0) })
        try archive.add(
            day: 3,
            Samples.everything.dropLast() + (12..<22).map { Samples.steps($0, version: $0 == 12 ? "11" : "10.1") },
            isTruncated: provenance == .none)
        let (envelope, item) = try (JSONSchema("envelope"), JSONSchema(kind.1))
        var hashes: [ExportFormat: [String]] = [:]
        for format in ExportFormat.allCases {
            let bag = try archive.export(
                archive.question(kind.0, format, from: kind.0.hasTwoSides ? 1 : nil, to: 2) {
                    $0.provenance = provenance
                    if kind.0 == .selection { $0.changes = [.appeared, .disappeared, .representationChanged] }
                })
            #expect(try bag.failure()?.text == nil)
            let complaints = envelope.complaints(try bag.envelope())
            #expect(complaints.isEmpty, "\(complaints)")
            hashes[format] = [(try bag.envelope()["manifest"] as? [String: Any])?["items_hash"] as? String ?? ""]
            guard format != .csv else { continue }
            let items = try bag.items()
            #expect(!items.isEmpty)
            for entry in items {
                let complaints = item.complaints(entry)
                #expect(complaints.isEmpty, "\(complaints)")
            }
        }
        // One item has one hash, in whatever form it is written.
        #expect(hashes[.json] == hashes[.ndjson] && hashes[.json] == hashes[.csv])
    }
}
