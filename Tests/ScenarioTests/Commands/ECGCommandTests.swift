internal import Foundation
internal import Testing
internal import TestSupport

/// `ecg` on an export with ECG files.
@Suite(.enabled(if: BuiltProgram.isExpected)) struct ECGCommandTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox("routes-ecg-clinical")
        try Inputs.importScenario("routes-ecg-clinical", into: sandbox)
        return sandbox
    }

    @Test("the list has what the files state, and fits its schema")
    func list() throws {
        let sandbox = try sandbox()
        let found = try sandbox.run("ecg", "--json").expecting(0).objects()
        let schema = try JSONSchema("ecg")
        #expect(!found.isEmpty)
        for one in found {
            #expect(schema.complaints(one).isEmpty, "\(schema.complaints(one))")
            #expect(one["classification"] is String && (one["sampleCount"] as? Int ?? 0) > 0)
        }
        let text = try sandbox.run("ecg").expecting(0).outputText
        #expect(text.contains("No diagnosis and no medical advice"))
    }

    @Test("the trace has every sample at its time; the drawing has the scale of paper")
    func trace() throws {
        let sandbox = try sandbox()
        let one = try #require(try sandbox.run("ecg", "latest", "--json").expecting(0).objects().first)
        let (count, rate) = (one["sampleCount"] as? Int ?? 0, (one["sampleRate"] as? NSNumber)?.doubleValue ?? 0)
        let csv = try sandbox.run("ecg", "latest", "--format", "csv").expecting(0).outputText
        let lines = csv.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        #expect(lines.first == "seconds,microvolts" && lines.count == count + 1)
        let second = lines[2].components(separatedBy: ",").compactMap(Double.init)
        #expect(abs(second[0] - 1 / rate) < 1e-6)

        let file = sandbox.path("ecg.svg")
        try sandbox.run("ecg", "latest", "--format", "svg", "--output", file).expecting(0)
        let svg = try String(contentsOfFile: file, encoding: .utf8)
        // Ten seconds of 25 mm with two margins of 10 mm, in millimetres.
        #expect(svg.contains("width=\"270mm\"") && svg.contains("viewBox=\"0 0 270 "))
        // A pulse of 1 mV is 10 mm high.
        let pulse = try #require(svg.firstMatch(of: /M2 ([\d.]+)H4V([\d.]+)H8/))
        #expect((Double(pulse.1) ?? 0) - (Double(pulse.2) ?? 0) == 10)
        // The sample of the first second is 25 mm behind the first.
        let path = try #require(svg.firstMatch(of: /d="M10 ([^H"]+)"/))
        let places = path.1.components(separatedBy: "L").map { $0.components(separatedBy: " ") }
        #expect(places.count <= count && places.allSatisfy { $0.count <= 2 })
        try sandbox.run("ecg", "latest", "--format", "svg", "--output", file).expecting(73)
        try sandbox.run("ecg", "ffffffff").expecting(64)
        try sandbox.run("ecg", "--format", "svg").expecting(64)
    }
}
