internal import Basics
internal import Foundation
internal import Presentation
internal import Store
internal import Synchronization
internal import Web

/// The announcement of a server, once its port is known.
final class Announced: Sendable {
    private let current = Mutex<Announcement?>(nil)

    func set(_ announcement: Announcement) { current.withLock { $0 = announcement } }

    /// Announces the next login link once the one before is used up.
    func renew() { current.withLock(\.self)?.renew() }
}

/// Where a server is, for people and for scripts: on standard error or output, and in a file that only its owner can read.
struct Announcement: Sendable {
    /// For scripts, which send their token.
    let url: String
    private let port: Int
    private let sessions: Sessions
    private let isReadOnly: Bool
    private let cache: String
    /// Where the file is; nil where the system has no folder for such files.
    private let path: String?
    /// Whether standard error tells the person at the terminal.
    private let isForPeople: Bool

    /// - Parameters:
    ///   - folder: `$XDG_RUNTIME_DIR`.
    ///   - isForPeople: whether standard error tells the person at the terminal.
    init(
        host: String, port: Int, _ sessions: Sessions, isReadOnly: Bool, cache: String, folder: String?,
        isForPeople: Bool
    ) {
        (self.port, self.sessions, self.isReadOnly, self.cache) = (port, sessions, isReadOnly, cache)
        self.isForPeople = isForPeople
        url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        path = folder.flatMap { $0.hasPrefix("/") ? "\($0)/healthprobe/serve-\(port).json" : nil }
    }

    /// Logs a browser in, once.
    var loginURL: String { "\(browserURL)?token=\(sessions.token)" }

    private var browserURL: String { "http://\(sessions.hostName):\(port)/" }

    var line: JSON {
        .line(
            "serve",
            [
                "url": url, "browserURL": browserURL, "loginURL": loginURL, "token": sessions.scriptToken,
                "pid": Int(getpid()), "readOnly": isReadOnly, "cache": cache,
            ])
    }

    /// Writes the file.
    func write() {
        guard let path, Folders.makePrivate((path as NSString).deletingLastPathComponent) else { return }
        // What a server on this port left when it was killed.
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        _ = Array((line.line + "\n").utf8).withByteView { writeAll($0, to: file) }
        close(file)
    }

    /// Tells the next login link once the one before is used up.
    func renew() {
        write()
        guard isForPeople else { return }
        StandardError.write("A browser has logged in. The link for another one: \(loginURL)\n")
    }

    func remove() { if let path { unlink(path) } }
}
