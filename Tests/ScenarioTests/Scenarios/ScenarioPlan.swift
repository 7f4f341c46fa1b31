import Foundation

/// What is done in a scenario: `scenario.json`, or where there is none, an import of each export in the order of names.
struct ScenarioPlan: Decodable, Sendable {
    /// One import, in a command of its own.
    struct Import: Decodable, Sendable {
        /// A file or folder in `exports/`.
        var export: String
        var arguments: [String]?
        /// Expected exit code; 0 where it is absent.
        var exitCode: Int32?
    }

    private(set) var imports: [Import] = []
    /// Commands beside those that every scenario answers, by the name of the file in `expected/`.
    private(set) var questions: [String: [String]] = [:]

    private enum CodingKeys: CodingKey {
        case imports
        case questions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        imports = try container.decodeIfPresent([Import].self, forKey: .imports) ?? []
        questions = try container.decodeIfPresent([String: [String]].self, forKey: .questions) ?? [:]
    }

    /// Reads the plan of a scenario's folder.
    init(folder: URL) {
        if let data = try? Data(contentsOf: folder.appendingPathComponent("scenario.json")) {
            guard let plan = try? JSONDecoder().decode(Self.self, from: data) else { return }
            self = plan
        }
        guard imports.isEmpty else { return }
        let exports = folder.appendingPathComponent("exports").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: exports)) ?? []
        imports = names.sorted().map { Import(export: $0) }
    }
}
