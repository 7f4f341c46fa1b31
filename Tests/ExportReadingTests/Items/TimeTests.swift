import ExportReading
import Testing

struct TimeTests {
    private func record(_ start: String) throws -> ReadExport {
        try readExport(xml: "<HealthData><Record type=\"T\" startDate=\"\(start)\" endDate=\"\(start)\"/></HealthData>")
    }

    @Test(
        arguments: [
            ("2024-01-01 24:00:00 +0000", 1_704_153_600), ("2024-12-31 24:00:00 +0000", 1_735_689_600),
            ("2016-12-31 23:59:60 +0000", 1_483_228_800), ("2024-01-01 00:00:60 +0000", 1_704_067_260),
            ("2024-01-01 05:45:00 +0545", 1_704_067_200), ("2024-01-01 00:00:00 -0330", 1_704_079_800),
            ("1969-12-31 23:59:59 +0000", -1), ("0001-01-01 00:00:00 +0000", -62_135_596_800),
            ("9999-12-31 23:59:59 +0000", 253_402_300_799), ("2024-02-29 00:00:00 +0000", 1_709_164_800),
            ("20140107104300-0800", 1_389_120_180), ("1970-01-01 00:00:00 -0000", 0),
            ("1970-01-01 00:00:00 +2359", -86_340),
        ] as [(String, Int64)])
    func instants(text: String, seconds: Int64) throws {
        let read = try record(text)
        #expect(read.items.first?.start == seconds)
        #expect(read.items.first?.end == seconds)
    }

    @Test(arguments: [
        "2023-02-29 00:00:00 +0000", "2024-02-30 00:00:00 +0000", "1900-02-29 00:00:00 +0000",
        "2024-13-01 00:00:00 +0000",
        "2024-00-01 00:00:00 +0000", "2024-01-00 00:00:00 +0000", "2024-04-31 00:00:00 +0000",
        "2024-01-01 24:00:01 +0000",
        "2024-01-01 25:00:00 +0000", "2024-01-01 00:60:00 +0000", "2024-01-01 00:00:61 +0000",
        "2024-01-01 00:00:00 0000",
        "2024-01-01 00:00:00 +00:00", "2024-01-01 00:00:00 +2400", "2024-01-01 00:00:00 +0060",
        "2024-01-01T00:00:00 +0000",
        "2024-01-01 00:00:00 +000", "2024-01-01 00:00:00  +0000", "2024-1-01 00:00:00 +00000",
        "２024-01-01 00:00:00 +0000",
        "2024-01-01 00:00:00.5 +0000", "12024-01-01 00:00:00 +0000", "-024-01-01 00:00:00 +0000", "20140107104300 0800",
        "2024-01-01 00:00:00", "now", " 2024-01-01 00:00:00 +0000", "20141307104300-0800",
    ])
    func othersAreNone(text: String) throws {
        let read = try record(text)
        #expect(read.quarantined.map(\.reason) == ["unparsableDate:startDate"])
    }

    /// The offset is the observation's; what deviates from it keeps its own, outside the payload.
    @Test func offsets() throws {
        let read = try readExport(
            items: """
                <Record type="T" startDate="2024-01-01 00:00:00 +0200" endDate="2024-01-01 00:00:00 +0200"/>
                <Record type="T" startDate="2023-12-31 23:00:00 +0100" endDate="2024-01-01 00:00:00 +0200"/>
                """)
        #expect(read.document.offsetSeconds == 7200)
        #expect(read.items.map(\.volatileFields) == [nil, "{\"offsets\":{\"startDate\":3600}}"])
        #expect(read.items[0].identity == read.items[1].identity)
        #expect(read.items[0].version == read.items[1].version)
    }

    @Test func withoutExportDateTheFirstOffsetIsTheExports() throws {
        let read = try readExport(
            xml: """
                <HealthData><Correlation type="C" startDate="2024-01-01 00:00:00 +0545" endDate="2024-01-01 00:00:00 +0545"/>
                <Record type="T" startDate="2024-01-01 00:00:00 +0100" endDate="2024-01-01 00:00:00 +0100"/></HealthData>
                """)
        #expect(read.document.offsetSeconds == 20_700)
        #expect(read.items.map(\.volatileFields) == [nil, "{\"offsets\":{\"endDate\":3600,\"startDate\":3600}}"])
        #expect(read.document.header.exportDateText == nil)
    }

    @Test func unreadableExportDateIsKept() throws {
        let read = try readExport(xml: "<HealthData><ExportDate value=\"gestern\"/></HealthData>")
        #expect(read.document.header.exportDateText == "gestern")
        #expect(read.document.header.exportDate == nil)
        #expect(read.document.isComplete)
    }

    @Test func firstVersionsForm() throws {
        let read = try readExport(
            xml: """
                <HealthData locale="en_US"><ExportDate value="20150125103000-0800"/>
                <Record type="HKQuantityTypeIdentifierStepCount" source="Health" unit="count" value="42" \
                startDate="20140107104300-0800" endDate="20140107114300-0800" recordCount="3" min="1"/></HealthData>
                """)
        #expect(read.document.offsetSeconds == -28_800)
        #expect(read.items.map(\.start) == [1_389_120_180])
        #expect(
            read.items.map(\.extras) == ["{\"attributes\":{\"min\":\"1\",\"recordCount\":\"3\",\"source\":\"Health\"}}"]
        )
    }
}
