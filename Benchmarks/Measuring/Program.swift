internal import Foundation

/// The program under measurement, with an environment of its own: no archive and no key of the user is touched.
struct Program {
    let path: String

    /// Runs it and requires exit code 0.
    ///
    /// - Throws: `BenchmarkError` with what the program said.
    func run(_ arguments: [String], archive: String) throws -> ChildProcess {
        try ChildProcess.run(path, arguments + ["--archive", archive]).requireSuccess()
    }

    /// Starts it and has it find no archive: what every command costs before it does anything.
    ///
    /// - Throws: `BenchmarkError` where the answer is another one.
    func start(_ arguments: [String], archive: String) throws -> ChildProcess {
        let child = try ChildProcess.run(path, arguments + ["--archive", archive])
        guard child.status == 66 else { throw BenchmarkError("\(child.command)\nfound an archive") }
        return child
    }

    /// What `--version` says.
    func version() throws -> String {
        let text = String(decoding: try ChildProcess.run(path, ["--version"]).requireSuccess().output(), as: UTF8.self)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// This very program, for floors and inputs.
    ///
    /// - Throws: `BenchmarkError` where the system does not say its path.
    static func own() throws -> String {
        guard let path = Bundle.main.executablePath else { throw BenchmarkError("cannot find this program") }
        return path
    }
}
