import Foundation
import Testing
import TestSupport

/// Exports of items as no phone should write them: the order of imports does not matter, and what is withdrawn was never
/// there.
@Suite("Odd items", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct OddItemsTests {
    /// A record, or another element, with what is given in place of the usual attributes.
    private static func record(_ changes: [String: String?], _ metadata: [(String, String)] = []) -> String {
        var attributes: [(String, String?)] = [
            ("type", "HKQuantityTypeIdentifierStepCount"), ("sourceName", "Watch"), ("unit", "count"),
            ("creationDate", "2024-01-01 10:06:00 +0100"), ("startDate", "2024-01-01 10:00:00 +0100"),
            ("endDate", "2024-01-01 10:05:00 +0100"), ("value", "5"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            attributes.removeAll { $0.0 == name }
            attributes.append((name, value))
        }
        let text = attributes.compactMap { name, value in value.map { " \(name)=\"\($0)\"" } }.joined()
        let entries = metadata.map { "<MetadataEntry key=\"\($0.0)\" value=\"\($0.1)\"/>" }.joined()
        return "<Record\(text)>\(entries)</Record>"
    }

    private static let values = [
        "5", "5", "5.0", "05", "+5", "5e0", "-0", "0", "NaN", "", "1,5", "-9223372036854775808",
    ]
    private static let sources = ["W&#10;a", "W\ta", "W a", "W\u{e9}", "We\u{301}", "\u{1f600}", "W\u{a0}a"]
    private static let mass: [String: String?] = [
        "type": "HKQuantityTypeIdentifierBodyMass", "unit": "kg", "value": "70.5",
    ]

    private static let odd: [String] =
        values.map { record(["value": $0]) } + sources.map { record(["sourceName": $0]) }
        + [
            record(["startDate": "1969-12-31 23:59:59 +0000", "endDate": "1970-01-01 00:00:00 +0000"]),
            record(["startDate": "0001-01-01 00:00:00 +0000", "endDate": "0001-01-01 00:00:01 +0000"]),
            record(["startDate": "2024-01-01 11:00:00 +0100"]), record(["startDate": "bad"]),
            record(["startDate": "2024-01-01 10:00:00 +0545"]), record(["creationDate": nil]),
            record(["creationDate": "nonsense"]), record(["unit": nil]), record(["unit": "stone?"]),
            record(["odd": "x"]), record(["sourceVersion": "1"]), record(["sourceVersion": "2"]),
            record(["device": "&lt;&lt;HKDevice: 0x1&gt;, name:A&gt;"]),
            record(["device": "&lt;&lt;HKDevice: 0x2&gt;, name:A&gt;"]),
            record(mass, [("a", "1"), ("b", "2")]), record(mass, [("b", "2"), ("a", "1")]),
            record(mass, [("a", "1"), ("a", "2")]),
            record(mass.merging(["unit": "lb", "value": "155.426"]) { $1 }, [("a", "1"), ("b", "2")]),
            record(["value": "7"], [("HKMetadataKeySyncIdentifier", "s"), ("HKMetadataKeySyncVersion", "1")]),
            record(["value": "8"], [("HKMetadataKeySyncIdentifier", "s"), ("HKMetadataKeySyncVersion", "2")]),
            record(["value": "9"], [("HKExternalUUID", "A-B")]), record(["value": "9"], [("HKExternalUUID", "a-b")]),
            "<Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"C\" "
                + "startDate=\"2024-01-01 10:00:00 +0100\" endDate=\"2024-01-01 10:05:00 +0100\">\(record([:]))</Correlation>",
            "<ActivitySummary dateComponents=\"2024-01-01\" activeEnergyBurned=\"100\" activeEnergyBurnedUnit=\"kcal\"/>",
            "<ActivitySummary dateComponents=\"2024-01-01\" activeEnergyBurned=\"101\" activeEnergyBurnedUnit=\"kcal\"/>",
            "<ActivitySummary dateComponents=\"0000-00-00\"/>",
            "<VisionPrescription type=\"HKVisionPrescriptionTypeGlasses\" dateIssued=\"2024-01-01 10:00:00 +0000\"/>",
            "<ClinicalRecord type=\"X\" identifier=\"1\" sourceName=\"S\" resourceFilePath=\"/clinical-records/none.json\"/>",
            "<Unknown a=\"1\"><B/>text</Unknown>",
        ]

    /// What many records have in common says that the exports are of one phone.
    private static let common = (0..<80).map { index in
        let date = "2023-0\(1 + index % 9)-\(10 + index % 18) 10:00:\(10 + index % 50) +0000"
        return record([
            "type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min", "value": "\(50 + index)",
            "startDate": date, "endDate": date, "creationDate": date,
        ])
    }

    /// The exports of a seed: each item not at all, once or twice; one of them may be cut.
    private static func exports(_ seed: UInt64) -> [String] {
        var chance = SeededGenerator(seed: seed)
        return (2...4).map { month in
            let items = (common + odd.flatMap { Array(repeating: $0, count: chance.pick([0, 1, 1, 1, 2], else: 1)) })
                .shuffled(using: &chance)
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <HealthData locale="en_US">
                <ExportDate value="2024-0\(month)-01 12:00:00 +0100"/>
                <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>
                \(items.joined(separator: "\n"))
                </HealthData>

                """
            return chance.chance(25)
                ? String(text.prefix(text.count * Int.random(in: 60..<99, using: &chance) / 100)) : text
        }
    }

    /// An archive with these exports in this order.
    private static func archive(_ exports: [String], _ order: [Int]) throws -> Sandbox {
        let sandbox = try Sandbox("odd")
        for place in order {
            let path = try sandbox.write(exports[place], to: "\(place).xml")
            try sandbox.run("import", path, "--time-zone", "Europe/Paris").expecting(0, 3)
        }
        return sandbox
    }

    /// Records of every observation and changes between them, without ids.
    private static func content(_ sandbox: Sandbox) throws -> [String] {
        let observations = try sandbox.run("timeline", "--json").object()["observations"] as? [[String: Any]] ?? []
        let ids = observations.sorted { "\($0["observedAt"] ?? "")" < "\($1["observedAt"] ?? "")" }.compactMap {
            ($0["id"] as? Int).map(String.init)
        }
        var content = try ids.map {
            try sandbox.run("records", "--at", $0, "--json", "--limit", "1000").expecting(0).outputText
        }
        for (place, from) in ids.enumerated() {
            for to in ids.dropFirst(place + 1) {
                for through in [[], ["--through"]] {
                    let pair = ["diff", from, to, "--json"] + through
                    var summary = try sandbox.run(pair).expecting(0).object()
                    (summary["from"], summary["to"]) = (nil, nil)
                    let data = try JSONSerialization.data(withJSONObject: summary, options: .sortedKeys)
                    content.append(String(decoding: data, as: UTF8.self))
                    content.append(try sandbox.run(pair + ["--records"]).expecting(0).outputText)
                }
            }
        }
        try sandbox.run("check", "--deep").expecting(0)
        return content
    }

    @Test(arguments: [1, 3] as [UInt64])
    func anyOrderAndWithdrawal(seed: UInt64) throws {
        let exports = Self.exports(seed)
        let usual = try Self.archive(exports, [0, 1, 2])
        let expected = try Self.content(usual)
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(try Self.content(Self.archive(exports, order)) == expected, "order \(order)")
        }
        for kind in [["records", "--at", "latest"], ["diff", "--from", "first", "--to", "latest"]] {
            try usual.run(["export"] + kind + ["--output", usual.path(kind[0])]).expecting(0)
            try usual.run("verify-export", usual.path(kind[0])).expecting(0)
        }
        for gone in 0..<3 {
            let sandbox = try Self.archive(exports, [0, 1, 2])
            try sandbox.run(
                "observation", "withdraw", "\(gone + 1)", "--reason", "test", "--confirm", "archive.sqlite"
            ).expecting(0)
            let left = (0..<3).filter { $0 != gone }
            #expect(try Self.content(sandbox) == Self.content(Self.archive(exports, left)), "withdrawn \(gone)")
        }
    }
}
