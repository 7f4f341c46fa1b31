package import Foundation

/// A terminal that nobody sits at: what a program prints when it believes that somebody does.
package final class PseudoTerminal {
    /// The path that a child opens as its standard output.
    package let path: String
    private let leader: Int32
    /// Held open so that reading ends only once everything was read.
    private let follower: Int32
    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// - Throws: `TestSupport.Failure` where the system gives none.
    package init() throws {
        // What posix_openpt, unlockpt and ptsname do; the C library shows those only to programs that ask for them.
        leader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (CInt, CInt) = (0, 0)
        guard leader >= 0, ioctl(leader, Self.setLock, &lock) == 0, ioctl(leader, Self.getNumber, &number) == 0 else {
            throw TestSupport.Failure("no terminal")
        }
        path = "/dev/pts/\(number)"
        follower = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        close(leader)
        close(follower)
    }

    /// What was printed until the child ended.
    ///
    /// - Throws: what waiting for the child says.
    package func read(until child: RunningChild) throws -> (printed: Data, answer: Answer) {
        let reader = Reader(leader)
        reader.start()
        let answer = try child.wait()
        return (reader.stop(), answer)
    }

    /// Reads on a thread of its own, since a terminal holds only a few kilobytes.
    private final class Reader: @unchecked Sendable {
        // Shared with the thread: the descriptor is only read, all else is behind the lock.
        private let descriptor: Int32
        private let lock = NSLock()
        private var data = Data()
        private var isStopping = false
        private let finished = DispatchSemaphore(value: 0)

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        func start() { Thread.detachNewThread { self.readAll() } }

        func stop() -> Data {
            lock.withLock { isStopping = true }
            finished.wait()
            return lock.withLock { data }
        }

        private func readAll() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while true {
                let wasStopping = lock.withLock { isStopping }
                if poll(&events, 1, 50) > 0, events.revents & Int16(POLLIN) != 0 {
                    let count = Foundation.read(descriptor, &buffer, buffer.count)
                    if count > 0 {
                        lock.withLock { data.append(contentsOf: buffer.prefix(count)) }
                        continue
                    }
                }
                if wasStopping { break }
            }
            finished.signal()
        }
    }
}
