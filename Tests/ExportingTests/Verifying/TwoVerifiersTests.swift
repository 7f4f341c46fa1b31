internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// The program and the script in plain Python refuse the same bags, also where Python by itself takes more.
@Suite(.enabled(if: PlainPython.path != nil, "python3 is not there"))
struct TwoVerifiersTests {
    private func expectRefused(_ spoil: (TestBag) throws -> Void, _ said: String, _ comment: Comment) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, (10..<20).map { Samples.steps($0, value: "\($0)") })
        let bag = try archive.export(archive.question(.records, .ndjson))
        try spoil(bag)
        let failure = try bag.failure()
        #expect(failure?.text.contains(said) == true, "\(comment): \(failure?.text ?? "valid")")
        let answer = try PlainPython.verify(bag.folder, try #require(PlainPython.path))
        #expect(answer.status == 4, "\(comment): \(answer.text)")
        withExtendedLifetime(archive) {}
    }

    /// Numbers that Python reads and no export prints; all of them are 11.
    @Test(arguments: [" 11", "11 ", "1_1", "\u{661}\u{661}", "11."])
    func numbersAreThoseOfExports(_ text: String) throws {
        try expectRefused(
            { bag in
                try bag.replace(#""value":"11""#, #""value":"\#(text)""#)
                try bag.renewItemHashes()
                try bag.renewChecksums()
            }, "sample_identity_hash does not follow", "\(text)")
    }

    /// Dates that Python counts on with and no export prints, in the first or last item, which keeps the order.
    @Test(arguments: [
        (true, "2024-01-01T", "2023-13-01T"), (true, "2024-01-01T00", "2023-12-31T24"),
        (false, "2024-01-01T", "202\u{664}-01-01T"),
    ]) func datesAreThoseOfExports(_ isFirst: Bool, _ old: String, _ new: String) throws {
        try expectRefused(
            { bag in
                var lines = try bag.text(bag.itemsFile).split(separator: "\n").map(String.init)
                let place = isFirst ? 0 : lines.count - 1
                lines[place] = lines[place].replacing("\"start_date\":\"\(old)", with: "\"start_date\":\"\(new)")
                try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
                try bag.renewItemHashes()
                try bag.renewChecksums()
            }, "sample_identity_hash does not follow", "\(new)")
    }

    @Test func theEnvelopeNamesTheFileOfItems() throws {
        try expectRefused(
            { bag in
                try bag.changeEnvelope([(#""file":"items.ndjson""#, #""file":"../x""#)])
                try bag.renewChecksums()
            }, "data/envelope.json", "another file")
    }

    /// Readers differ in which of two members of one name they take.
    @Test func theEnvelopeHasNoNameTwice() throws {
        for (name, value) in [("\"app\":", "1,"), ("\"export_format_version\":", "1,")] {
            try expectRefused(
                { bag in
                    try bag.changeEnvelope([(name, name + value + name)])
                    try bag.renewChecksums()
                }, "is not a canonical JSON object", "\(name)")
        }
    }

    @Test(arguments: ["more", "tagmanifest-sha256.txt.sig"]) func aLinkIsNoPartOfABag(_ name: String) throws {
        try expectRefused(
            { bag in
                try FileManager.default.createSymbolicLink(
                    atPath: "\(bag.folder)/\(name)", withDestinationPath: name == "more" ? "data" : "bagit.txt")
            }, "neither a file nor a folder", "a link")
    }

    /// Files beside the items are named by their hash, also those that an item names.
    @Test func filesAreNamedByTheirHash() throws {
        try expectRefused(
            { bag in
                let (name, text) = ("data/more.gpx", "<gpx/>")
                let hash = Digest256(hashing: text).hex
                try bag.replace(
                    "\"item_hash\"", "\"files\":[{\"file\":\"more.gpx\",\"sha256\":\"\(hash)\"}],\"item_hash\"")
                try bag.renewItemHashes()
                try bag.renewChecksums()
                try bag.write(text, to: name)
                try bag.write(
                    try bag.text("manifest-sha256.txt") + "\(hash)  \(name)\n", to: "manifest-sha256.txt")
                let oxum = try bag.text("bag-info.txt").replacing(/Payload-Oxum: (\d+)\.2/) { match in
                    "Payload-Oxum: \((Int(match.1) ?? 0) + text.utf8.count).3"
                }
                try bag.write(oxum, to: "bag-info.txt")
                try bag.renewTags()
            }, "is not a file of this format", "a file of another name")
    }

    /// Forms of a path that BagIt allows and no export writes.
    @Test(arguments: ["  ./data/", " *data/", " data/"]) func pathsHaveOneForm(_ form: String) throws {
        try expectRefused(
            { bag in
                let text = try bag.text("manifest-sha256.txt")
                try bag.write(text.replacing("  data/", with: form), to: "manifest-sha256.txt")
                try bag.renewTags()
            }, "manifest-sha256.txt, line 1", "\(form)")
    }

    /// A day of an activity summary may be an instant; its identity is recomputed where it is printed as it was.
    @Test(arguments: Provenance.allCases) func daysOfActivitySummaries(_ provenance: Provenance) throws {
        let archive = try TestArchive()
        let days = ["2024-01-01", "2024-01-01 10:00:00 +0000", "2024-01-02T00:00:00Z", "2024-02-31", "someday"]
        try archive.add(
            day: 2,
            days.map { #"<ActivitySummary dateComponents="\#($0)" activeEnergyBurned="1"/>"# })
        let bag = try archive.export(archive.question(.records, .ndjson) { $0.provenance = provenance })
        let report = try ExportVerification.run(bag.folder, signers: nil)
        // What is no date is a pseudonym, or left out.
        #expect(report.identitiesRecomputed == (provenance == .full ? 5 : 3))
        #expect(report.identitiesSkipped == (provenance == .full ? 0 : 2))
        let answer = try PlainPython.verify(bag.folder, try #require(PlainPython.path))
        #expect(answer.text.contains(" \(report.identitiesRecomputed) identities recomputed"), "\(answer.text)")
        withExtendedLifetime(archive) {}
    }
}
