internal import Basics
internal import Synchronization

/// Who is logged in to this start of the server: browsers that used a login link, and scripts with the token of scripts.
///
/// A cookie goes to every port of its host, so browsers know the server by a host name that nobody can guess: another
/// user's server on 127.0.0.1 is never sent the cookie.
package final class Sessions: Sendable {
    /// `<32 hexadecimal digits>.localhost`, under which browsers are served.
    package let hostName: String
    /// What scripts send with every request.
    package let scriptToken: String
    private let loginToken: Mutex<String>
    private let lastUses = Mutex<[String: ContinuousClock.Instant]>([:])

    /// After how long without a request a session ends.
    private static let longestPause = Duration.seconds(12 * 3600)

    /// - Parameters: new secrets, unless a test needs to know them.
    package init(name: String = Sessions.makeSecret(), scriptToken: String = Sessions.makeSecret()) {
        hostName = name + ".localhost"
        self.scriptToken = scriptToken
        loginToken = Mutex(Self.makeSecret())
    }

    /// What the next login link ends with; used up by the login.
    package var token: String { loginToken.withLock(\.self) }

    /// 128 bits of the system's random generator, as hexadecimal digits.
    package static func makeSecret() -> String {
        Hex.string((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Whether a text is the token of scripts.
    func isScriptToken(_ text: String) -> Bool { Self.isEqual(text, scriptToken) }

    /// Whether a text is the token of the next login, which stays as it is.
    func isLoginToken(_ text: String) -> Bool { Self.isEqual(text, token) }

    /// Uses up the token of a login; false for a text that is not it.
    func useLoginToken(_ text: String) -> Bool {
        loginToken.withLock { token in
            guard Self.isEqual(text, token) else { return false }
            token = Self.makeSecret()
            return true
        }
    }

    /// Compares in a time that does not depend on where the two differ.
    private static func isEqual(_ text: String, _ secret: String) -> Bool {
        let (given, wanted) = (Array(text.utf8), Array(secret.utf8))
        guard given.count == wanted.count else { return false }
        return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Begins a session.
    /// - Returns: its secret name, for a cookie.
    func begin(at now: ContinuousClock.Instant) -> String {
        let id = Self.makeSecret()
        lastUses.withLock { uses in
            uses = uses.filter { now - $0.value < Self.longestPause }
            uses[id] = now
        }
        return id
    }

    /// Whether a session is still open.
    ///
    /// - Parameter isUse: whether this keeps it open.
    func isOpen(_ id: String, at now: ContinuousClock.Instant, isUse: Bool) -> Bool {
        lastUses.withLock { uses in
            guard let last = uses[id], now - last < Self.longestPause else { return false }
            if isUse { uses[id] = now }
            return true
        }
    }

    func end(_ id: String) { lastUses.withLock { $0[id] = nil } }
}
