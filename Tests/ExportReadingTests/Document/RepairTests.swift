import ExportReading
import Testing

struct RepairTests {
    private static let good = "startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 00:10:00 +0000\""
    private static let twice = "startDate=\"2024-01-01 00:00:00 +0000\" startDate=\"2024-01-01 00:10:00 +0000\""

    /// Every forbidden control byte and every ill-formed sequence becomes `?`, byte for byte.
    @Test(
        arguments: [
            ([0x00], "?", "controlCharacterReplaced:1@4"), ([0x01], "?", "controlCharacterReplaced:1@4"),
            ([0x08], "?", "controlCharacterReplaced:1@4"), ([0x0B], "?", "controlCharacterReplaced:1@4"),
            ([0x0C], "?", "controlCharacterReplaced:1@4"), ([0x0E, 0x1F], "??", "controlCharacterReplaced:2@4"),
            ([0x7F], "\u{7F}", ""), ([0x09], " ", ""), ([0xC2, 0x85], "\u{85}", ""),
            ([0x80], "?", "invalidUTF8Replaced:1@4"), ([0xFF, 0xFE], "??", "invalidUTF8Replaced:2@4"),
            ([0xC0, 0x80], "??", "invalidUTF8Replaced:2@4"), ([0xC3], "?", "invalidUTF8Replaced:1@4"),
            ([0xC3, 0x28], "?(", "invalidUTF8Replaced:1@4"), ([0xE2, 0x82], "??", "invalidUTF8Replaced:2@4"),
            ([0xE0, 0x80, 0x80], "???", "invalidUTF8Replaced:3@4"),
            ([0xED, 0xA0, 0x80], "???", "invalidUTF8Replaced:3@4"),
            ([0xEF, 0xBF, 0xBE], "???", "invalidUTF8Replaced:3@4"), ([0xEF, 0xBF, 0xBD], "\u{FFFD}", ""),
            ([0xEF, 0xBF, 0xBF], "???", "invalidUTF8Replaced:3@4"),
            ([0xF0, 0x9F, 0xA9], "???", "invalidUTF8Replaced:3@4"),
            ([0xF0, 0x80, 0x80, 0x80], "????", "invalidUTF8Replaced:4@4"),
            ([0xF4, 0x90, 0x80, 0x80], "????", "invalidUTF8Replaced:4@4"),
            ([0xF4, 0x8F, 0xBF, 0xBF], "\u{10FFFF}", ""),
            ([0xF8, 0x88, 0x80, 0x80, 0x80], "?????", "invalidUTF8Replaced:5@4"),
        ] as [([UInt8], String, String)])
    func bytesThatXMLForbids(bytes: [UInt8], text: String, repair: String) throws {
        let expected = "[\"Note\",{\"a\":\"x\(text)y\"}]"
        for padding in 0..<9 {
            let xml = Array(document("<Note a=\"x\(String(repeating: "p", count: padding))@y\"/>").utf8)
                .flatMap { $0 == 0x40 ? bytes : [$0] }
            let read = try readExport(xml: xml, chunkBytes: 1 + padding * 11)
            #expect(read.document.isComplete)
            #expect(read.repairs == (repair.isEmpty ? [] : [repair]))
            let key = read.items.first?.strictKey?.replacing(
                String(repeating: "p", count: padding), with: "", maxReplacements: 1)
            #expect(key.map { Array($0.utf8) } == Array(expected.utf8))
        }
    }

