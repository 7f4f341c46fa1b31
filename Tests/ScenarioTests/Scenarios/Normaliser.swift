import Foundation

/// Takes out of an answer what differs from run to run: when it ran, where the files lie, and the program's version.
struct Normaliser {
    /// Folders whose paths are taken off texts.
    let folders: [String]

    private static let passing: Set<String> = [
        "program", "startedAt", "endedAt", "importedAt", "createdAt", "completedAt", "durationSeconds", "archive",
    ]

    /// A JSON value without what passes.
    func normalised(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]:
            object.filter { !Self.passing.contains($0.key) }.mapValues { normalised($0) }
        case let list as [Any]: list.map { normalised($0) }
        case let text as String: folders.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
        default: value
        }
    }
}
