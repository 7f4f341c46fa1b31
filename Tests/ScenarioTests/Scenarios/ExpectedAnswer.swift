import Foundation

/// An expected answer in a file of its own, compared structurally.
struct ExpectedAnswer {
    let file: URL

    /// Where the answer differs from the file, or nil.
    func difference(from answer: Any) throws -> String? {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            return "there is no \(file.lastPathComponent); record it with HEALTHPROBE_RECORD=1"
        }
        let expected = try JSONSerialization.jsonObject(with: data)
        // Through text, so that both sides have been read from JSON.
        let actual = try JSONSerialization.jsonObject(with: Self.text(answer))
        return Self.difference(expected, actual, at: file.lastPathComponent)
    }

    /// Writes the answer as what is expected from now on.
    func record(_ answer: Any) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try (Self.text(answer) + Data([0x0A])).write(to: file)
    }

    private static func text(_ value: Any) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func difference(_ expected: Any?, _ actual: Any?, at path: String) -> String? {
        switch (expected, actual) {
        case (let first as [String: Any], let second as [String: Any]):
            for key in Set(first.keys).union(second.keys).sorted() {
                if let found = difference(first[key], second[key], at: "\(path).\(key)") { return found }
            }
            return nil
        case (let first as [Any], let second as [Any]):
            for index in 0..<max(first.count, second.count) {
                let pair = (index < first.count ? first[index] : nil, index < second.count ? second[index] : nil)
                if let found = difference(pair.0, pair.1, at: "\(path)[\(index)]") { return found }
            }
            return nil
        case (let first as NSObject, let second as NSObject) where first == second: return nil
        case (nil, nil): return nil
        default: return "\(path): expected \(shown(expected)), got \(shown(actual))"
        }
    }

    private static func shown(_ value: Any?) -> String { value.map { String("\($0)".prefix(300)) } ?? "nothing" }
}
