internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import Questions
internal import Store
internal import Testing

/// Items say what the archive holds: order, values, visibility, relationships, roles.
@Suite struct ContentTests {
    /// The records of an observation as the listing has them.
    private func listing(_ archive: TestArchive, _ id: Int64) throws -> [RecordRow] {
        try archive.read { db in
            let chain = try ObservationResolver.chain(db, name: "default")
            var question = RecordPage.Question()
            question.limit = 100_000
            return try RecordPage.read(
                db, chain: chain, at: try ObservationResolver.resolve("\(id)", in: chain), question
            ).records
        }
    }

    private func expectListing(_ archive: TestArchive, _ id: Int64) throws {
        let items = try archive.export(archive.question(to: id) { $0.provenance = .full }).items()
        let rows = try listing(archive, id)
        #expect(items.count == rows.count)
        for (item, row) in zip(items, rows) {
            #expect(item["sample_identity_hash"] as? String == row.identity.hex)
            #expect(item["payload_version_hash"] as? String == row.version.hex)
            #expect(item["ordinal"] as? Int64 == row.ordinal)
            #expect(item["type_identifier"] as? String == row.type)
            #expect(item["source"] as? String == row.sourceName)
        }
    }

    @Test func orderIsTheListingsOrder() throws {
        let archive = try TestArchive()
        // Many with one start, equal records, several durations.
        var items = (0..<60).map { Samples.steps(10, value: "\($0)", duration: $0 % 3) } + Samples.everything
        items += (0..<5).map { _ in Samples.steps(10, value: "7", duration: 1) }
        try archive.add(day: 2, items)
        // Renamed halves give samples with representations in several rows.
        try archive.add(
            day: 3, items.enumerated().map { $0 % 2 == 0 ? $1 : $1.replacingOccurrences(of: "10.1", with: "10.2") })
        try archive.add(day: 4, Array(items.dropFirst(20)))
        try archive.add(day: 5, items)
        for id in Int64(1)...4 { try expectListing(archive, id) }
    }

    @Test func manyBytesOfOneStartAreSortedElsewhere() throws {
        let archive = try TestArchive()
        let items = (0..<8).map { index in
            Samples.steps(
                10, value: "\(index)",
                inner: Samples.metadata("HKFoodType", String(repeating: "\(index)", count: 1 << 20)))
        }
        try archive.add(day: 2, [Samples.steps(9)] + items + [Samples.steps(11)])
        try expectListing(archive, 1)
        let bag = try archive.export(archive.question(.records, .csv))
        #expect(try bag.failure() == nil)
    }

    @Test func valuesAreSpelledAsTheExportSpellsThem() throws {
        let archive = try TestArchive()
        let valueTexts = ["10.50", "10", "-0", "1e3", "0.1", "98.60000000000001", "1234567.891", "5E-1", "text", ""]
        try archive.add(day: 2, valueTexts.enumerated().map { Samples.steps(10 + $0, value: $1) })
        let items = try archive.export(archive.question()).items()
        #expect(items.map { $0["value"] as? String } == valueTexts)
        #expect(items.map { $0["value_kind"] as? String ?? "" }.filter { $0 == "text" }.count == 2)
    }

    @Test func visibilityTellsOnlyWhatWasKnownThen() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, (10..<13).map { Samples.steps($0) })
        let before = try archive.export(archive.question(to: 1))
        try archive.add(day: 3, (11..<14).map { Samples.steps($0) })
        // Ends early: what it did not show was not verified by it.
        try archive.add(day: 4, [Samples.steps(13)], isTruncated: true)
        let after = try archive.export(archive.question(to: 1))
        for name in ["data/items.ndjson", "data/envelope.json"] { #expect(try before.text(name) == after.text(name)) }
        func seen(_ item: [String: Any], _ name: String) -> Int? {
            ((item["visibility"] as? [String: Any])?[name] as? [String: Any])?["observation_id"] as? Int
        }
        let diff = try archive.export(archive.question(.diff, from: 1, to: 2)).items()
        #expect(diff.map { $0["role"] as? String } == ["disappeared", "appeared"])
        #expect(diff.map { seen($0, "first_seen") } == [1, 2])
        #expect(diff.map { seen($0, "last_verified") } == [1, 2])
        #expect(diff.map { seen($0, "disappeared") } == [2, nil])
        let last = try archive.export(archive.question(to: 3)).items()
        #expect(last.map { seen($0, "first_seen") } == [1, 1, 2])
        #expect(last.map { seen($0, "last_verified") } == [2, 2, 3])
    }

    @Test func changesOfRepresentationAreGrouped() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, (10..<14).map { Samples.steps($0) })
        try archive.add(day: 3, (10..<14).map { Samples.steps($0, version: $0 < 12 ? "11" : "10.1") })
        let items = try archive.export(archive.question(.diff, from: 1, to: 2)).items()
        #expect(items.count == 4)
        let groups = Dictionary(grouping: items) { $0["group_id"] as? String ?? "" }
        #expect(Set(groups.keys) == ["representation-1", "representation-2"])
        for group in groups.values { #expect(Set(group.compactMap { $0["role"] as? String }) == ["before", "after"]) }
        let none = try archive.export(
            archive.question(.selection, from: 1, to: 2) { $0.changes = [.appeared, .disappeared] })
        #expect(try none.items().isEmpty)
        #expect(try none.failure() == nil)
    }

    @Test func relationshipsNameWhatIsExported() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        func relationships(_ change: (inout ExportQuestion) -> Void) throws -> [[String: Any]] {
            try archive.export(archive.question { change(&$0) }).items().flatMap {
                $0["relationships"] as? [[String: Any]] ?? []
            }
        }
        let full = try relationships { $0.provenance = .full }
        #expect(full.compactMap { $0["kind"] as? String }.sorted() == ["member", "workoutRoute"])
        #expect(full.allSatisfy { $0["target_identity_hash"] != nil })
        // The route is left out, so only a pseudonym of its identity is said, and nothing at all with none.
        #expect(try relationships { _ in }.compactMap { $0["unresolved_endpoint_hash"] as? String }.count == 1)
        #expect(try relationships { $0.provenance = .none }.count == 1)
        let workouts = try relationships {
            $0.types = ["HKWorkoutTypeIdentifier"]; $0.provenance = .full
        }
        #expect(workouts.count == 1 && workouts.first?["unresolved_endpoint_hash"] != nil)
    }

    @Test func filtersChoose() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything + (100..<110).map { Samples.steps($0) })
        let start: Int64 = 1_704_067_200
        let some = try archive.export(
            archive.question {
                $0.types = ["HKQuantityTypeIdentifierStepCount"]
                $0.since = start + 105 * 60
                $0.until = start + 108 * 60
            })
        // The record that ends as the interval begins belongs to it.
        #expect(try some.items().count == 4)
        #expect(try some.failure() == nil)
        let preview = try archive.read {
            try BagExport.preview(
                Snapshot($0, chain: "default"), archive.question(.records, .json), key: try archive.key())
        }
        let all = try archive.export(archive.question(.records, .json))
        #expect(preview.recordCount == all.result.recordCount && preview.exportID == all.result.exportID)
        #expect(preview.byteCount == all.result.byteCount)
    }
}
