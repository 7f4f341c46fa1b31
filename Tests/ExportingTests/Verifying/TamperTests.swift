internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// Whatever is changed in a bag, verification names it first; so does the script in plain Python.
@Suite struct TamperTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var expected: String
        var format = ExportFormat.ndjson
        /// Whether the script, which does less, finds it too.
        var isFoundByScript = true
        var spoil: @Sendable (TestBag) throws -> Void

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "a value", expected: "data/items.ndjson, item 2, line 2: its item_hash") { bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
            try bag.renewChecksums()
        },
        Case(name: "a value in an array", expected: "data/items.json, item 2, line 3: its item_hash", format: .json) {
            bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
            try bag.renewChecksums()
        },
        // CSV is for spreadsheets: its file has a hash, its items are not read back.
        Case(name: "a value in CSV", expected: "data/items.csv: its SHA-256 differs", format: .csv) { bag in
            try bag.replace(",11,count,", ",99,count,")
        },
        Case(name: "a value with its hashes", expected: "item 2, line 2: sample_identity_hash does not follow") { bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
            try bag.renewItemHashes()
            try bag.renewChecksums()
        },
        Case(name: "a missing item", expected: "has 9 items; the envelope states 10") { bag in
            let lines = try bag.text(bag.itemsFile).split(separator: "\n")
            try bag.write(lines.dropLast().joined(separator: "\n") + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "items in another order", expected: "data/items.ndjson, item 3, line 3: is out of order") { bag in
            var lines = try bag.text(bag.itemsFile).split(separator: "\n")
            lines.swapAt(1, 2)
            try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "a space", expected: "is not a canonical JSON") { bag in
            try bag.replace(#""unit":"count""#, #""unit": "count""#)
            try bag.renewChecksums()
        },
        Case(name: "a name given twice", expected: "data/items.ndjson, item 2, line 2") { bag in
            try bag.replace(#""value":"11""#, #""value":"99","value":"11""#)
            try bag.renewChecksums()
        },
        Case(name: "a fraction", expected: "is not a canonical JSON") { bag in
            try bag.replace(#""ordinal":0"#, #""ordinal":0.0"#)
            try bag.renewChecksums()
        },
        Case(name: "a name given twice in the envelope", expected: "data/envelope.json") { bag in
            let text = try bag.text("data/envelope.json")
            try bag.write(
                text.replacing(#""record_count":10"#, with: #""record_count":9,"record_count":10"#),
                to: "data/envelope.json")
            try bag.renewChecksums()
        },
        Case(name: "a line behind the end", expected: "continues after its end", format: .json) { bag in
            try bag.write(try bag.text(bag.itemsFile) + "{}\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "an array without its end", expected: "ends without ]", format: .json) { bag in
            try bag.write(String(try bag.text(bag.itemsFile).dropLast(2)), to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "an empty line", expected: "is not a canonical JSON") { bag in
            try bag.write(try bag.text(bag.itemsFile) + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "a linked payload", expected: "data/items.ndjson: is neither a file nor a folder") { bag in
            let place = "\(bag.folder)/\(bag.itemsFile)"
            try FileManager.default.moveItem(atPath: place, toPath: bag.folder + ".items")
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: bag.folder + ".items")
        },
        Case(name: "the envelope", expected: "data/envelope.json: manifest_hash") { bag in
            let text = try bag.text("data/envelope.json")
            try bag.write(
                text.replacingOccurrences(of: #""record_count":10"#, with: #""record_count":11"#),
                to: "data/envelope.json")
            try bag.renewChecksums()
        },
        Case(name: "an item, checksums left", expected: "data/items.ndjson, item 2, line 2: its item_hash") { bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
        },
        Case(name: "a tag file", expected: "bag-info.txt: its SHA-256") { bag in
            try bag.write(try bag.text("bag-info.txt") + "Contact-Name: nobody\n", to: "bag-info.txt")
        },
        Case(name: "the payload's size", expected: "bag-info.txt: Payload-Oxum") { bag in
            let text = try bag.text("bag-info.txt")
            try bag.write(text.replacingOccurrences(of: ".2\n", with: ".3\n"), to: "bag-info.txt")
            try bag.renewTags()
        },
        Case(name: "a missing file", expected: "data/items.ndjson: the file is missing") { bag in
            try FileManager.default.removeItem(atPath: "\(bag.folder)/data/items.ndjson")
        },
        Case(name: "another file", expected: "data/more.json: is in no manifest") {
            try $0.write("{}", to: "data/more.json")
        },
        Case(
            name: "a path out of the bag",
            expected: "manifest-sha256.txt, line 3: names a path outside"
        ) { bag in
            let hash = String(repeating: "0", count: 64)
            try bag.write(
                try bag.text("manifest-sha256.txt") + "\(hash)  data/../../archive.sqlite\n", to: "manifest-sha256.txt")
            try bag.renewTags()
        },
        Case(name: "a link", expected: "data/link: is neither a file nor a folder", isFoundByScript: true) { bag in
            try FileManager.default.createSymbolicLink(
                atPath: "\(bag.folder)/data/link", withDestinationPath: "/etc/hostname")
        },
        Case(name: "another count of a type", expected: "the counts by type or role") { bag in
            try bag.changeEnvelope([
                (#""HKQuantityTypeIdentifierStepCount":10"#, #""HKQuantityTypeIdentifierStepCount":11"#)
            ])
            try bag.renewChecksums()
        },
        Case(name: "a role that no item has", expected: "the counts by type or role") { bag in
            try bag.changeEnvelope([(#""role_counts":{}"#, #""role_counts":{"appeared":1}"#)])
            try bag.renewChecksums()
        },
        Case(name: "an item given twice", expected: "data/items.ndjson, item 3, line 3: appears a second time") {
            bag in
            var lines = try bag.text(bag.itemsFile).split(separator: "\n")
            lines.insert(lines[1], at: 1)
            try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
            try bag.changeEnvelope([
                (#""HKQuantityTypeIdentifierStepCount":10"#, #""HKQuantityTypeIdentifierStepCount":11"#),
                (#""record_count":10"#, #""record_count":11"#),
            ])
            try bag.renewChecksums()
        },
        Case(name: "the kind of another format", expected: "data/envelope.json: export_kind") { bag in
            try bag.changeEnvelope([("observation_records_ndjson", "observation_records_csv")])
            try bag.renewChecksums()
        },
        Case(name: "a kind whose items have roles", expected: "data/items.ndjson, item 1, line 1: is not an item") {
            bag in
            try bag.changeEnvelope([("observation_records_ndjson", "selection_ndjson")])
            try bag.renewChecksums()
        },
        Case(name: "another identifier", expected: "bag-info.txt: External-Identifier") { bag in
            try bag.write(
                try bag.text("bag-info.txt").replacing(/\/[0-9a-f]{64}/, with: "/" + String(repeating: "0", count: 64)),
                to: "bag-info.txt")
            try bag.renewTags()
        },
        Case(name: "another day", expected: "bag-info.txt: Bagging-Date") { bag in
            try bag.write(
                try bag.text("bag-info.txt").replacing(/Bagging-Date: .*/, with: "Bagging-Date: 1999-01-01"),
                to: "bag-info.txt")
            try bag.renewTags()
        },
        Case(name: "a second day", expected: "bag-info.txt: it differs") { bag in
            try bag.write(try bag.text("bag-info.txt") + "bagging-date: 1999-01-01\n", to: "bag-info.txt")
            try bag.renewTags()
        },
        Case(name: "another declaration", expected: "bagit.txt: does not declare") { bag in
            try bag.write(try bag.text("bagit.txt").replacing("1.0", with: "9.9"), to: "bagit.txt")
            try bag.renewTags()
        },
        Case(name: "a file listed twice", expected: "manifest-sha256.txt, line 3: names a file twice") { bag in
            let text = try bag.text("manifest-sha256.txt")
            try bag.write(text + text.prefix { $0 != "\n" } + "\n", to: "manifest-sha256.txt")
            try bag.renewTags()
        },
        Case(name: "tag files that are cut off", expected: "tagmanifest-sha256.txt: does not list") { bag in
            try bag.write(String(try bag.text("tagmanifest-sha256.txt").dropLast()), to: "tagmanifest-sha256.txt")
        },
        Case(name: "linked tag files", expected: "tagmanifest-sha256.txt: the file is missing or is not") { bag in
            let place = bag.folder + "/tagmanifest-sha256.txt"
            try FileManager.default.moveItem(atPath: place, toPath: bag.folder + ".tags")
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: bag.folder + ".tags")
        },
        Case(name: "a last line that is cut off", expected: "data/items.ndjson, item 10") { bag in
            try bag.write(String(try bag.text(bag.itemsFile).dropLast()), to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "an array that is cut off", expected: "ends without a line feed", format: .json) { bag in
            try bag.write(String(try bag.text(bag.itemsFile).dropLast()), to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "no bag", expected: "bagit.txt: the file is missing") { bag in
            try FileManager.default.removeItem(atPath: "\(bag.folder)/bagit.txt")
        },
    ]

    private func bag(_ format: ExportFormat) throws -> (TestArchive, TestBag) {
        let archive = try TestArchive()
        try archive.add(day: 2, (10..<20).map { Samples.steps($0, value: "\($0)") })
        return (archive, try archive.export(archive.question(.records, format)))
    }

    @Test(arguments: cases)
    func isNamed(_ test: Case) throws {
        let (archive, bag) = try bag(test.format)
        try withExtendedLifetime(archive) {
            #expect(try bag.failure() == nil)
            try test.spoil(bag)
            let failure = try #require(try bag.failure())
            #expect(failure.text.contains(test.expected), "\(failure.text)")
            if PlainPython.path != nil {
                let answer = PlainPython.verify(bag.folder)
                if test.isFoundByScript { #expect(answer.status == 4, "\(answer.text)") }
            }
        }
    }

    @Test(.enabled(if: PlainPython.path != nil, "python3 is not there"), arguments: ExportFormat.allCases)
    func scriptAgreesThatItIsValid(_ format: ExportFormat) throws {
        let (archive, bag) = try bag(format)
        let answer = PlainPython.verify(bag.folder)
        #expect(
            answer.status == 0 && answer.text.hasPrefix("valid: observation_records_\(format.rawValue), 10 items"),
            "\(answer.text)")
        withExtendedLifetime(archive) {}
    }

    /// Every single byte of the bag's files matters to verification.
    @Test func noByteCanBeFlipped() throws {
        let (archive, bag) = try bag(.json)
        var generator = SeededGenerator(seed: 11)
        for name in [
            "data/items.json", "data/envelope.json", "manifest-sha256.txt", "tagmanifest-sha256.txt", "bagit.txt",
            "bag-info.txt",
        ] {
            let path = "\(bag.folder)/\(name)"
            let original = try #require(FileManager.default.contents(atPath: path))
            for _ in 0..<40 {
                var spoilt = original
                let place = Int(generator.next() % UInt64(spoilt.count))
                spoilt[place] ^= 1 << UInt8(generator.next() % 8)
                try spoilt.write(to: URL(fileURLWithPath: path))
                #expect(try bag.failure() != nil, "\(name), byte \(place)")
            }
            try original.write(to: URL(fileURLWithPath: path))
        }
        #expect(try bag.failure() == nil)
        withExtendedLifetime(archive) {}
    }
}

extension TestBag {
    /// Changes the envelope, and makes the hashes over the items and over the envelope anew.
    func changeEnvelope(_ edits: [(String, String)]) throws {
        let hashes = try text(itemsFile).matches(of: /"item_hash":"([0-9a-f]{64})"/).map { "\($0.1)\n" }
        var envelope = String(try text("data/envelope.json").dropLast())
            .replacing(
                /"items_hash":"[0-9a-f]+"/, with: "\"items_hash\":\"\(Digest256(hashing: hashes.joined()).hex)\"")
        for (old, new) in edits {
            guard envelope.contains(old) else { throw TestSupport.Failure("\(old) is not there") }
            envelope = envelope.replacing(old, with: new)
        }
        let hash = Digest256(hashing: envelope.replacing(/"manifest_hash":"[0-9a-f]+",/, with: "")).hex
        envelope = envelope.replacing(/"manifest_hash":"[0-9a-f]+"/, with: "\"manifest_hash\":\"\(hash)\"")
        try write(envelope + "\n", to: "data/envelope.json")
    }

    /// Replaces the first occurrence of a text in the items.
    func replace(_ old: String, _ new: String) throws {
        var text = try text(itemsFile)
        guard let range = text.range(of: old) else { throw TestSupport.Failure("\(old) is not there") }
        text.replaceSubrange(range, with: new)
        try write(text, to: itemsFile)
    }
}
