internal import Foundation

/// The verification script of `docs`, run by whatever Python is there.
enum PlainPython {
    /// Where python3 is; nil where it is not.
    static let path: String? =
        ["/usr/bin/python3", "/usr/local/bin/python3"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        } ?? (run("/usr/bin/env", ["python3", "--version"])?.status == 0 ? "/usr/bin/env" : nil)

    /// What the script says of a bag.
    static func verify(_ bag: String, _ python: String) throws -> (status: Int32, text: String) {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/verify_export.py")
            .path
        let arguments = python == "/usr/bin/env" ? ["python3", script, bag] : [script, bag]
        return run(python, arguments) ?? (-1, "cannot be started")
    }

    private static func run(_ program: String, _ arguments: [String]) -> (status: Int32, text: String)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
