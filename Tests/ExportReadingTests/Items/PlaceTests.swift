import Testing

/// Line and byte range of an item are those of its own element, from its `<` to behind its last `>`.
struct PlaceTests {
    private static let dates = "startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 00:00:00 +0000\""

    private func bytes(_ text: String, _ range: Range<Int64>) -> String {
        String(decoding: Array(text.utf8)[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
    }

    /// Tags over several lines, text and comments between the items; the place does not depend on the chunks.
    @Test(arguments: [1, 7, 64, 1 << 18])
    func itemsInTheXML(chunkBytes: Int) throws {
        let items = [
            "<Record type=\"T\"\n  \(Self.dates)\n  value=\"a &amp;\n b\"/>",
            "<Note\n a=\"1\"\n>\n<x/>\n</Note >", "<ActivitySummary/>",
        ]
        let xml = document(
            " <!-- a\n<Note/> -->\n\n \(items[0])\n<?p\n?>text\n\(items[1])<!-- \n\n -->\(items[2])<!-- -->")
        let read = try readExport(xml: xml, chunkBytes: chunkBytes)
        #expect(read.items.map(\.line) == [7, 13, 19])
        #expect(read.items.map { bytes(xml, $0.byteStart..<$0.byteEnd) } == items)
    }

    @Test(arguments: [1, 7, 1 << 18])
    func quarantinedRecordsInsideAnItem(chunkBytes: Int) throws {
        let inner = "<Record\n type=\"T\">\n<MetadataEntry key=\"k\" value=\"v\"/></Record>"
        let deep = "<Record type=\"U\"/>"
        let xml = document("<Correlation type=\"C\" \(Self.dates)>\n\(inner)\n<x>\n\(deep)</x></Correlation>")
        let read = try readExport(xml: xml, chunkBytes: chunkBytes)
        #expect(read.quarantined.map(\.line) == [5, 9])
        #expect(read.quarantinedBytes.map { bytes(xml, $0) } == [inner, deep])
    }
}
