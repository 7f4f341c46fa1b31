internal import Basics
internal import Foundation
internal import Presentation
internal import Store
internal import Synchronization
internal import Web

/// This program once more, for a job of a page. Its standard input is a pipe that this process holds: when it ends, the
/// child does, too.
final class ChildProcess: ChildProgram {
    /// Guarded by Foundation; set up before it is shared.
    private let process: Process
    private let archive: String
    private let input = Pipe()
    private let output = Pipe()
    private let messages = Pipe()
    private let isEnded = Mutex(false)

    private static let piece = 1 << 16

    /// What a child needs of the environment.
    private static let passedOn = [
        "HOME", "PATH", "TMPDIR", "TZ", "LANG", "LC_ALL", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
        "XDG_RUNTIME_DIR", "HEALTHPROBE_CACHE",
    ]

    /// Starts it.
    ///
    /// - Parameter archive: the path of the archive that the command is about.
    /// - Throws: what the system says.
    init(_ arguments: [String], archive: String) throws {
        let environment = ProcessInfo.processInfo.environment
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
        process.arguments = arguments
        process.environment = environment.filter { Self.passedOn.contains($0.key) }
            .merging([ProgressReporter.parentVariable: "1"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        (self.process, self.archive) = (process, archive)
    }

    func readOutput() -> [UInt8] { read(output) }

    func readMessages() -> [UInt8] { read(messages) }

    private func read(_ pipe: Pipe) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Self.piece)
        let count = Basics.read(pipe.fileHandleForReading.fileDescriptor, into: buffer, upTo: Self.piece)
        return count > 0 ? Array(buffer.view) : []
    }

    func end() {
        // Two who end it at once would close its input twice, the second time perhaps a file that got its number.
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        guard isFirst else { return }
        // It then ends itself in order (`Parent`); a signal beside that would be a second one, which ends it at once.
        try? input.fileHandleForWriting.close()
    }

    func wait() -> Int32 {
        process.waitUntilExit()
        // One that a signal ended has left the folder of its temporary files.
        TemporaryFolder.removeFolders(ofArchive: archive)
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}

/// Ends this process when the one that started it is gone.
enum Parent {
    /// Watches standard input where a server started this process.
    static func watch() {
        guard ProcessInfo.processInfo.environment[ProgressReporter.parentVariable] != nil else { return }
        // The threads of a server are kept from signals, and what they start inherits that.
        for number in [SIGINT, SIGTERM, SIGHUP] { unblock(number) }
        Thread.detachNewThread {
            let buffer = ByteBuffer(capacity: 16)
            while Basics.read(STDIN_FILENO, into: buffer, upTo: 16) > 0 { buffer.removeAll() }
            kill(getpid(), SIGTERM)
            usleep(patience)
            _exit(130)
        }
    }

    /// How long a command may take to end in order, in microseconds.
    private static let patience: UInt32 = 1_500_000
}
