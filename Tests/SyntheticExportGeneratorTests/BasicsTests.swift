import Foundation
@testable import SyntheticExportGenerator
import Testing

@Suite struct BasicsTests {
    private func printed(_ body: (OutputBuffer) -> Void) -> String { OutputBuffer.printed(body) }

    @Test func sixDigitsPrintAsCDoes() {
        var random = SeededGenerator(7)
        for round in 0..<20_000 {
            let scale = [1e-7, 1e-4, 1e-2, 1, 1e3, 1e5, 1e6, 1e9][round % 8]
            let value = random.between(-1, 1) * scale
            #expect(printed { $0.sixDigits(value) } == String(format: "%g", value))
        }
        for value in [0, 1, 100, 123456, 1_000_000, 999_999.5, 0.0001, 0.00001, 62, 97.5135] {
            #expect(printed { $0.sixDigits(value) } == String(format: "%g", value))
        }
    }

    @Test func datesPrintInOneOffset() {
        #expect(printed { $0.date(0, offsetSeconds: 0) } == "1970-01-01 00:00:00 +0000")
        #expect(printed { $0.date(-1, offsetSeconds: 20_700) } == "1970-01-01 05:44:59 +0545")
        #expect(printed { $0.date(1_709_208_000, offsetSeconds: -34_200) } == "2024-02-29 02:30:00 -0930")
        #expect(printed { $0.isoDate(1_709_208_000, milliseconds: true) } == "2024-02-29T12:00:00.000Z")
    }

    @Test func homeZoneFollowsTheDaylightSavingRule() throws {
        let zone = try #require(TimeZone(identifier: HomeZone.name))
        for instant in stride(from: 1_400_000_000, to: 1_900_000_000, by: 1_234_567) {
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
            #expect(HomeZone.offsetSeconds(at: instant) == expected)
        }
    }

    @Test func checksumIsTheOneOfZip() {
        var checksum = Checksum()
        checksum.add(Array("12345".utf8))
        checksum.add(Array("6789".utf8))
        #expect(checksum.value == 0xCBF4_3926)
    }

    @Test func identifiersLookLikeUUIDs() {
        for hash in UInt64(0)..<50 {
            #expect(UUID(uuidString: UniqueIdentifier(hash: hash).text) != nil)
        }
    }

    @Test(arguments: [
        "delete=0.25", "delete:HeartRate=0.01", "condense=0.5", "condense-unmarked=1.0", "recondense=1.0",
        "coalesce=0.5", "condense-lagging=0.5", "finish-condensing", "rename:oldWatch", "unit:ActiveEnergyBurned:kJ",
        "unit:BodyMass", "locale:de_DE",
        "offset:+0545", "offset:-0930", "restore", "duplicate=0.01", "revise=3", "rewrite=0.2", "decoy-delete=0.1",
        "decoy-source=0.1", "decoy-total=0.1", "decoy-category=0.1", "sleep-synonym", "device-text",
    ])
    func changesReadAsTheyAreWritten(text: String) throws {
        let change = try Change(parsing: text)
        #expect(change.text == text)
        #expect(try Change(parsing: change.text) == change)
    }

    @Test(arguments: ["", "forget", "rename:nobody", "unit:HeartRate", "unit:BodyMass:stone", "delete=x", "offset:2"])
    func nonsenseIsNoChange(text: String) {
        #expect(throws: Change.SyntaxError.self) { try Change(parsing: text) }
    }
}
