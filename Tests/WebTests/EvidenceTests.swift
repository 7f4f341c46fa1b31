import Foundation
import Testing
import TestSupport

/// What stands beside the counts of a comparison: labels, days, and what is explained.
@Suite("Evidence on pages", .enabled(if: BuiltProgram.isExpected))
struct EvidenceTests {
    @Test func aComparisonHasTheLabelsOfItsTypes() throws {
        let archive = try WebArchive("condensed-in-two-steps")
        let page = try archive.get("/diff?from=1&to=2").text
        #expect(page.contains(">Labels</a></th>") && page.contains("consolidation likely"))
        #expect(page.contains("daily aggregate changed"))
        let printed = try archive.sandbox.run("diff", "1", "2").expecting(0).outputText
        #expect(printed.contains("Labels") && printed.contains("consolidation likely"))
        // Without an analysis there is nothing that the counts do not say.
        #expect(!(try WebArchive("first-and-unchanged").get("/diff?from=1&to=2").text.contains(">Labels</th>")))
    }

    @Test func oneTypeAloneHasAllItsDays() throws {
        let sandbox = try Sandbox()
        for (number, value) in [(1, 60), (2, 70)] {
            let records = ["HeartRate", "RespiratoryRate", "BodyMass"].flatMap { type in
                (1...9).map { day -> String in
                    let at = "2024-04-0\(day) 10:00:00 +0000"
                    let value = type == "BodyMass" ? 80 : value
                    return """
                        <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="count/min" creationDate="\(at)" \
                        startDate="\(at)" endDate="\(at)" value="\(value)"/>

                        """
                }
            }.joined()
            let export = """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_US">
                <ExportDate value="2024-04-2\(number) 10:00:00 +0000"/>
                <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>
                \(records)</HealthData>
                """
            try sandbox.run("import", sandbox.write(export, to: "\(number).xml")).expecting(0)
        }
        let archive = try WebArchive(path: sandbox.archive)
        let page = try archive.get("/diff?from=1&to=2").text
        let more = try #require(page.firstMatch(of: #/href="(\/diff\?from=1&amp;to=2&amp;type=[^"]+)">[\d,]+ more</#))
        let one = try archive.get(String(more.output.1).replacing("&amp;", with: "&")).text
        #expect(!one.contains(/>[\d,]+ more</))
    }

    @Test func whatIsExplainedStandsBesideWhatIsNoLongerVisible() throws {
        let archive = try WebArchive("condensed-workouts")
        let pages = ["/timeline", "/show?at=2", "/types", "/type?type=HeartRate"]
        let cell = #/>[0-9,]+, (none|all|[0-9,]+) explained</#
        // The import of the second export has kept the verdict.
        #expect(try archive.get("/diff?from=1&to=2").text.contains(cell))
        for page in pages { #expect(try archive.get(page).text.contains(cell), "\(page)") }
        #expect(try archive.get("/type?type=HeartRate", archive.short()).text.contains(cell))
    }

    @Test func aPageWithoutChangesSaysOfWhat() throws {
        let same = try WebArchive("first-and-unchanged")
        let url = "/diff/records?from=1&to=2"
        #expect(try same.get(url).text.contains("<p>No records differ.</p>"))
        #expect(try same.get(url + "&change=appeared").text.contains("Of what was asked for, no records differ."))
        let other = try WebArchive("condensed-workouts")
        #expect(try other.get(url + "&after=1000000").text.contains("none of them behind number 1,000,000."))
        let groups = "/consolidation/groups?from=1&to=2"
        #expect(try other.get(groups + "&after=1000000").text.contains("No groups are that far down the list."))
        #expect(try same.get(groups).text.contains("No groups were found."))
    }

    @Test func consolidationIsDrawn() throws {
        let archive = try WebArchive("condensed-workouts")
        let page = try archive.get("/consolidation?from=1&to=2").text
        #expect(page.contains("<title>No longer visible, explained and unexplained</title>"))
        #expect(page.contains(/<title>[A-Za-z]+: density and interval length<\/title>/))
        #expect(page.contains(">unexplained</text>") && page.contains(">before</text>"))
        #expect(!(try archive.get("/consolidation?from=1&to=2", archive.short()).text.contains("<svg")))
    }
}
