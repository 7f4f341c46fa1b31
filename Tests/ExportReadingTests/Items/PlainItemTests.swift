import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

/// Items that are read without libxml2 are what libxml2 reads, at the same places.
struct PlainItemTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func damagedDocumentsReadTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var bytes = random.chance(30) ? SampleExport.bytes : Array(Self.document(&random).utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) { Self.damage(&bytes, &random) }
            // Small chunks cut items in two, large ones hold many.
            try Self.expectSame(bytes, chunkBytes: random.pick([64, 700, 4_096, 1 << 18], else: 1))
        }
    }

    /// What an item needs libxml2 for, each once among plain items.
    @Test(arguments: [
        "<Record type=\"a\" type=\"b\"/>", "<Record type='a'/>", "<Record type=\"a\" />", "<Record  type=\"a\"/>",
        "<Record type=\"a\n b\"/>", "<Record type=\"a\tb\"/>", "<Record type=\"&#65;&lt;\"/>", "<Record type=\"&lt\"/>",
        "<Record type=\"&x;\"/>", "<Record type=\"a<b\"/>", "<Record type=\"a\"b=\"c\"/>", "<Record x:type=\"a\"/>",
        "<x:Record type=\"a\"/>", "<Record xmlns=\"u\" type=\"a\"/>", "<Record type=\"a\" other=\"b\"/>",
        "<Other type=\"a\"/>",
        "<Record type=\"a\">text</Record>", "<Record type=\"a\"></Records>", "<Record type=\"a\"></Record >",
        "<Record type=\"a\"><!-- x --></Record>", "<!-- <Record type=\"b\"/> -->", "<![CDATA[<Record type=\"b\"/>]]>",
        "<?x <Record type=\"b\"/> ?>", "text", "</Record>", "<Record type=\"a\"><Record></Record>", "<Record type=\"a",
        "<Record",
        "<Record type=\"a\"/>text<Record type=\"b\"/>", "<Record type=\"a\"/></HealthData><Record type=\"b\"/>",
        "&amp;",
        "\r\n<Record type=\"a\"/>\r\n", "<Record\ntype=\"a\"/>", "<Record type = \"a\"/>", "<ExportDate value=\"x\"/>",
        "<ExportDate><Record type=\"b\"/></ExportDate>", "<HealthData><Record type=\"b\"/></HealthData>",
    ])
    func doubtfulItemsReadTheSame(item: String) throws {
        var random = SeededGenerator(seed: 7)
        let plain = (0..<6).map { _ in Self.plainRecord(&random) }
        for chunkBytes in [64, 1 << 18] {
            try Self.expectSame(
                Array(ExportReadingTests.document((plain + [item] + plain).joined(separator: "\n ")).utf8),
                chunkBytes: chunkBytes)
        }
    }

    private static func expectSame(_ bytes: [UInt8], chunkBytes: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("export.xml", bytes)
        func read(_ readsPlainItems: Bool) -> Result<ReadExport, any Error> {
            Result { try readExport(path: path, chunkBytes: chunkBytes, readsPlainItems: readsPlainItems) }
        }
        switch (read(true), read(false)) {
        case (.success(let plain), .success(let libxml2)):
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(plain.items == libxml2.items, "\(text)")
            #expect(plain.nested == libxml2.nested, "\(text)")
            #expect(plain.quarantined == libxml2.quarantined, "\(text)")
            #expect(plain.quarantinedBytes == libxml2.quarantinedBytes, "\(text)")
            #expect(plain.document.unknownCounts == libxml2.document.unknownCounts, "\(text)")
            #expect(plain.document.isComplete == libxml2.document.isComplete, "\(text)")
            #expect(describe(plain, text) == describe(libxml2, text), "\(text)")
        case (.failure(let plain), .failure(let libxml2)):
            #expect("\(plain)" == "\(libxml2)")
        case (let plain, let libxml2):
            Issue.record("\(plain) and \(libxml2)")
        }
    }

    private static func describe(_ read: ReadExport, _ text: String) -> String {
        let header = read.document.header
        // Of a CDATA section without an end libxml2 reads portions that depend on the pieces it is given.
        let stop = header.stop.map { text.contains("<![CDATA[") ? $0.reason : "\($0)" }
        return "\(stop ?? "") \(header.extras) \(header.exportDateText ?? "") \(header.locale ?? "")"
    }

    /// An export as Health lays it out: plain records, some with metadata, and some other items.
    private static func document(_ random: inout SeededGenerator) -> String {
        let items = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            random.chance(70) ? plainRecord(&random) : random.chance(50) ? RandomRecord.element(&random).xml : workout
        }
        return ExportReadingTests.document(items.map { " " + $0 }.joined(separator: "\n"))
    }

    private static func plainRecord(_ random: inout SeededGenerator) -> String {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, name:&quot;W&quot; &amp; &apos;é&apos;, model:Watch&gt;"
        let head =
            "<Record type=\"T\(Int.random(in: 0..<3, using: &random))\" sourceName=\"Ü &amp; Co\" device=\"\(device)\""
        let tail =
            " startDate=\"2024-04-01 08:00:00 +0200\" endDate=\"2024-04-01 08:00:0\(Int.random(in: 0...9, using: &random)) +0200\""
        guard random.chance(40) else { return head + tail + " value=\"5\"/>" }
        return head + tail + ">\n  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Berlin\"/>\n </Record>"
    }

    private static let workout = """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5" durationUnit="min" \
        startDate="2024-04-05 09:00:00 +0300" endDate="2024-04-05 10:00:00 +0300">
          <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-04-05 09:30:00 +0300"/>
          <WorkoutRoute sourceName="W" startDate="2024-04-05 09:00:00 +0300" endDate="2024-04-05 10:00:00 +0300">
           <FileReference path="/workout-routes/r.gpx"/>
          </WorkoutRoute>
         </Workout>
        """

    private static let marks = Array("<>&\"'/= \n\t\r:;![]-?x".utf8)
    private static let pieces = [
        "]]>", "<![CDATA[", "<!--", "-->", "&#65;", "&lt;", " type=\"x\"", "/>", "</Record>", "<Record",
    ]

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        // Most damage behind the prolog, where items are.
        let from = random.chance(90) ? min(120, bytes.count - 1) : 0
        let at = Int.random(in: from..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[at] = random.pick(marks, else: 0)
        case 1: bytes.insert(random.pick(marks, else: 0), at: at)
        case 2: bytes.insert(contentsOf: Array(random.pick(pieces, else: "").utf8), at: at)
        case 3: bytes.removeSubrange(at..<end)
        case 4: bytes.insert(contentsOf: bytes[at..<end], at: at)
        default: bytes[at] = UInt8.random(in: 0...255, using: &random)
        }
        if bytes.isEmpty { bytes = [0x20] }
    }
}
