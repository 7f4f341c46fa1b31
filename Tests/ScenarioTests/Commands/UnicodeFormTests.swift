import Foundation
import Testing
import TestSupport

/// Names that differ only in their Unicode normalisation are different names, in every count.
@Suite("Unicode forms of names", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct UnicodeFormTests {
    private static let names = ["Zo\u{EB}", "Zoe\u{308}"]

    private func export(_ sandbox: Sandbox) throws -> String {
        var body = " <Me Caf\u{E9}=\"1\" Cafe\u{301}=\"2\"/>\n"
        for (index, name) in Self.names.enumerated() {
            for second in 0...(index + 1) {
                let date = "2024-04-20 0\(8 + index):00:0\(second) +0200"
                body += Inputs.record("HKQuantityTypeIdentifierStepCount", "count", "1", date, date, name)
                body += Inputs.record("HKQuantityTypeIdentifier\(name)", "count", "1", date, date)
                body += Inputs.record("HKQuantityTypeIdentifierA", "count", "1", date, date)
                    .replacingOccurrences(of: "value=", with: "x\(name)=\"1\" value=")
                body += " <\(name) a=\"\(second)\"/>\n"
                body += Inputs.record("HKQuantityTypeIdentifierQ\(name)", "count", "1", "never", date)
            }
        }
        return try sandbox.write(Inputs.export("2024-05-01 10:00:00 +0200", body), to: "export.xml")
    }

    /// The counts of a list of objects, by the bytes of a name.
    private func counts(_ list: Any?, _ name: String, _ count: String) -> [[UInt8]: Int] {
        let rows = list as? [[String: Any]] ?? []
        return rows.reduce(into: [:]) {
            $0[Array((($1[name] as? String) ?? "-").utf8), default: 0] += $1[count] as? Int ?? 0
        }
    }

    @Test func theyStayApart() throws {
        let sandbox = try Sandbox()
        let path = try export(sandbox)
        let answers = try [["inspect", path], ["import", path], ["show"]].map {
            try sandbox.run($0 + ["--json"]).expecting(0).object()
        }
        for answer in answers {
            let types = counts(answer["types"], "type", "read")
            let unknown = counts(answer["unknown"], "name", "count")
            for (index, name) in Self.names.enumerated() {
                let expected = index + 2
                #expect(types[Array("HKQuantityTypeIdentifier\(name)".utf8)] == expected)
                #expect(types[Array("Element/\(name)".utf8)] == expected)
                #expect(types[Array("HKQuantityTypeIdentifierQ\(name)".utf8)] == 0)
                #expect(unknown[Array(name.utf8)] == expected)
                #expect(unknown[Array("Record@x\(name)".utf8)] == expected)
            }
            #expect(types[Array("Caf\u{E9}".utf8)] == 1 && types[Array("Cafe\u{301}".utf8)] == 1)
        }
        let buckets = counts(
            try sandbox.run("aggregates", "--json").expecting(0).object()["rows"], "sourceName", "count")
        #expect(Self.names.map { buckets[Array($0.utf8)] } == [2, 3])
        let left = try sandbox.run("import", path, "--type", "StepCount", "--chain", "other", "--json").expecting(0)
            .object()
        let types = counts(left["types"], "type", "read")
        #expect(Self.names.allSatisfy { types[Array("HKQuantityTypeIdentifier\($0)".utf8)] == 0 })
        try sandbox.run("check", "--deep").expecting(0)
    }
}
