import Foundation
import Testing
import TestSupport

/// A folder of `SyntheticExports`: successive exports, what to ask afterwards, and what is expected.
struct ScenarioCase: Sendable, CustomTestStringConvertible {
    let name: String
    let plan: ScenarioPlan

    var testDescription: String { name }
    var folder: URL { Self.root.appendingPathComponent(name) }
    var expectedFolder: URL { folder.appendingPathComponent("expected") }

    /// The path of one of its exports.
    func export(_ name: String) -> String { folder.appendingPathComponent("exports/\(name)").path }

    static let root = TestSupport.repository.appendingPathComponent("SyntheticExports")

    /// All scenarios, by name; one whose plan cannot be read has no imports, which its test reports.
    static let all: [ScenarioCase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { name in
            ScenarioCase(name: name, plan: ScenarioPlan(folder: root.appendingPathComponent(name)))
        }
    }()
}
