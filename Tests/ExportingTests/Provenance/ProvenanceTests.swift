internal import ArchiveTestSupport
@testable internal import Exporting
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store
internal import Testing

/// What leaves the archive under `hashed` and `none` names nobody; under `full` nothing is missing.
@Suite struct ProvenanceTests {
    private func archive() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(
            day: 2, Samples.everything, files: ["electrocardiograms/ecg_2024-01-01.csv": Samples.electrocardiogram])
        try archive.add(
            day: 3,
            Samples.everything.map {
                $0.replacingOccurrences(of: #"sourceVersion="10.1""#, with: #"sourceVersion="10.2""#)
            })
        return archive
    }

    @Test(arguments: [Provenance.hashed, .none], [ExportKind.records, .diff, .types, .manifest])
    func nobodyIsNamed(_ profile: Provenance, _ kind: ExportKind) throws {
        let archive = try archive()
        for format in ExportFormat.allCases {
            let bag = try archive.export(
                archive.question(kind, format, from: kind.hasTwoSides ? 1 : nil, to: 2) { $0.provenance = profile })
            #expect(try bag.failure() == nil)
            let all = try bag.text(bag.itemsFile) + bag.text("data/envelope.json")
            for name in Samples.identifying { #expect(!all.contains(name), "\(name) in \(profile) \(kind) \(format)") }
        }
    }

    @Test func fullHasAllNames() throws {
        let archive = try archive()
        let bag = try archive.export(archive.question(to: 1) { $0.provenance = .full })
        let all = try bag.text(bag.itemsFile)
        for name in Samples.identifying { #expect(all.contains(name), "\(name)") }
        #expect(bag.result.leftOut.isEmpty)
    }

    /// Swift's `==` takes both spellings of é for one; an archive does not.
    @Test func canonicallyEquivalentNamesStayApart() throws {
        let archive = try archive()
        let (composed, decomposed) = ("J\u{e9}r\u{f4}me", "Je\u{301}ro\u{302}me")
        let filter = try ProvenanceFilter(.hashed, key: archive.key())
        let first = filter.identifying(composed, domain: "source")
        let second = filter.identifying(decomposed, domain: "source")
        let alone = try ProvenanceFilter(.hashed, key: archive.key()).identifying(decomposed, domain: "source")
        #expect(first?.isEmpty == false && first != second && second == alone)
    }

    @Test func whatIsLeftOutIsListed() throws {
        let archive = try archive()
        let bag = try archive.export(archive.question(to: 1))
        #expect(
            bag.result.leftOut.map { "\($0.name) \($0.count)" } == [
                "characteristics 2", "clinicalSources 1", "electrocardiogramNames 1", "routes 1",
            ])
        let types = try bag.items().compactMap { $0["type_identifier"] as? String }
        #expect(!types.contains("HKWorkoutRouteTypeIdentifier"))
        let more = try archive.export(archive.question(to: 1) { $0.include = [.routes] })
        #expect(try more.items().contains { $0["type_identifier"] as? String == "HKWorkoutRouteTypeIdentifier" })
    }

    @Test func pseudonymsStayEqualAndFollowTheKey() throws {
        let archive = try archive()
        let steps = try archive.export(archive.question(to: 1)).items().filter {
            ($0["type_identifier"] as? String)?.hasSuffix("StepCount") == true
        }
        let key = try #require(try archive.key())
        for item in steps {
            #expect(item["source"] as? String == key.pseudonym("Alma's Watch", domain: "source"))
            #expect(
                (item["device"] as? [String: Any])?["name"] as? String
                    == key.pseudonym("Alma's Apple Watch", domain: "device"))
            #expect((item["device"] as? [String: Any])?["model"] as? String == "Watch")
        }
        let metadata = try #require(steps.first?["metadata"] as? [String: Any])
        #expect(metadata["HKWasUserEntered"] as? String == "1")
        #expect(metadata["HKTimeZone"] as? String == "Europe/Bucharest")
        #expect(metadata["HKExternalUUID"] as? String == key.pseudonym("5F3C-EXTERNAL-UUID", domain: "metadata"))
        let full = try archive.export(archive.question(to: 1) { $0.provenance = .full }).items()
        let versions = full.compactMap { $0["payload_version_hash"] as? String }
        let hashed = try archive.export(archive.question(to: 1) { $0.include = [.routes] }).items()
            .compactMap { $0["payload_version_hash"] as? String }
        #expect(versions.map { key.pseudonym($0, domain: "payload_version") }.sorted() == hashed.sorted())
    }

    @Test func withoutKeyOnlyHashedIsRefused() throws {
        let archive = try archive()
        let reader = try ArchiveReader(path: archive.path)
        defer { reader.close() }
        for profile in Provenance.allCases {
            let question = archive.question { $0.provenance = profile }
            let options = BagExport.Options(output: "\(archive.folder)/without-\(profile)")
            let attempt = Result {
                try reader.read {
                    try BagExport.write(Snapshot($0, chain: "default"), question, key: nil, options: options)
                }
            }
            let code = (attempt.failure as? HealthProbeError)?.code
            #expect(code == (profile == .hashed ? .keyUnreadable : nil))
            #expect(FileManager.default.fileExists(atPath: options.output) == (profile != .hashed))
        }
    }
}

extension Result {
    /// The error, where it is one.
    var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
