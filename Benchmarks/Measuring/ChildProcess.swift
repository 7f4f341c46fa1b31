internal import Foundation

/// A child process run to its end and measured through `wait4`.
///
/// A child's peak memory begins with its parent's (the kernel notes it at exec): so this process stays small, and
/// everything large happens in children.
struct ChildProcess {
    let measurement: Measurement
    let status: Int32
    let command: String
    /// Files that hold what the child wrote.
    let outputPath: String
    let errorPath: String

    /// Runs a program with arguments; what it writes goes to files in the scratch folder.
    ///
    /// - Throws: `BenchmarkError` where it cannot be started.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        let (output, error) = (base + ".out", base + ".err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, flags, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }

        let clock = ContinuousClock()
        let start = clock.now
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, &words, environ)
        guard code == 0 else { throw BenchmarkError("cannot start \(program): \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw BenchmarkError("cannot wait for \(program)") }
        }
        let wall = start.duration(to: clock.now)
        let measurement = Measurement(
            wallSeconds: Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18,
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakBytes: usage.ru_maxrss * 1024)
        // As a shell says it: the exit code, or 128 and the signal.
        let signal = status & 0x7F
        return ChildProcess(
            measurement: measurement, status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            command: ([program] + arguments).joined(separator: " "), outputPath: output, errorPath: error)
    }

    private static var base: String { "\(NSTemporaryDirectory())healthprobe-benchmark-\(getpid())" }

    /// Removes the files of what children wrote.
    static func removeFiles() {
        for ending in [".out", ".err"] { try? FileManager.default.removeItem(atPath: base + ending) }
    }

    /// What the child wrote to standard output.
    func output() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: outputPath)) }

    /// - Throws: `BenchmarkError` with what the child said, where it did not exit with 0.
    @discardableResult
    func requireSuccess() throws -> ChildProcess {
        guard status == 0 else {
            let said = (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
            throw BenchmarkError("\(command)\nexited with \(status): \(said.suffix(2000))")
        }
        return self
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
