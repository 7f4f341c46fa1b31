import Basics
import ExportReading
import HealthModel
import Testing

struct CompletenessTests {
    @Test func sampleIsReadWhole() throws {
        let read = try readExport(xml: SampleExport.bytes)
        #expect(read.stop == nil)
        #expect(read.document.isComplete)
        #expect(read.document.xmlByteCount == Int64(SampleExport.bytes.count))
        #expect(read.document.xmlDigest == SampleExport.bytes.withByteView { Digest256(hashing: $0) })
        #expect(read.document.offsetSeconds == 10_800)
        #expect(read.document.header.locale == "ro_RO")
        #expect(read.document.header.exportDate?.seconds == 1_714_554_000)
        #expect(read.document.header.extras.map { "\($0.name)=\($0.value)" } == ["HealthData@extra=ș"])
        #expect(read.document.prolog.exportVersion == "14")
        #expect(
            read.repairs == [
                "doctypeBlanked:1@2", "controlCharacterReplaced:1@22", "invalidUTF8Replaced:1@22",
                "secondStartDateReadAsEndDate:1@20",
            ])
        #expect(read.quarantined.map(\.reason) == ["unparsableDate:startDate"])
        #expect(read.quarantined.map(\.line) == [21])
        #expect(read.nested.map(\.type) == ["HKQuantityTypeIdentifierDietarySugar"])
        #expect(
            read.items.map(\.type) == [
                "HKCharacteristicTypeIdentifierBloodType", "HKQuantityTypeIdentifierBodyMass",
                "HKCategoryTypeIdentifierMindfulSession", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN",
                "HKQuantityTypeIdentifierStepCount", "HKQuantityTypeIdentifierStepCount",
                "HKCorrelationTypeIdentifierFood", "HKWorkoutTypeIdentifier", "HKWorkoutRouteTypeIdentifier",
                "HKActivitySummaryTypeIdentifier", "Element/StateOfMind",
            ])
        #expect(
            read.document.unknown.counts == [
                "Record@mood": 1, "Record#text": 1, "b": 1, "b#text": 1, "StateOfMind": 1, "StateOfMind#text": 1,
            ])
    }

    /// Cutting off the file anywhere never gives a complete document, and what was read is what the whole file begins with.
    @Test func truncationAtEveryByteIsPartial() throws {
        let whole = try readExport(xml: SampleExport.bytes)
        let rootEnd = try #require(SampleExport.bytes.firstRange(of: Array("ș\">".utf8))).upperBound
        for length in 0..<SampleExport.bytes.count {
            let prefix = Array(SampleExport.bytes[..<length])
            if length < rootEnd {
                // Without a root element there is no document at all.
                if let part = try? readExport(xml: prefix) {
                    #expect(!part.document.isComplete && part.items.isEmpty && part.quarantined.isEmpty, "\(length)")
                }
                continue
            }
            let part = try readExport(xml: prefix, chunkBytes: 1 + length % 97)
            #expect(!part.document.isComplete, "\(length)")
            #expect(part.document.xmlByteCount == Int64(length))
            #expect(whole.items.starts(with: part.items), "\(length)")
            #expect(whole.nested.starts(with: part.nested), "\(length)")
            #expect(whole.quarantined.starts(with: part.quarantined), "\(length)")
        }
    }

    @Test func chunkSizesMakeNoDifference() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("export.xml", SampleExport.bytes)
        let whole = try readExport(path: path)
        for size in 1...600 { try expectSame(readExport(path: path, chunkBytes: size), whole, "chunks of \(size)") }
        // The same with CR LF, where libxml2 itself looks at the ends of its chunks.
        let crlf = SampleExport.bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let second = try folder.write("crlf.xml", crlf)
        let wholeCRLF = try readExport(path: second)
        #expect(wholeCRLF.items.map(\.version) == whole.items.map(\.version))
        #expect(wholeCRLF.items.map(\.identity) == whole.items.map(\.identity))
        for size in 1...200 { try expectSame(readExport(path: second, chunkBytes: size), wholeCRLF, "CR LF, \(size)") }
    }

    private func expectSame(_ a: ReadExport, _ b: ReadExport, _ name: String) {
        #expect(a.items == b.items, "\(name)")
        #expect(a.nested == b.nested, "\(name)")
        #expect(a.quarantined == b.quarantined, "\(name)")
        #expect(a.repairs == b.repairs, "\(name)")
        #expect(a.document.unknown.counts == b.document.unknown.counts, "\(name)")
        #expect(a.document.xmlDigest == b.document.xmlDigest, "\(name)")
        #expect(a.document.xmlByteCount == b.document.xmlByteCount, "\(name)")
        #expect(a.document.isComplete && b.document.isComplete, "\(name)")
        #expect("\(a.document.header)" == "\(b.document.header)", "\(name)")
        #expect(a.document.prolog.doctype == b.document.prolog.doctype, "\(name)")
    }

    /// Text longer than any chunk is cut between characters, whatever their length.
    @Test(arguments: ["a", "ü", "字", "🩺", "aü字🩺"])
    func longTextIsCutBetweenCharacters(unit: String) throws {
        let text = String(repeating: unit, count: 150_000 / unit.utf8.count)
        let xml = document("<Note>\(text)</Note>")
        for size in [1 << 10, 65_537, 65_538, 65_539, 1 << 18] {
            let read = try readExport(xml: xml, chunkBytes: size)
            #expect(read.repairs.isEmpty)
            #expect(read.document.isComplete)
            #expect(read.items.first?.extras == "{\"text\":\"\(text)\"}", "\(size)")
        }
    }

    @Test(arguments: [
        ("junk behind the root", "</HealthData>\n<Record/>", "xml:5"),
        ("a second root", "</HealthData><HealthData/>", "xml:5"),
        ("the wrong end tag", "</Record></HealthData>", "xml:76"),
        ("an attribute twice", "<Note a=\"1\" a=\"2\"/></HealthData>", "xml:42"),
        ("a less-than sign in a value", "<Note a=\"<\"/></HealthData>", "xml:38"),
        ("attributes with spaces in their names (iOS 8)", "<Record Health Mate=\"1\"/></HealthData>", "xml:41"),
    ])
    func brokenDocumentsArePartial(name: String, end: String, reason: String) throws {
        let good = "<Record type=\"T\" startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 00:00:00 +0000\"/>"
        let read = try readExport(xml: "<HealthData>\n \(good)\n" + end)
        #expect(!read.document.isComplete)
        #expect(read.stop == reason)
        #expect(read.items.map(\.type) == ["T"])
        #expect(read.document.header.stop?.line == 3 + end.count { $0 == "\n" })
    }

    @Test func trailingWhiteSpaceAndCommentsAreNoContent() throws {
        let read = try readExport(xml: "<HealthData/>\n<!-- end --> \r\n")
        #expect(read.document.isComplete)
        #expect(read.items.isEmpty)
    }
}
