package import Foundation

/// A child process started through `posix_spawn`, so that signals reach exactly it, with its output in files.
package final class RunningChild {
    package let process: pid_t
    private let command: String
    private let outputPath: String
    private let errorPath: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: all of the child's environment.
    ///   - folder: where its output is kept.
    ///   - terminal: the path of a terminal to take for standard output, in place of a file.
    /// - Throws: `TestSupport.Failure` where it cannot be started.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], folder: String,
        terminal: String? = nil
    ) throws {
        command = (program as NSString).lastPathComponent + " " + arguments.joined(separator: " ")
        let base = "\(folder)/\(UUID().uuidString)"
        (outputPath, errorPath) = (base + ".out", base + ".err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, terminal ?? outputPath, O_RDWR | O_CREAT | O_NOCTTY, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A shell without job control starts what runs in the background with SIGINT ignored.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A thread of the test runner may have signals blocked, and a child inherits that too.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child = pid_t()
        var code = posix_spawn(&child, program, &actions, &attributes, &words, &variables)
        // A child that another test starts at this moment may hold a script open for writing until its exec.
        for _ in 0..<200 where code == ETXTBSY {
            usleep(10_000)
            code = posix_spawn(&child, program, &actions, &attributes, &words, &variables)
        }
        guard code == 0 else {
            throw TestSupport.Failure("cannot start \(program): \(String(cString: strerror(code)))")
        }
        process = child
    }

    /// Sends a signal.
    package func signal(_ number: Int32) { kill(process, number) }

    /// Waits until the child has ended.
    ///
    /// - Throws: what the file system says of its output.
    package func wait() throws -> Answer {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw TestSupport.Failure("cannot wait for \(command)") }
        }
        let signal = status & 0x7F
        defer {
            unlink(outputPath)
            unlink(errorPath)
        }
        return Answer(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: FileManager.default.contents(atPath: outputPath) ?? Data(),
            errors: FileManager.default.contents(atPath: errorPath) ?? Data(), command: command)
    }
}

extension RunningChild {
    /// Runs a program in the tests' own environment to its end.
    ///
    /// - Throws: `TestSupport.Failure` where it cannot be started.
    package static func run(_ program: String, _ arguments: [String]) throws -> Answer {
        let folder = NSTemporaryDirectory()
        return try RunningChild(
            program, arguments, environment: ProcessInfo.processInfo.environment, folder: folder
        ).wait()
    }
}
