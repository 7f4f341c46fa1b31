/// A Swift file without its comments and the contents of its string literals, line by line.
///
/// Simple on purpose: interpolations count as text, and raw strings end at their quote and number signs. That is enough
/// to look for operators and type names in code.
struct SwiftSource {
    let path: String
    let lines: [String]

    init(_ path: String) {
        self.path = path
        lines = Self.code(Repository.text(path)).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// The modules that a file imports.
    static func imports(of path: String) -> [String] {
        Repository.text(path).captures(
            of: #"^(?:@\w+ )*(?:(?:public|package|internal|private|fileprivate) )?import (?:\w+ )?(\w+)"#)
    }

    /// Places where the code matches, as `path:line`.
    func places(of pattern: String) -> [String] {
        lines.enumerated().filter { !$0.element.captures(of: pattern).isEmpty }.map { "\(path):\($0.offset + 1)" }
    }

    static func code(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        var at = 0
        func starts(_ mark: String) -> Bool { bytes[at...].starts(with: Array(mark.utf8)) }
        /// Passes over bytes until `end`; line ends stay.
        func skip(until end: String, escapes: Bool) {
            while at < bytes.count, !starts(end) {
                if bytes[at] == 0x0A { out.append(0x0A) }
                at += escapes && bytes[at] == 0x5C ? 2 : 1
            }
            at = min(at + end.utf8.count, bytes.count)
        }
        while at < bytes.count {
            if starts("//") {
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
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
                out += Array("\"\"".utf8)
            } else if bytes[at] == 0x22 {
                at += 1
                skip(until: "\"", escapes: true)
                out += Array("\"\"".utf8)
            } else {
                out.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
