internal import Exporting
internal import Foundation
internal import TestSupport
internal import Testing

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
        Case(name: "a value", expected: "data/items.ndjson, item 2, line 2: item_hash") { bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
            try bag.renewChecksums()
        },
        Case(name: "a value in an array", expected: "data/items.json, item 2, line 3: item_hash", format: .json) {
            bag in
            try bag.replace(#""value":"11""#, #""value":"99""#)
            try bag.renewChecksums()
        },
        Case(name: "a value in CSV", expected: "data/items.csv, item 2, line 3: item_hash", format: .csv) { bag in
            try bag.replace(",11,count,", ",99,count,")
            try bag.renewChecksums()
        },
        Case(name: "a missing item", expected: "has 9 items where the envelope says 10") { bag in
            let lines = try bag.text(bag.itemsFile).split(separator: "\n")
            try bag.write(lines.dropLast().joined(separator: "\n") + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "items in another order", expected: "data/items.ndjson, item 3, line 3: comes before") { bag in
            var lines = try bag.text(bag.itemsFile).split(separator: "\n")
            lines.swapAt(1, 2)
            try bag.write(lines.joined(separator: "\n") + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "a space", expected: "is no canonical JSON") { bag in
            try bag.replace(#""unit":"count""#, #""unit": "count""#)
            try bag.renewChecksums()
        },
        Case(name: "a name given twice", expected: "data/items.ndjson, item 2, line 2") { bag in
            try bag.replace(#""value":"11""#, #""value":"99","value":"11""#)
            try bag.renewChecksums()
        },
        Case(name: "a fraction", expected: "is no canonical JSON") { bag in
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
        Case(name: "a line behind the end", expected: "goes on behind its end", format: .json) { bag in
            try bag.write(try bag.text(bag.itemsFile) + "{}\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "an array without its end", expected: "ends without ]", format: .json) { bag in
            try bag.write(String(try bag.text(bag.itemsFile).dropLast(2)), to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "an empty line", expected: "is no canonical JSON") { bag in
            try bag.write(try bag.text(bag.itemsFile) + "\n", to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "rows that end with a line feed alone", expected: "data/items.csv", format: .csv) { bag in
            try bag.write(try bag.text(bag.itemsFile).replacing("\r\n", with: "\n"), to: bag.itemsFile)
            try bag.renewChecksums()
        },
        Case(name: "another title", expected: "the titles of its columns", format: .csv) { bag in
            try bag.replace(",unit,", ",units,")
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
        Case(name: "an item, checksums left", expected: "data/items.ndjson, item 2, line 2: item_hash") { bag in
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
            expected: "manifest-sha256.txt, line 3: names a path that does not stay inside"
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
        Case(name: "no bag", expected: "bagit.txt: the file is missing") { bag in
            try FileManager.default.removeItem(atPath: "\(bag.folder)/bagit.txt")
        },
    ]

    private func bag(_ format: ExportFormat) throws -> (ExportArchive, TestBag) {
        let archive = try ExportArchive()
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
            if let python = PlainPython.path {
                let answer = try PlainPython.verify(bag.folder, python)
                if test.isFoundByScript { #expect(answer.status == 4, "\(answer.text)") }
            }
        }
    }

    @Test(.enabled(if: PlainPython.path != nil, "python3 is not there"), arguments: ExportFormat.allCases)
    func scriptAgreesThatItIsValid(_ format: ExportFormat) throws {
        let (archive, bag) = try bag(format)
        let answer = try PlainPython.verify(bag.folder, try #require(PlainPython.path))
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
    /// Replaces the first occurrence of a text in the items.
    func replace(_ old: String, _ new: String) throws {
        var text = try text(itemsFile)
        guard let range = text.range(of: old) else { throw TestSupport.Failure("\(old) is not there") }
        text.replaceSubrange(range, with: new)
        try write(text, to: itemsFile)
    }
}
