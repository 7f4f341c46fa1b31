internal import Foundation

/// A folder of its own with an archive, keys and whatever a test puts there; removed with the value.
package final class Sandbox {
    package let folder: String
    /// The archive that every command is given, unless a test moves it.
    package var archive: String
    /// Set in the program's environment beside what every sandbox sets.
    package var environment: [String: String] = [:]
    private let program: String

    /// - Throws: `TestSupport.Failure` where the program has not been built.
    package init(_ label: String = #function) throws {
        program = try BuiltProgram.required()
        let name = label.prefix { $0.isLetter }
        folder = "\(TestFolder.path)/\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder + "/output", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createDirectory(atPath: folder + "/archive", withIntermediateDirectories: true)
        archive = folder + "/archive/archive.sqlite"
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A path in the folder.
    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a file into the folder.
    ///
    /// - Throws: what the file system says.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Writes a file into the folder.
    ///
    /// - Throws: what the file system says.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Runs a command on the archive to its end.
    ///
    /// - Throws: where the program cannot be started.
    @discardableResult
    package func run(_ arguments: String..., terminal: String? = nil) throws -> Answer {
        try start(arguments, terminal: terminal).wait()
    }

    /// Runs a command on the archive to its end.
    ///
    /// - Throws: where the program cannot be started.
    @discardableResult
    package func run(_ arguments: [String]) throws -> Answer { try start(arguments).wait() }

    /// Starts a command on the archive.
    ///
    /// - Throws: where the program cannot be started.
    package func start(_ arguments: [String], terminal: String? = nil) throws -> RunningChild {
        try RunningChild(
            program, arguments, environment: fullEnvironment, folder: folder + "/output", terminal: terminal)
    }

    /// Runs a command on the archive to its end under another program, a tracer for instance.
    ///
    /// - Parameter tool: the other program and its arguments; the command's follow.
    /// - Throws: where it cannot be started.
    package func run(under tool: [String], _ arguments: [String]) throws -> Answer {
        try start(under: tool, arguments).wait()
    }

    /// Starts a command on the archive under another program.
    ///
    /// - Parameter tool: the other program and its arguments; the command's follow.
    /// - Throws: where it cannot be started.
    package func start(under tool: [String], _ arguments: [String]) throws -> RunningChild {
        guard let first = tool.first else { return try start(arguments) }
        let words = tool.dropFirst() + [program] + arguments
        return try RunningChild(first, Array(words), environment: fullEnvironment, folder: folder + "/output")
    }

    /// Nothing of the user's but the path: neither zone nor language nor archive.
    private var fullEnvironment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        var result = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "HOME": folder, "XDG_DATA_HOME": folder + "/data",
            "HEALTHPROBE_ARCHIVE": archive, "LANG": "C.UTF-8", "TERM": "xterm-256color",
        ]
        for name in ["LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] { result[name] = own[name] }
        return result.merging(environment) { $1 }
    }
}
