import ExportReading
import Foundation
import Testing

struct DocumentTypeTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/dtd")

    static func dtd(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The malformed text of iOS 16.0: no `>` behind VisionPrescription's attributes, a stray attribute, an element
    /// declared twice and one `>` too many.
    static func malformed() throws -> String {
        try dtd("v13_2023-05.dtd")
            .replacingOccurrences(of: "Version: 13", with: "Version: 12")
            .replacingOccurrences(of: "  brand            CDATA #IMPLIED\n>", with: "  brand            CDATA #IMPLIED")
            .replacingOccurrences(
                of: "<!ELEMENT RightEye EMPTY>",
                with: "  device CDATA #IMPLIED\n<!ELEMENT MetadataEntry EMPTY>\n<!ELEMENT RightEye EMPTY>"
            )
            .replacingOccurrences(of: "]>", with: ">\n]>")
    }

    @Test(arguments: [
        ("v3_ios10-11.dtd", "3"), ("v8_ios12.3.dtd", "8"), ("v13_2023-05.dtd", "13"), ("v14_ios18.1plus.dtd", "14"),
    ])
    func documentTypesAreBlankedAndKept(file: String, version: String) throws {
        try check(Self.dtd(file), version)
        // The one that lacks its last declaration's end (a fixture in public use).
        let text = try Self.dtd(file)
        try check(String(text.dropLast(4)) + "\n]>", version)
    }

    @Test func malformedDocumentTypeIsBlankedToo() throws { try check(Self.malformed(), "12") }

    private func check(_ dtd: String, _ version: String) throws {
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            \(dtd)
            <HealthData locale="en_US">
             <Record type="T" startDate="2024-01-01 00:00:00 +0000" endDate="bad"/>
             <Record type="T" startDate="2024-01-01 00:00:00 +0000" endDate="2024-01-01 00:00:00 +0000"/>
            </HealthData>
            """
        let lines = dtd.split(separator: "\n", omittingEmptySubsequences: false).count
        for size in [7, 1 << 18] {
            let read = try readExport(xml: xml, chunkBytes: size)
            #expect(read.document.isComplete)
            #expect(read.document.prolog.doctype == dtd)
            #expect(read.document.prolog.exportVersion == version)
            #expect(read.repairs == ["doctypeBlanked:1@2"])
            #expect(read.items.count == 1)
            // No byte and no line moved.
            #expect(read.quarantined.map(\.line) == [Int64(lines) + 3])
            let end = try #require(xml.utf8.lastIndex(of: UInt8(ascii: "\n")))
            #expect(read.items.first?.byteEnd == Int64(xml.utf8.distance(from: xml.utf8.startIndex, to: end)))
        }
    }

    @Test func commentsDoNotHideTheRootOrTheDocumentType() throws {
        let item = "<Note a=\"1\"/>"
        let texts = [
            "<!-- <HealthData> --><HealthData>\(item)</HealthData>",
            "<!-- <HealthData > <!DOCTYPE --><!DOCTYPE HealthData [<!ELEMENT a ANY>]><HealthData>\(item)</HealthData>",
            "<?note <HealthData > ?><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData [<!-- <HealthData > ]> -->]><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData SYSTEM \"http://localhost:9/x.dtd\"><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData SYSTEM '<HealthData >'><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData [<!ENTITY a '<HealthData><Fake/></HealthData><?p '>]><HealthData>\(item)</HealthData><?q ?>",
            "<!DOCTYPE HealthData [<!ENTITY % a \"<HealthData><Fake/></HealthData><!-- '\">]><HealthData>\(item)</HealthData><!-- -->",
            "<!DOCTYPE HealthData [<!NOTATION n SYSTEM '<HealthData >'>]><HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData [<!ATTLIST a b CDATA #IMPLIED <!ELEMENT c ANY> d ><!ENTITY a '<HealthData >'>>]>"
                + "<HealthData>\(item)</HealthData>",
            "<!DOCTYPE HealthData [<!ENTITY a <!ATTLIST a b CDATA 'c> <HealthData>\(item)</HealthData>",
        ]
        for text in texts {
            for size in [1, 1 << 18] {
                let read = try readExport(xml: text, chunkBytes: size)
                #expect(read.document.isComplete, "\(text)")
                #expect(read.items.map(\.type) == ["Element/Note"], "\(text)")
                #expect(read.document.prolog.doctype != nil || !text.contains("]"), "\(text)")
            }
        }
    }
}