    /// A reference to a character that XML forbids is repaired as the raw byte is, and an ampersand that begins no reference
    /// becomes `?`; what libxml2 understands stays, and so does everything in a comment or a CDATA section.
    @Test(
        arguments: [
            ("&#x0b;", "?", "controlCharacterReplaced:1@4"), ("&#11;", "?", "controlCharacterReplaced:1@4"),
            ("&#x1;", "?", "controlCharacterReplaced:1@4"), ("&#1;", "????", "controlCharacterReplaced:1@4"),
            ("&#x000001F;", "?", "controlCharacterReplaced:1@4"), ("&#xFFFF;", "?", "controlCharacterReplaced:1@4"),
            ("&#xD800;", "?", "controlCharacterReplaced:1@4"), ("&#9999999999;", "?", "controlCharacterReplaced:1@4"),
            ("R & B", "R ? B", "ampersandReplaced:1@4"), ("&", "?", "ampersandReplaced:1@4"),
            ("&&amp;", "?&", "ampersandReplaced:1@4"), ("a&b=1;", "a?b=1;", "ampersandReplaced:1@4"),
            ("&#;&#x;", "?#;?#x;", "ampersandReplaced:2@4"), ("&#65", "?#65", "ampersandReplaced:1@4"),
            ("&lt;&#65;&#x41;&apos;&#10;", "<AA'\n", ""), ("&#x10FFFF;", "\u{10FFFF}", ""),
        ] as [(String, String, String)])
    func references(text: String, expected: String, repair: String) throws {
        for size in [1, 7, 1 << 18] {
            let read = try readExport(xml: document("<Note a=\"\(text)\"/>"), chunkBytes: size)
            #expect(read.document.isComplete, "\(read.stop ?? "")")
            #expect(read.repairs == (repair.isEmpty ? [] : [repair]))
            let value = expected.replacing("\n", with: "\\n")
            #expect(read.items.first?.strictKey == "[\"Note\",{\"a\":\"\(value)\"}]")
        }
        let quiet = try readExport(xml: document("<!-- \(text) --><Note><![CDATA[\(text)]]></Note>"))
        #expect(quiet.document.isComplete && quiet.repairs.isEmpty)
    }

    /// A long text is cut into chunks, but not within a reference.
    @Test func aReferenceIsNotCut() throws {
        for padding in 0..<12 {
            let text = String(repeating: "x", count: 70_000 + padding) + String(repeating: "&amp;", count: 30_000)
            let read = try readExport(xml: document("<Note>\(text)</Note>"), chunkBytes: 1 << 16)
            #expect(read.document.isComplete && read.repairs.isEmpty)
        }
    }

    /// What stops the parser is said in its own words.
    @Test(arguments: [
        ("<Record value/>", "value"), ("<Record Scale App Version=\"2\"/>", "Scale"), ("<A></B>", "B"),
        ("&undefined;", "undefined"),
    ])
    func theParserSpeaksForItself(items: String, word: String) throws {
        let read = try readExport(xml: document(items))
        #expect(read.stop?.hasPrefix("xml:") == true)
        #expect(read.document.header.stop?.message?.contains(word) == true)
        #expect(read.document.header.stop?.message?.contains("\n") == false)
    }

    @Test func repairsAreCountedWithTheFirstLine() throws {
        let xml = document("\n<Note a=\"1\"/>\n<Note a=\"@\"/>\n<Note a=\"@@\"/>")
        let read = try readExport(xml: xml.utf8.map { $0 == 0x40 ? 0x0B : $0 })
        #expect(read.repairs == ["controlCharacterReplaced:3@6"])
        #expect(read.items.map(\.strictKey).last == "[\"Note\",{\"a\":\"??\"}]")
    }

    @Test(arguments: ["Record", "WorkoutStatistics", "Correlation", "Workout", "Anything"])
    func secondStartDateIsTheEndDate(element: String) throws {
        let read = try readExport(items: "<\(element) \(Self.twice) type=\"T\" workoutActivityType=\"A\"/>")
        let sound = try readExport(items: "<\(element) \(Self.good) type=\"T\" workoutActivityType=\"A\"/>")
        #expect(read.document.isComplete)
        #expect(read.repairs == ["secondStartDateReadAsEndDate:1@4"])
        #expect(read.items.map(\.identity) == sound.items.map(\.identity))
        #expect(read.items.map(\.version) == sound.items.map(\.version))
        #expect(read.items.count == 1)
    }

    @Test func secondStartDateInsideAWorkout() throws {
        func workout(_ dates: String) -> String {
            "<Workout workoutActivityType=\"A\" \(Self.good)>\n<WorkoutStatistics type=\"T\" \(dates) sum=\"1\"/></Workout>"
        }
        let sound = try readExport(items: workout(Self.good))
        let read = try readExport(items: workout(Self.twice))
        #expect(read.repairs == ["secondStartDateReadAsEndDate:1@5"])
        #expect(read.items.map(\.version) == sound.items.map(\.version))
    }

