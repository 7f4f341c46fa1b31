import Foundation
import SyntheticExportGenerator
import TestSupport

/// Small exports for tests of commands: hand-written texts and generated files.
enum Inputs {
    /// An export by its date and its elements.
    static func export(_ date: String, _ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        ]>
        <HealthData locale="en_US">
         <ExportDate value="\(date)"/>
        \(body)
        </HealthData>

        """
    }

    /// A heart rate of a day in April 2024.
    static func heartRate(_ value: Int, day: Int = 20, source: String = "Watch", inner: String = "") -> String {
        let date = "2024-04-\(day) 08:00:\(value % 60 < 10 ? "0" : "")\(value % 60) +0200"
        return """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="\(source)" unit="count/min" \
            creationDate="\(date)" startDate="\(date)" endDate="\(date)" value="\(value)">\(inner)</Record>

            """
    }

    /// So many different heart rates.
    static func heartRates(_ values: Range<Int>, day: Int = 20) -> String {
        values.map { heartRate($0, day: day) }.joined()
    }

    /// A step count.
    static func steps(_ value: Int, at start: String, until end: String, source: String = "Watch") -> String {
        record("HKQuantityTypeIdentifierStepCount", "count", "\(value)", start, end, source)
    }

    /// A record of any quantity.
    static func record(
        _ type: String, _ unit: String, _ value: String, _ start: String, _ end: String, _ source: String = "Watch"
    ) -> String {
        """
         <Record type="\(type)" sourceName="\(source)" unit="\(unit)" creationDate="\(end)" startDate="\(start)" \
        endDate="\(end)" value="\(value)"/>

        """
    }

    /// An archive of two exports, a day apart, with the heart rates that each of them shows.
    static func imported(
        _ first: Range<Int> = 60..<90, _ second: Range<Int> = 65..<95, _ options: String...
    ) throws -> Sandbox {
        let sandbox = try Sandbox()
        for (name, values, date) in [("a.xml", first, "2024-05-01"), ("b.xml", second, "2024-05-02")] {
            let text = export("\(date) 10:00:00 +0200", heartRates(values))
            try sandbox.run(["import", try sandbox.write(text, to: name)] + options).expecting(0)
        }
        return sandbox
    }

    /// Imports the exports of a folder of `SyntheticExports` in the order of their names.
    static func importScenario(_ name: String, into sandbox: Sandbox) throws {
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/\(name)/exports").path
        let names = try FileManager.default.contentsOfDirectory(atPath: exports).sorted()
        // A scenario may keep an athlete's settings beside its exports.
        for name in names where !name.hasSuffix(".json") {
            try sandbox.run("import", "\(exports)/\(name)").expecting(0, 3)
        }
    }

    /// Generates successive exports `dump-1.xml`, … of one phone into a folder: new days, and before each later one the same
    /// changes, without a choice deletions and a renamed watch.
    static func generate(
        records: Int, dumps: Int = 2, changes: [Change] = [.delete(type: nil, share: 0.02), .rename(.oldWatch)],
        form: ExportForm = .xml, into folder: String
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let days = 20
        let density = Scenario.density(records: records, days: days, seed: 7)
        let later = DumpPlan(days: 1, changes: changes)
        let plans = [DumpPlan(days: days)] + (1..<dumps).map { _ in later }
        let scenario = Scenario(seed: 7, density: density, dumps: plans)
        try SyntheticExportGenerator(scenario: scenario, form: form, truthDetail: .counts).writeAll(to: folder)
    }
}
