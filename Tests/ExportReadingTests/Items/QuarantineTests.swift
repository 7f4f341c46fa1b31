import ExportReading
import HealthModel
import Testing

struct QuarantineTests {
    private static let dates = "startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 00:00:00 +0000\""

    @Test(
        arguments: [
            ("<Record \(dates)/>", "missing:type", nil),
            ("<Record type=\"T\" endDate=\"2024-01-01 00:00:00 +0000\"/>", "missing:startDate", "T"),
            ("<Record type=\"T\" startDate=\"2024-01-01 00:00:00 +0000\"/>", "missing:endDate", "T"),
            ("<Record type=\"T\" startDate=\"\" endDate=\"\"/>", "unparsableDate:startDate", "T"),
            (
                "<Record type=\"T\" startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01\"/>",
                "unparsableDate:endDate", "T"
            ),
            ("<Correlation type=\"C\"/>", "missing:startDate", "C"), ("<Audiogram \(dates)/>", "missing:type", nil),
            ("<Workout \(dates)/>", "missing:workoutActivityType", "HKWorkoutTypeIdentifier"),
            (
                "<Workout workoutActivityType=\"A\" startDate=\"x\" endDate=\"y\"/>", "unparsableDate:startDate",
                "HKWorkoutTypeIdentifier"
            ),
            ("<ClinicalRecord type=\"A\"/>", "missing:identifier", "ClinicalRecord/A"),
            ("<ClinicalRecord identifier=\"A\"/>", "missing:type", nil), ("<VisionPrescription/>", "missing:type", nil),
        ] as [(String, String, String?)])
    func requiredAttributes(item: String, reason: String, type: String?) throws {
        let read = try readExport(items: "\n\(item)\n<Ok/>")
        #expect(read.document.isComplete)
        #expect(read.quarantined == [ReadQuarantine(reason: reason, type: type, line: 5, text: item)])
        #expect(read.items.map(\.type) == ["Element/Ok"])
    }

    @Test(arguments: [
        "<ClinicalRecord type=\"A\" identifier=\"1\" receivedDate=\"never\"/>",
        "<VisionPrescription type=\"T\" dateIssued=\"x\"/>",
        "<VisionPrescription type=\"T\"/>", "<ActivitySummary/>", "<WorkoutRoute/>",
        "<Record type=\"\" \(dates) creationDate=\"x\"/>",
        "<Workout workoutActivityType=\"A\" \(dates)><WorkoutEvent date=\"x\"/></Workout>", "<Me a=\"\"/>",
    ])
    func optionalAttributesMayBeAnything(item: String) throws {
        let read = try readExport(items: item)
        #expect(read.quarantined.isEmpty)
        #expect(read.items.count == 1)
    }

    /// An unparsable optional date stays as text; the item is none the worse.
    @Test func optionalDatesStayText() throws {
        let read = try readExport(
            items: "<Record type=\"T\" \(Self.dates) creationDate=\"2024-02-30 00:00:00 +0000\"/>")
        #expect(read.items.first?.creation == nil)
        #expect(read.items.first?.extras == "{\"creationDate\":\"2024-02-30 00:00:00 +0000\"}")
    }

    /// A broken record inside another item is quarantined and stays in that item's payload.
    @Test func nestedRecords() throws {
        let read = try readExport(
            items:
                "<Correlation type=\"C\" \(Self.dates)>\n<Record type=\"T\" value=\"7\"/>\n<Record type=\"U\" \(Self.dates)/></Correlation>"
        )
        #expect(read.quarantined.map(\.reason) == ["missing:startDate"])
        #expect(read.quarantined.map(\.type) == ["T"])
        #expect(read.nested.map(\.type) == ["U"])
        #expect(read.items.map(\.type) == ["C"])
        #expect(
            read.items.first?.extras?.contains("{\"attributes\":{\"type\":\"T\",\"value\":\"7\"},\"name\":\"Record\"}")
                == true)
    }

    @Test func textIsXMLAgain() throws {
        let item =
            "<Record type=\"a &amp; &lt;b&gt; &quot;c&quot;&#10;\"><MetadataEntry key=\"k\" value=\"&#9;\"/>t &amp; u<x/></Record>"
        let read = try readExport(items: item)
        #expect(
            read.quarantined.map(\.text) == [
                "<Record type=\"a &amp; &lt;b&gt; &quot;c&quot;&#10;\">t &amp; u<MetadataEntry key=\"k\" value=\"&#9;\"/><x/></Record>"
            ])
    }

    @Test func typesLeftOutAreNotQuarantined() throws {
        let selection = TypeSelection(without: ["T"])
        let xml = document(
            "<Record type=\"T\"/><Record type=\"U\"/><Record type=\"T\" \(Self.dates)/><Record type=\"U\" \(Self.dates)/><Record/>"
        )
        let read = try readExport(xml: Array(xml.utf8), types: selection)
        #expect(read.quarantined.map(\.type) == ["U", nil])
        #expect(read.items.map(\.type) == ["U"])
    }

    /// What is sound inside a broken item is an item all the same, as it would be beside it.
    @Test func itemsInsideAQuarantinedOne() throws {
        let record = "<Record type=\"T\" \(Self.dates) value=\"1\"/>"
        let route = "<WorkoutRoute \(Self.dates)><FileReference path=\"/workout-routes/a.gpx\"/></WorkoutRoute>"
        let read = try readExport(
            items: """
                <Correlation type="C" startDate="2024-01-01 00:00:00 +0000" endDate="bad">\(record)</Correlation>
                <Workout workoutActivityType="A">\(route)<x>\(record)</x>\(route)</Workout>
                <Record type="U"><Record type="V"/>\(record)</Record>
                """)
        let alone = try readExport(items: record + route)
        #expect(
            read.quarantined.map(\.reason) == [
                "unparsableDate:endDate", "missing:startDate", "missing:startDate", "missing:startDate",
            ])
        #expect(read.quarantined.map(\.type) == ["C", SampleType.workout, "U", "V"])
        #expect(read.nested.map(\.version) == Array(repeating: alone.items[0].version, count: 3))
        #expect(read.items.map(\.version) == [alone.items[1].version])
        #expect(read.items.map(\.filePath) == ["/workout-routes/a.gpx"])
    }

    @Test func itemsInsideMe() throws {
        let read = try readExport(
            items: "<Me a=\"1\"><Record type=\"T\" \(Self.dates)/><Record type=\"U\"/><WorkoutRoute/></Me>")
        #expect(read.items.map(\.type) == ["a", "Element/Me", SampleType.workoutRoute])
        #expect(read.items[1].members.map(\.sampleType) == ["T"])
        #expect(read.nested.map(\.type) == ["T"])
        #expect(read.quarantined.map(\.type) == ["U"])
    }
}
