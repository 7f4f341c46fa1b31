internal import Foundation
internal import TestSupport

/// The verification script of `docs`, run by whatever Python is there.
enum PlainPython {
    /// Where python3 is; nil where it is not.
    static let path: String? =
        ["/usr/bin/python3", "/usr/local/bin/python3"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        } ?? (run("/usr/bin/env", ["python3", "--version"])?.status == 0 ? "/usr/bin/env" : nil)

    /// What the script says of a bag.
    static func verify(_ bag: String, _ python: String) throws -> (status: Int32, text: String) {
        let script = TestSupport.repository.appendingPathComponent("docs/verify_export.py").path
        let arguments = python == "/usr/bin/env" ? ["python3", script, bag] : [script, bag]
        return run(python, arguments) ?? (-1, "cannot be started")
    }

    /// The names and bytes of a zip's members.
    static func members(_ zip: String, _ python: String) -> [String: String] {
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            for name in archive.namelist():
                print("\u{1C}" + name + "\u{1D}" + archive.read(name).decode(), end="")
            """
        let arguments = (python == "/usr/bin/env" ? ["python3"] : []) + ["-c", script, zip]
        let pairs = (run(python, arguments)?.text ?? "").split(separator: "\u{1C}").map {
            $0.split(separator: "\u{1D}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    /// What an expression about a zip prints; the zip's path is `sys.argv[1]`.
    static func evaluate(_ expression: String, _ zip: String, _ python: String) -> String {
        let script = "import sys, zipfile; print(\(expression))"
        let arguments = (python == "/usr/bin/env" ? ["python3"] : []) + ["-c", script, zip]
        return run(python, arguments)?.text.trimmingCharacters(in: .newlines) ?? ""
    }

    /// Output and messages together, in this order.
    private static func run(_ program: String, _ arguments: [String]) -> (status: Int32, text: String)? {
        guard let answer = try? RunningChild.run(program, arguments) else { return nil }
        return (answer.status, answer.outputText + answer.errorText)
    }
}
