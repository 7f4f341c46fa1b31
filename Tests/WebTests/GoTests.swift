import Foundation
import Testing
import TestSupport
import Web

/// Where the box in the header leads to.
@Suite("Go to", .enabled(if: BuiltProgram.isExpected))
struct GoTests {
    @Test func aDateInAnyOrderLeadsToItsDay() throws {
        let archive = try WebArchive("condensed-workouts")
        for text in ["2022-10-01", "1.10.2022", "01.10.2022", "1/10/2022"] {
            #expect(try archive.get("/go?q=\(text)")["location"] == "/day?date=2022-10-01", "\(text)")
        }
        // A number beyond twelve can only be a day.
        #expect(try archive.get("/go?q=10/21/2022")["location"] == "/day?date=2022-10-21")
        #expect(try archive.get("/go?q=31.2.2022").status == 200)
    }

    @Test func aKindLeadsToItsPageAndElseToChoices() throws {
        let archive = try WebArchive("condensed-workouts")
        #expect(try archive.get("/go?q=heart%20rate")["location"] == "/type?type=HKQuantityTypeIdentifierHeartRate")
        let choices = PageCheck.links(try archive.get("/go?q=abcd").text)
        for page in ["/workouts?", "/records?", "/history?identity=abcd"] {
            #expect(choices.contains { $0.hasPrefix(page) }, "\(page)")
        }
    }
}
