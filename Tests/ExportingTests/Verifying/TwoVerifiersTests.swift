internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing

/// The program and the script in plain Python refuse the same bags, also where Python by itself takes more.
@Suite(.enabled(if: PlainPython.path != nil, "python3 is not there"))
struct TwoVerifiersTests {
    private func expectRefused(
        of items: [String] = (10..<20).map { Samples.steps($0, value: "\($0)") },
        _ spoil: (TestBag) throws -> Void, _ said: String, _ comment: Comment
    ) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, items)
        let bag = try archive.export(archive.question(.records, .ndjson) { $0.provenance = .full })
        try spoil(bag)
        let failure = try bag.failure()
        #expect(failure?.text.contains(said) == true, "\(comment): \(failure?.text ?? "valid")")
        let answer = PlainPython.verify(bag.folder)
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

    /// A value is text; without its first and last character this number and this array would be the right one.
    @Test(arguments: ["9119", "[11]"]) func aValueIsText(_ value: String) throws {
        try expectRefused(
            { bag in
                try bag.replace(#""value":"11""#, #""value":\#(value)"#)
                try bag.renewItemHashes()
                try bag.renewChecksums()
            }, "sample_identity_hash does not follow", "\(value)")
    }

    /// With `full` the identity of every kind is recomputed; no kind gets around that.
    @Test func aRecordIsNoUnknownElement() throws {
        try expectRefused(
            { bag in
                try bag.replace(#""value":"11""#, #""value":"99""#)
                let lines = try bag.text(bag.itemsFile).split(separator: "\n").map(String.init).map { line in
                    line.contains(#""value":"99""#)
                        ? line.replacing(#""kind":"record""#, with: #""kind":"unknown""#) : line
                }
                try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
                try bag.renewItemHashes()
                try bag.renewChecksums()
            }, "sample_identity_hash does not follow", "another kind")
    }

    /// Of a correlation the dates are in its attributes too.
    @Test func membersAreOfTheirSort() throws {
        let spoilt: [(name: String, value: String)] = [
            ("start_date", "\"then\""), ("end_date", "5"), ("end_date", "true"), ("metadata", "7"),
            ("attributes", "[]"),
        ]
        for (name, value) in spoilt {
            try expectRefused(
                of: Samples.everything,
                { bag in
                    let member = try Regex(#""\#(name)":("[^"]*"|null|\{[^}]*\})"#)
                    let lines = try bag.text(bag.itemsFile).split(separator: "\n").map(String.init).map { line in
                        line.contains(#""kind":"correlation""#)
                            ? line.replacing(member, with: "\"\(name)\":\(value)") : line
                    }
                    try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
                    try bag.renewItemHashes()
                    try bag.renewChecksums()
                }, "sample_identity_hash does not follow", "\(name) \(value)")
        }
    }

    /// Files are a list, also where there are none.
    @Test func filesAreAList() throws {
        try expectRefused(
            { bag in
                try bag.replace("\"item_hash\"", "\"files\":null,\"item_hash\"")
                try bag.renewItemHashes()
                try bag.renewChecksums()
            }, "names files in another way", "null")
    }

    /// A date with a sign sorts in another way than as text; where another member differs first, that says nothing.
    @Test func aSignBehindTheFirstDifference() throws {
        let late = Samples.steps(20)
            .replacing("endDate=\"\(Samples.time(21))\"", with: #"endDate="9999-12-31 23:59:59 -0100""#)
        try expectRefused(
            of: (10..<20).map { Samples.steps($0) } + [late],
            { bag in
                let lines = try bag.text(bag.itemsFile).split(separator: "\n")
                let turned = lines.suffix(1) + lines.dropLast()
                try bag.write(turned.joined(separator: "\n") + "\n", to: bag.itemsFile)
                try bag.changeEnvelope([])
                try bag.renewChecksums()
            }, "is out of order", "the last item first")
    }

    @Test func theEnvelopeEndsWithItsLine() throws {
        try expectRefused(
            { bag in
                try bag.write(String(try bag.text("data/envelope.json").dropLast()), to: "data/envelope.json")
                try bag.renewChecksums()
            }, "is not a canonical JSON object", "no line feed")
    }

    /// Members of the envelope that no export has so, with all hashes made anew.
    @Test(arguments: [
        (#""role_counts":{}"#, #""role_counts":null"#), (#""role_counts":{}"#, #""role_counts":[]"#),
        (#""role_counts":{}"#, #""role_counts":{"appeared":null}"#), (#""role_counts":{},"#, ""),
        (#""item_hash_algorithm":"sha256""#, #""item_hash_algorithm":"md5""#),
        (#""export_format_version":1"#, #""export_format_version":2"#),
        (#""to_observation_id":1"#, #""to_observation_id":100000000000000000000"#),
    ]) func theEnvelopeHasItsMembers(_ old: String, _ new: String) throws {
        try expectRefused(
            { bag in
                try bag.changeEnvelope([(old, new)])
                try bag.renewChecksums()
            }, "data/envelope.json", "\(new)")
    }

    @Test func bagInfoHasOneForm() throws {
        let edits: [(String) -> String] = [
            { $0 + "\n" }, { String($0.dropLast()) }, { "Contact-Name: nobody\r\n" + $0 },
            { $0.replacing("healthprobe", with: "another") }, { $0.replacing("Oxum: ", with: "Oxum:  ") },
            { $0.replacing("Payload-Oxum", with: "payload-oxum") },
            { $0.replacing("\nExternal", with: "/\nExternal") },
            { $0.replacing("Identifier: ", with: "Identifier: more/") },
        ]
        for (number, edit) in edits.enumerated() {
            try expectRefused(
                { bag in
                    try bag.write(edit(try bag.text("bag-info.txt")), to: "bag-info.txt")
                    try bag.renewTags()
                }, "bag-info.txt", "edit \(number)")
        }
    }

    /// The payload has a manifest of its own.
    @Test func theTagManifestListsNoPayload() throws {
        try expectRefused(
            { bag in
                try bag.write("x", to: "data/e")
                let tags = try bag.text("tagmanifest-sha256.txt")
                try bag.write(tags + "\(Digest256(hashing: "x").hex)  data/e\n", to: "tagmanifest-sha256.txt")
            }, "data/e: is in no manifest", "a file in data")
    }

    /// Whoever names a bag may do so through a link; only what is in it has to be there itself.
    @Test func aBagMayBeNamedThroughALink() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, [Samples.steps(1)])
        let bag = try archive.export(archive.question())
        let link = archive.freshPath("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: bag.folder)
        #expect(try ExportVerification.run(link, signers: nil).recordCount == 1)
        let answer = PlainPython.verify(link)
        #expect(answer.status == 0, "\(answer.text)")
        withExtendedLifetime(archive) {}
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
        let answer = PlainPython.verify(bag.folder)
        #expect(answer.text.contains(" \(report.identitiesRecomputed) identities recomputed"), "\(answer.text)")
        withExtendedLifetime(archive) {}
    }
}
