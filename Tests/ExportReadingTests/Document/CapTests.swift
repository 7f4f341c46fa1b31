import ExportReading
import HealthModel
import Testing

/// What goes beyond a cap ends in quarantine or in a clear stop; the time limits are only there against hanging.
@Suite(.timeLimit(.minutes(3)))
struct CapTests {
    private static let dates = "startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 00:00:00 +0000\""
    private static let last = "<Record type=\"Last\" \(dates)/>"

    private func expectQuarantine(_ items: String, _ reason: String, line: Int64 = 4) throws -> ReadExport {
        let read = try readExport(items: items + "\n" + Self.last)
        #expect(read.document.isComplete)
        #expect(read.quarantined.map(\.reason) == [reason])
        #expect(read.quarantined.map(\.line) == [line])
        #expect(read.items.map(\.type) == ["Last"])
        #expect(read.quarantined.allSatisfy { $0.text.utf8.count <= 65_540 })
        return read
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "<a>", count: depth) + "x" + String(repeating: "</a>", count: depth)
    }

    @Test func depth() throws {
        // The root is one level, so 63 levels of an item stand at depth 64.
        let fits = try readExport(items: nested(63) + Self.last)
        #expect(fits.items.map(\.type) == ["Element/a", "Last"])
        #expect(fits.quarantined.isEmpty)
        for depth in [64, 65, 10_000, 200_000] { _ = try expectQuarantine(nested(depth), "depthOver64") }
    }

    /// The parser keeps every open element, so memory would grow with the file.
    @Test func endlessDepth() throws {
        var places: Set<Int64> = []
        for size in [1 << 16, 1 << 20] {
            let read = try readExport(items: Self.last + String(repeating: "<a>", count: 1_000_100), chunkBytes: size)
            #expect(read.stop == "depthOver1000000")
            #expect(read.items.map(\.type) == ["Last"])
            places.insert(read.document.header.stop?.byte ?? -1)
        }
        #expect(places.count == 1)
    }

    private func attributes(_ count: Int) -> String {
        (0..<count).map { "a\($0)=\"\"" }.joined(separator: " ")
    }

    @Test func attributeCount() throws {
        let fits = try readExport(items: "<Note \(attributes(1024))/>" + Self.last)
        #expect(fits.items.map(\.type) == ["Element/Note", "Last"])
        for count in [1025, 1026, 1027, 5_000, 200_000] {
            let read = try expectQuarantine("<Note \(attributes(count))/>", "attributesOver1024")
            #expect(read.quarantined.first?.type == "Element/Note")
            #expect(read.repairs == (count > 1025 ? ["attributesBlanked:1@4"] : []))
        }
    }

    @Test func attributesOfRecordsAndNestedElements() throws {
        let read = try expectQuarantine("<Record type=\"T\" \(Self.dates) \(attributes(2_000))/>", "attributesOver1024")
        #expect(read.quarantined.first?.type == "T")
        _ = try expectQuarantine("<Workout><x/><Note \(attributes(3_000))>y</Note></Workout>", "attributesOver1024")
    }

    @Test func manyTagsWithTooManyAttributes() throws {
        let tag = "<Note \(attributes(1_500))/>\n"
        let read = try readExport(items: String(repeating: tag, count: 300) + Self.last)
        #expect(read.quarantined.count == 300)
        #expect(read.repairs == ["attributesBlanked:300@4"])
        #expect(read.document.isComplete)
    }

    @Test func metadataEntries() throws {
        let entry = "<MetadataEntry key=\"k\" value=\"v\"/>"
        let fits = try readExport(
            items: "<Record type=\"T\" \(Self.dates)>" + String(repeating: entry, count: 99_999) + "</Record>")
        #expect(fits.items.first?.metadata == "{\"k\":\"v\"}")
        let read = try expectQuarantine(
            "<Record type=\"T\" \(Self.dates)>" + String(repeating: entry, count: 1_000_000) + "</Record>",
            "elementsOver100000")
        #expect(read.quarantined.first?.type == "T")
    }

    @Test func tagSize() throws {
        let value = String(repeating: "v", count: 15 << 20)
        let fits = try readExport(items: "<Note a=\"\(value)\"/>" + Self.last)
        #expect(fits.items.map(\.type) == ["Element/Note", "Last"])
        // The cap is of the whole tag.
        for excess in 0...3 {
            let value = value + value.prefix((1 << 20) - "<Note a=\"\"/>".utf8.count + excess)
            let read = try readExport(items: Self.last + "\n<Note a=\"\(value)\"/>\n" + Self.last)
            #expect(read.stop == (excess > 0 ? "tagOver16MiB" : nil))
        }
        // A larger tag ends the document, at the same place for every chunk size.
        for size in [1 << 16, 1 << 18, 5 << 20, 64 << 20] {
            let read = try readExport(
                items: Self.last + "\n<Note a=\"\(value + value.prefix(2 << 20))\"/>\n" + Self.last, chunkBytes: size)
            #expect(read.stop == "tagOver16MiB")
            #expect(read.document.header.stop?.line == 4)
            #expect(read.items.map(\.type) == ["Last"])
            #expect(read.document.xmlByteCount > 17 << 20)
        }
    }

    @Test func endlessTagWithEndlessAttributes() throws {
        // Without an end in sight libxml2 would compare each attribute with all before it.
        let tag = "<Note " + attributes(2_200_000)
        let read = try readExport(items: Self.last + tag + "/>")
        #expect(read.stop == "tagOver16MiB")
        #expect(read.items.map(\.type) == ["Last"])
    }

    @Test func giantText() throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 20)
        let fits = try readExport(items: "<Note>\(text)</Note>" + Self.last)
        #expect(fits.items.map(\.type) == ["Element/Note", "Last"])
        #expect(fits.items.first?.extras?.utf8.count == text.utf8.count + 11)
        _ = try expectQuarantine("<Note>\(text + text + text + text)x</Note>", "itemOver64MiB")
        let comments = String(repeating: "<!--\(text.dropLast(1 << 20))-->", count: 5)
        _ = try expectQuarantine("<Note>\(comments)</Note>", "itemOver64MiB")
        _ = try expectQuarantine("<Note><x/>\(text + text)<x/>\(text + text + "</Note>")", "itemOver64MiB")
    }

    @Test func giantCommentEndsTheDocument() throws {
        let comment = "<!--" + String(repeating: "0123456789/bcdef", count: 5 << 19) + "-->"
        let read = try readExport(items: Self.last + comment + Self.last)
        #expect(read.stop == "tagOver16MiB")
        #expect(read.items.map(\.type) == ["Last"])
    }

    @Test func quadraticTraps() throws {
        let value = String(repeating: "startDate=", count: 300_000)
        let values = try readExport(items: "<Note a=\"\(value)\"/><Note>\(value)</Note>" + Self.last)
        #expect(values.document.isComplete)
        #expect(values.repairs.isEmpty)
        let controls = [UInt8](repeating: 1, count: 3_000_000) + [UInt8](repeating: 0xFF, count: 3_000_000)
        let broken = try readExport(
            xml: Array("<HealthData><Note>".utf8) + controls + Array("</Note></HealthData>".utf8))
        #expect(broken.document.isComplete)
        #expect(broken.repairs == ["controlCharacterReplaced:3000000@1", "invalidUTF8Replaced:3000000@1"])
    }

    @Test func endlessNames() throws {
        // Names of their own each: libxml2 keeps every name once, up to its dictionary's limit.
        let names = (0..<200_000).map { "<n\($0) a\($0)=\"\"/>" }.joined()
        let many = try readExport(items: names + Self.last)
        #expect(many.items.count == 200_001)
        #expect(many.document.unknown.counts.count == 1_001)
        let long = String(repeating: "n", count: 1 << 20)
        let giants = try readExport(items: (0..<40).map { "<\(long)\($0)/>" }.joined() + Self.last)
        #expect(giants.document.isComplete || giants.stop != nil)
        let word = String(repeating: "a", count: 4_000)
        let endless = try readExport(items: Self.last + (0..<8_000).map { "<Note \(word)\($0)=\"\"/>" }.joined())
        #expect(endless.stop?.hasPrefix("xml:") == true)
        #expect(endless.items.first?.type == "Last")
    }

    /// The import refuses more types than that, and a selection of types must not keep them all until then.
    @Test func typesThatAreLeftOut() throws {
        let items = (0..<30_000).map { "<Record type=\"T\($0)\" \(Self.dates)/>" }.joined() + Self.last
        let read = try readExport(xml: Array(document(items).utf8), types: TypeSelection(only: ["Last"]))
        #expect(read.items.map(\.type) == ["Last"])
        #expect(read.document.leftOutTypes.count == 20_001)
    }

    /// What stands whole before the cut is an item, but more of its type may stand behind it.
    @Test func itemsInsideOneBeyondACap() throws {
        func record(_ type: String, _ content: String = "") -> String {
            "<Record type=\"\(type)\" \(Self.dates)>\(content)</Record>"
        }
        let cut = record("B", "<Note \(attributes(1_025))/>")
        let read = try readExport(
            items: "<Correlation type=\"C\">" + record("A") + "<WorkoutRoute/>" + record("A") + cut + record("D")
                + "</Correlation>" + Self.last)
        #expect(read.quarantined.map(\.type) == ["C", "B", "A", SampleType.workoutRoute])
        #expect(Set(read.quarantined.map(\.reason)) == ["attributesOver1024"])
        #expect(read.nested.map(\.type) == ["A", "A"])
        #expect(read.items.map(\.type) == [SampleType.workoutRoute, "Last"])
        // A record's own tag names it, whatever its size.
        let own = try readExport(
            items: "<Correlation type=\"C\"><Record type=\"B\" \(attributes(2_000))/></Correlation>")
        #expect(own.quarantined.map(\.type) == ["C", "B"])
    }

    @Test func characteristicsBesideAnOversizedContent() throws {
        let read = try readExport(items: "<Me a=\"1\">" + nested(70) + "</Me>" + Self.last)
        #expect(read.quarantined.map(\.type) == ["Element/Me"])
        #expect(read.items.map(\.type) == ["a", "Last"])
    }
}
