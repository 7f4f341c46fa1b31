internal import Foundation

/// A Swift file without its comments and the contents of its string literals, line by line.
///
/// Simple on purpose: interpolations count as text, and raw strings end at their quote and number signs. That is enough
/// to look for operators and type names in code.
struct SwiftSource {
    /// All Swift files of the tree by their paths.
    static let all: [String] = ["Sources", "Tools", "Tests", "Benchmarks", "Fuzzing"].flatMap {
        Repository.paths(under: $0)
    }

    /// The code of each file of `all`, read once for all tests.
    private static let codeByPath: [String: String] = Dictionary(
        all.map { ($0, code(Repository.text($0))) }, uniquingKeysWith: { first, _ in first })

    let path: String
    let code: String

    init(_ path: String) {
        self.path = path
        code = Self.codeByPath[path] ?? Self.code(Repository.text(path))
    }

    /// The modules that a file imports.
    static func imports(of path: String) -> [String] {
        Repository.text(path).captures(
            of: #"^(?:@\w+ )*(?:(?:public|package|internal|private|fileprivate) )?import (?:\w+ )?(\w+)"#)
    }

    /// The lines in which the pattern matches, as `path:line`. No pattern may match a line's end.
    func places(of pattern: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines]) else {
            return ["\(path): \(pattern) is no regular expression"]
        }
        let lines = expression.matches(in: code, range: NSRange(code.startIndex..., in: code)).compactMap { match in
            Range(match.range, in: code).map { code.utf8[..<$0.lowerBound].count { $0 == 0x0A } + 1 }
        }
        return Set(lines).sorted().map { "\(path):\($0)" }
    }

    private static let lineEnd: UInt8 = 0x0A
    private static let quote = UInt8(ascii: "\"")

    static func code(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        var at = 0
        func starts(_ mark: StaticString) -> Bool {
            guard at + mark.utf8CodeUnitCount <= bytes.count else { return false }
            for offset in 0..<mark.utf8CodeUnitCount where bytes[at + offset] != mark.utf8Start[offset] { return false }
            return true
        }
        /// Passes over bytes until `end`; line ends stay.
        func skip(until end: StaticString, escapes: Bool) {
            while at < bytes.count, !starts(end) {
                if bytes[at] == lineEnd { out.append(lineEnd) }
                at += escapes && bytes[at] == UInt8(ascii: "\\") ? 2 : 1
            }
            at = min(at + end.utf8CodeUnitCount, bytes.count)
        }
        while at < bytes.count {
            let byte = bytes[at]
            if byte != UInt8(ascii: "/") && byte != UInt8(ascii: "#") && byte != quote {
                out.append(byte)
                at += 1
            } else if starts("//") {
                while at < bytes.count, bytes[at] != lineEnd { at += 1 }
            } else if starts("/*") {
                at += 2
                skip(until: "*/", escapes: false)
            } else if starts("#\"\"\"") {
                at += 4
                skip(until: "\"\"\"#", escapes: false)
            } else if starts("#\"") {
                at += 2
                skip(until: "\"#", escapes: false)
            } else if starts("\"\"\"") {
                at += 3
                skip(until: "\"\"\"", escapes: true)
                out += [quote, quote]
            } else if byte == quote {
                at += 1
                skip(until: "\"", escapes: true)
                out += [quote, quote]
            } else {
                out.append(byte)
                at += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
