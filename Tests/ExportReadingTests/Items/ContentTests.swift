import ExportReading
import HealthModel
import Testing

/// What of an item goes where: children, unknown content, repeated blocks, nested records.
struct ContentTests {
    private static let dates = "startDate=\"2024-01-01 02:00:00 +0200\" endDate=\"2024-01-01 02:00:00 +0200\""
    private static func workout(_ content: String) -> String {
        "<Workout workoutActivityType=\"A\" \(dates)>\(content)</Workout>"
    }

    private func one(_ items: String) throws -> ReadItem {
        let read = try readExport(items: items)
        #expect(read.document.isComplete)
        return try #require(read.items.first)
    }

    @Test func unknownContentIsKeptAndCounted() throws {
        let read = try readExport(
            items: """
                <Record type="T" \(Self.dates) value="1" future="x &amp; y" when="2024-01-01 01:00:00 +0100"> some
                text <New a="1"><Deep/>d</New><New a="1"><Deep/>d</New></Record>
                <Future b="2"><Child c="3">t</Child></Future>
                """)
        #expect(
            read.items.map(\.extras) == [
                "{\"attributes\":{\"future\":\"x & y\",\"when\":1704067200},\"children\":["
                    + "{\"attributes\":{\"a\":\"1\"},\"children\":[{\"name\":\"Deep\"}],\"name\":\"New\",\"text\":\"d\"},"
                    + "{\"attributes\":{\"a\":\"1\"},\"children\":[{\"name\":\"Deep\"}],\"name\":\"New\",\"text\":\"d\"}],"
                    + "\"text\":\"some\\ntext\"}",
                "{\"children\":[{\"attributes\":{\"c\":\"3\"},\"name\":\"Child\",\"text\":\"t\"}]}",
            ])
        #expect(
            read.document.unknown.counts == [
                "Record@future": 1, "Record@when": 1, "Record#text": 1, "New": 2, "Deep": 2, "New#text": 2, "Future": 1,
                "Child": 1, "Child#text": 1,
            ])
    }

    @Test func zonesOfLaterVersionsAreKnown() throws {
        let read = try readExport(
            items: Self.workout(
                "<WorkoutZoneGroup type=\"H\" source=\"s\" unit=\"u\"><WorkoutZone minimum=\"1\"/></WorkoutZoneGroup>"))
        #expect(read.document.unknown.counts.isEmpty)
        #expect(read.items.first?.extras?.contains("\"minimum\":\"1\"") == true)
    }

    @Test func metadataPrintedTwiceCountsOnce() throws {
        let block = "<MetadataEntry key=\"a\" value=\"1\"/><MetadataEntry key=\"b\" value=\"2\"/>"
        let twice = try one(Self.workout(block + "<WorkoutEvent type=\"E\"/>" + block))
        let once = try one(Self.workout("<WorkoutEvent type=\"E\"/>" + block))
        #expect(twice.metadata == "{\"a\":\"1\",\"b\":\"2\"}")
        #expect(twice.version == once.version)
        // The same key with another value is another entry, in whatever order.
        let several = try one(
            Self.workout("<MetadataEntry key=\"a\" value=\"2\"/><MetadataEntry key=\"a\" value=\"1\"/>" + block))
        #expect(several.metadata == "{\"a\":[\"1\",\"2\"],\"b\":\"2\"}")
    }

    @Test func metadataOfAnotherFormIsAChild() throws {
        let item = try one(
            "<Record type=\"T\" \(Self.dates)><MetadataEntry key=\"a\" value=\"1\" extra=\"2\"/><MetadataEntry key=\"b\"/></Record>"
        )
        #expect(item.metadata == nil)
        #expect(
            item.extras
                == "{\"children\":[{\"attributes\":{\"extra\":\"2\",\"key\":\"a\",\"value\":\"1\"},\"name\":\"MetadataEntry\"},"
                + "{\"attributes\":{\"key\":\"b\"},\"name\":\"MetadataEntry\"}]}")
    }

    /// Such an entry is metadata all the same: what looks like a date in it is text, and equal ones count once.
    @Test func metadataOfAnotherFormHasTextsAndCountsOnce() throws {
        let entry = #"<MetadataEntry key="2024-01-01 01:00:00 +0100"/>"#
        let event = "<WorkoutEvent/>"
        let once = try one(Self.workout(entry + event))
        #expect(once.extras?.contains(#""key":"2024-01-01 01:00:00 +0100""#) == true)
        #expect(try one(Self.workout(entry + event + entry)).version == once.version)
    }

    /// Also where it is an item, as an unknown element: neither its key nor its offsets read a date.
    @Test func metadataOutsideItemsHasTexts() throws {
        let item = try one(#"<MetadataEntry key="a" value="2024-01-01 01:00:00 +0500"/>"#)
        #expect(item.strictKey == #"["MetadataEntry",{"key":"a","value":"2024-01-01 01:00:00 +0500"}]"#)
        #expect(item.volatileFields == nil)
    }

    @Test func eventsAreAMultiset() throws {
        let (a, b) = ("<WorkoutEvent type=\"A\"/>", "<WorkoutEvent type=\"B\"/>")
        let base = try one(Self.workout(a + b)).version
        #expect(try one(Self.workout(b + a)).version == base)
        #expect(try one(Self.workout(a + b + a)).version != base)
        #expect(try one(Self.workout(a + a + b)).version == one(Self.workout(b + a + a)).version)
    }

    @Test func beatsAreASequence() throws {
        func list(_ beats: String) -> String {
            "<Record type=\"T\" \(Self.dates)><HeartRateVariabilityMetadataList>\(beats)</HeartRateVariabilityMetadataList></Record>"
        }
        let (a, b) = (
            "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"10:00:00.10\"/>",
            "<InstantaneousBeatsPerMinute bpm=\"61\" time=\"10:00:00.10\"/>"
        )
        let first = try one(list(a + b))
        #expect(first.extras == "{\"beats\":[[\"60\",0],[\"61\",0]]}")
        #expect(first.volatileFields == "{\"firstBeat\":\"10:00:00.10\"}")
        #expect(try one(list(b + a)).version != first.version)
    }

    @Test func routesAreItemsOfTheirOwn() throws {
        let route =
            "<WorkoutRoute sourceName=\"W\" \(Self.dates)><MetadataEntry key=\"k\" value=\"v\"/><FileReference path=\"/workout-routes/a.gpx\"/></WorkoutRoute>"
        let other = route.replacing("2024-01-01 00:00:00 +0000\"/>", with: "x").replacing(
            "value=\"v\"", with: "value=\"w\"")
        let read = try readExport(items: Self.workout(route + "<WorkoutEvent/>" + route + other))
        let bare = try readExport(items: Self.workout("<WorkoutEvent/>"))
        #expect(read.items.map(\.type) == [SampleType.workout, SampleType.workoutRoute, SampleType.workoutRoute])
        #expect(read.items[0].version == bare.items.first?.version)
        #expect(read.items[0].members.isEmpty && read.items.dropFirst().allSatisfy(\.isInItem))
        #expect(read.items[1].volatileFields == "{\"path\":\"/workout-routes/a.gpx\"}")
        #expect(read.items[1].filePath == "/workout-routes/a.gpx")
        #expect(read.items[1].extras == "{\"children\":[{\"name\":\"FileReference\"}]}")
    }

    /// A route belongs to the workout that it stands in, whether it has dates of its own or not.
    @Test func theKeyOfARouteHasThatOfItsWorkout() throws {
        let file = "<FileReference path=\"/workout-routes/a.gpx\"/>"
        let dated = "<WorkoutRoute \(Self.dates)>\(file)</WorkoutRoute>"
        let running = try readExport(items: Self.workout(dated + "<WorkoutRoute>\(file)</WorkoutRoute>"))
        let walking = try readExport(items: Self.workout(dated).replacing("\"A\"", with: "\"B\""))
        let start = try #require(running.items[0].start)
        let key = "[\"A\",\(start),\(start)"
        #expect(running.items.dropFirst().map(\.strictKey) == ["\(key),\(start),\(start)]", "\(key),null,null]"])
        #expect(walking.items[1].version == running.items[1].version)
        #expect(walking.items[1].identity != running.items[1].identity)
        let alone = try readExport(items: "<WorkoutRoute>\(file)</WorkoutRoute>")
        #expect(alone.items.map(\.strictKey) == ["[null,null,null,null,null]"] && !alone.items[0].isInItem)
    }

    /// Of two equal routes in one workout the second is a copy, unless it names another file.
    @Test func equalRoutesOfTwoFilesAreTwo() throws {
        func route(_ name: String) -> String {
            "<WorkoutRoute><FileReference path=\"/workout-routes/\(name).gpx\"/></WorkoutRoute>"
        }
        let read = try readExport(items: Self.workout(route("a") + route("b") + route("a")))
        #expect(read.items.dropFirst().map(\.filePath) == ["/workout-routes/a.gpx", "/workout-routes/b.gpx"])
        #expect(Set(read.items.dropFirst().map(\.version)).count == 1)
    }

    @Test func nestedRecordsOfAnyDepth() throws {
        let record = "<Record type=\"T\" \(Self.dates) value=\"1\" unit=\"u\"/>"
        let read = try readExport(
            items: Self.workout("<x><y>\(record)</y></x>" + record)
                + "\n<Record type=\"P\" \(Self.dates)>\(record)</Record>" + record)
        #expect(read.nested.map(\.type) == ["T", "T", "T"])
        #expect(read.items.map(\.type) == [SampleType.workout, "P", "T"])
        #expect(Set(read.nested.map(\.version)) == [read.items[2].version])
        #expect(read.items[0].members.map(\.identity.hex) == read.nested.prefix(2).map(\.identity))
        #expect(
            read.items[1].extras
                == "{\"children\":[{\"identity\":\"\(read.items[2].identity)\",\"name\":\"Record\",\"version\":\"\(read.items[2].version)\"}]}"
        )
    }

    @Test func characteristics() throws {
        let read = try readExport(items: "<Me A=\"1\" B=\"2024-01-01 01:00:00 +0100\"/>\n<Me><x/>t</Me>")
        #expect(read.items.map(\.type) == ["A", "B", "Element/Me"])
        #expect(read.items.map(\.strictKey) == ["[\"A\"]", "[\"B\"]", "[\"Me\",{}]"])
        #expect(
            read.items.map(\.extras) == [
                "{\"attributes\":{\"value\":\"1\"}}", "{\"attributes\":{\"value\":1704067200}}",
                "{\"children\":[{\"name\":\"x\"}],\"text\":\"t\"}",
            ])
    }

    @Test func namespacesAndPrefixesStayInTheNames() throws {
        let read = try readExport(
            items: "<p:Note xmlns:p=\"urn:p\" xmlns=\"urn:d\" p:a=\"1\" xml:lang=\"de\"><q:x q:b=\"2\"/></p:Note>")
        #expect(read.document.isComplete)
        #expect(
            read.items.map(\.strictKey) == [
                "[\"p:Note\",{\"p:a\":\"1\",\"xml:lang\":\"de\",\"xmlns\":\"urn:d\",\"xmlns:p\":\"urn:p\"}]"
            ])
        #expect(read.items.first?.extras == "{\"children\":[{\"attributes\":{\"q:b\":\"2\"},\"name\":\"q:x\"}]}")
    }

    @Test func whatStandsBesideItemsAtTheRootIsKept() throws {
        let read = try readExport(
            xml:
                "<HealthData locale=\"de_DE\" x=\"1\">a<ExportDate value=\"2024-05-01 12:00:00 +0200\" y=\"2\"/>b<Ok/>c<ExportDate value=\"later\"/></HealthData>"
        )
        #expect(read.document.isComplete)
        #expect(
            read.document.header.extras.map { "\($0.name)=\($0.value)" } == [
                "HealthData@x=1", "HealthData#text=a", "ExportDate@y=2", "HealthData#text=b", "HealthData#text=c",
            ])
        #expect(read.items.map(\.strictKey) == ["[\"Ok\",{}]", "[\"ExportDate\",{\"value\":\"later\"}]"])
    }

    /// A long text is cut, at the same place for every chunk size.
    @Test func longTextAtTheRootIsCut() throws {
        let text = String(repeating: "word ", count: 30_000)
        for size in [1_000, 1 << 16, 1 << 20] {
            let read = try readExport(xml: "<HealthData>\n \(text)<Ok/></HealthData>", chunkBytes: size)
            #expect(read.document.header.extras.map(\.value) == [String(text.prefix(1 << 16))])
        }
    }

    @Test func elementsInExportDateAreKept() throws {
        let read = try readExport(
            xml: """
                <HealthData><ExportDate value="2024-05-01 12:00:00 +0200"><Zone name="A" x="1"/>t<p:q><r/></p:q></ExportDate>\
                <Ok/></HealthData>
                """)
        #expect(read.document.isComplete)
        #expect(
            read.document.header.extras.map { "\($0.name)=\($0.value)" } == [
                "ExportDate/Zone=", "ExportDate/Zone@name=A", "ExportDate/Zone@x=1", "HealthData#text=t",
                "ExportDate/p:q=",
                "ExportDate/r=",
            ])
        #expect(read.items.map(\.strictKey) == ["[\"Ok\",{}]"])
    }

    /// A small zip may hold any number of large elements.
    @Test func endlessElementsInExportDateAreCut() throws {
        let child = "<a b=\"\(String(repeating: "x", count: 1 << 20))\"/>"
        let read = try readExport(
            xml: "<HealthData><ExportDate>" + String(repeating: child, count: 40) + "</ExportDate><Ok/></HealthData>")
        #expect(read.document.isComplete)
        #expect(read.document.header.extras.count == 32)
        #expect(read.items.map(\.strictKey) == ["[\"Ok\",{}]"])
    }

    @Test func namespacesOfTheDocumentAreKept() throws {
        let read = try readExport(
            xml: """
                <HealthData xmlns="urn:d" xmlns:q="urn:z" q:a="1"><q:ExportDate value="1"/>\
                <ExportDate xmlns:r="urn:r" value="2024-05-01 12:00:00 +0200"/></HealthData>
                """)
        #expect(
            read.document.header.extras.map { "\($0.name)=\($0.value)" } == [
                "HealthData@xmlns=urn:d", "HealthData@xmlns:q=urn:z", "HealthData@q:a=1", "ExportDate@xmlns:r=urn:r",
            ])
        #expect(read.document.unknownCounts["HealthData@xmlns:q"] == 1)
        #expect(read.document.header.exportDate != nil)
        #expect(read.items.map(\.type) == ["Element/q:ExportDate"])
    }

    @Test func addressesOfNamespacesAreAnyText() throws {
        let read = try readExport(xml: "<HealthData xmlns=\"a b\" xmlns:q=\"%%\"><Ok/></HealthData>")
        #expect(read.document.isComplete)
        #expect(
            read.document.header.extras.map { "\($0.name)=\($0.value)" } == [
                "HealthData@xmlns=a b", "HealthData@xmlns:q=%%",
            ])
    }
}
