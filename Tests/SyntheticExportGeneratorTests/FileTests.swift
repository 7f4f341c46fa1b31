import Foundation
@testable import SyntheticExportGenerator
import Testing

@Suite struct FileTests {
    @Test(arguments: ExportForm.allCases)
    func theSameSeedGivesTheSameBytes(form: ExportForm) throws {
        let scenario = try GeneratedScenario.scenario(
            seed: 11, days: 180, records: 1500, later: [["condense", "rename:phone", "restore"]])
        let first = try GeneratedScenario(scenario, form: form)
        let second = try GeneratedScenario(scenario, form: form)
        let names = try FileManager.default.subpathsOfDirectory(atPath: first.folder).sorted()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: second.folder).sorted() == names)
        for name in names where (try? first.bytes(name)) != nil {
            #expect(try first.bytes(name) == second.bytes(name), "\(name)")
        }
    }

    @Test(arguments: [UInt64(1), 2], [500, 4000])
    func theSizeIsAboutRight(seed: UInt64, records: Int) throws {
        let scenario = try GeneratedScenario.scenario(seed: seed, days: 100, records: records, later: [])
        let generated = try GeneratedScenario(scenario)
        let count = generated.summaries[0].records
        #expect(count > records * 3 / 4 && count < records * 4 / 3)
    }

    @Test(arguments: ExportVersion.allCases)
    func everyVersionHasItsDefinition(version: ExportVersion) {
        let text = DocumentType.text(version)
        #expect(text.hasPrefix("<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(version.number) -->\n"))
        #expect(text.hasSuffix("]>\n"))
        #expect(text.contains("<!ELEMENT VisionPrescription") == (version.number >= 12))
        #expect(text.contains("<!ELEMENT FileReference") == (version.number >= 11))
        let isBalanced = text.count { $0 == "<" } == text.count { $0 == ">" }
        #expect(isBalanced)
        #expect(text.contains("brand            CDATA #IMPLIED\n>") == (version.number >= 13))
    }

    @Test func sideFilesAreWhereTheXMLSaysTheyAre() throws {
        let scenario = try GeneratedScenario.scenario(seed: 4, days: 150, records: 3000, later: [])
        let generated = try GeneratedScenario(scenario, form: .folder)
        let root = "dump-1/apple_health_export"
        var found = 0
        for line in try generated.lines(root + "/export.xml") {
            for attribute in [" path=\"", " resourceFilePath=\""] {
                guard let range = line.firstRange(of: attribute) else { continue }
                let path = line[range.upperBound...].prefix { $0 != "\"" }
                #expect(FileManager.default.fileExists(atPath: "\(generated.folder)/\(root)\(path)"), "\(path)")
                found += 1
            }
        }
        #expect(found > 2)
    }

    @Test(arguments: Malformation.allCases)
    func damageIsWhereTheSummarySaysItIs(kind: Malformation) throws {
        let plan = DumpPlan(days: 6, malformations: [kind])
        let form: ExportForm = kind.rawValue.hasPrefix("zip") ? .zip : .xml
        let generated = try GeneratedScenario(Scenario(seed: 5, density: 0.02, dumps: [plan]), form: form)
        let summary = generated.summaries[0]
        #expect(summary.isTruncated == (kind == .truncated))
        guard form == .xml else { return }
        let damage = try #require(summary.malformations[kind.rawValue])
        let line = try generated.lines(summary.file)[try #require(damage.firstLine) - 1]
        switch kind {
        case .truncated: #expect(line.hasSuffix("sourceName=\"Rob"))
        case .malformedDTD: #expect(line.hasPrefix("<!DOCTYPE"))
        case .noDTD: #expect(line.hasPrefix("<HealthData"))
        default: #expect(damage.stored + damage.quarantined > 0)
        }
    }
}
