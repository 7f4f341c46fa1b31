internal import Foundation
internal import TestSupport

/// The verification script of `docs`, run by whatever Python is there.
enum PlainPython {
    /// Where python3 is; nil where it is not.
    static let path: String? =
        ["/usr/bin/python3", "/usr/local/bin/python3"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        } ?? (run("/usr/bin/env", ["--version"])?.status == 0 ? "/usr/bin/env" : nil)

    /// What the script says of a bag.
    static func verify(_ bag: String) -> (status: Int32, text: String) {
        let script = TestSupport.repository.appendingPathComponent("docs/verify_export.py").path
        return run(path, [script, bag]) ?? (-1, "cannot be started")
    }

    /// The names and bytes of a zip's members.
    static func members(_ zip: String) -> [String: String] {
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            for name in archive.namelist():
                print("\u{1C}" + name + "\u{1D}" + archive.read(name).decode(), end="")
            """
        let pairs = (run(path, ["-c", script, zip])?.text ?? "").split(separator: "\u{1C}").map {
            $0.split(separator: "\u{1D}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    /// What an expression about a zip prints; the zip's path is `sys.argv[1]`.
    static func evaluate(_ expression: String, _ zip: String) -> String {
        let script = "import sys, zipfile; print(\(expression))"
        return run(path, ["-c", script, zip])?.text.trimmingCharacters(in: .newlines) ?? ""
    }

    /// Output and messages together, in this order.
    private static func run(_ program: String?, _ arguments: [String]) -> (status: Int32, text: String)? {
        let name = program == "/usr/bin/env" ? ["python3"] : []
        guard let program, let answer = try? RunningChild.run(program, name + arguments) else { return nil }
        return (answer.status, answer.outputText + answer.errorText)
    }
}