    /// What only looks like the defect stays as it is.
    @Test(arguments: [
        ("<Note startDate=\"1\"/><Note startDate=\"2\"/>", 2), ("<Note a=\"startDate=\" startDate=\"1\"/>", 1),
        ("<Note>startDate=\"1\" startDate=\"2\"</Note>", 1),
        ("<Note><![CDATA[ startDate=\"1\" startDate=\"2\" ]]></Note>", 1),
        ("<!-- startDate=\"1\" startDate=\"2\" --><Note/>", 1), ("<Note xstartDate=\"1\" startDate=\"2\"/>", 1),
        ("<Note><![CDATA[ <a startDate=\"1\" startDate=\"2\"/> ]]></Note>", 1),
        ("<Note><![CDATA[ <a> ]] > <a startDate=\"1\" startDate=\"2\"/> ]]]></Note>", 1),
        ("<!-- <a startDate=\"1\" startDate=\"2\"/> - --><Note/>", 1),
        ("<?p <a startDate=\"1\" startDate=\"2\"/> ? ?><Note/>", 1),
        ("<Note startDate=\"1\" x=\" startDate='2'\"/>", 1), ("<Note a='startDate=' b='startDate='/>", 1),
    ])
    func lookalikesAreLeftAlone(text: String, count: Int) throws {
        for size in [1, 5, 1 << 18] {
            let read = try readExport(items: text, chunkBytes: size)
            #expect(read.document.isComplete, "\(text)")
            #expect(read.repairs.isEmpty, "\(text)")
            #expect(read.items.count == count)
        }
    }

    @Test(arguments: [
        "startDate=\"1\" startDate=\"2\" endDate=\"3\"", "startDate=\"1\" startDate=\"2\" startDate=\"3\"",
    ])
    func otherRepeatedAttributesEndTheDocument(attributes: String) throws {
        let read = try readExport(items: "<Note/><Note \(attributes)/>")
        #expect(read.stop == "xml:42")
        #expect(read.items.count == 1)
    }

    /// A text of 70,000 bytes is cut into chunks that start with no tag: what looks like attributes there is text.
    @Test func longTextIsNotRepairedAsIfItWereATag() throws {
        let text = String(repeating: "startDate='1' startDate='2' a='3' ", count: 6_000)
        let read = try readExport(items: "<Note>\(text)</Note>", chunkBytes: 50_000)
        #expect(read.repairs.isEmpty)
        #expect(read.items.first?.extras == "{\"text\":\"\(text.dropLast())\"}")
    }

    @Test func whiteSpaceAroundTheEqualsSign() throws {
        let read = try readExport(
            items:
                "<Record type='T' startDate = '2024-01-01 00:00:00 +0000'\n startDate\t=\n'2024-01-01 00:10:00 +0000'/>"
        )
        #expect(read.document.isComplete)
        #expect(read.repairs == ["secondStartDateReadAsEndDate:1@5"])
        #expect(read.items.map(\.end) == [1_704_067_800])
    }

    /// A section's end is found wherever the chunks cut it, and repairs go on behind it.
    @Test func repairsBehindSections() throws {
        let text = String(repeating: "x", count: 70_000)
        let broken = "<Record type=\"T\" \(Self.twice)/>"
        for section in ["<!-- <a \(Self.twice)/>\(text)-->", "<Note><![CDATA[<a \(Self.twice)/>\(text)]]></Note>"] {
            for size in [1_000, 70_001, 70_110, 70_111, 70_112, 70_113, 1 << 18] {
                let read = try readExport(items: "\(section)\n\(broken)", chunkBytes: size)
                #expect(read.document.isComplete)
                #expect(read.repairs == ["secondStartDateReadAsEndDate:1@5"], "\(size)")
                #expect(read.items.last?.type == "T")
            }
        }
    }
}
