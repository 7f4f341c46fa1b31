internal import Synchronization
internal import TextFormats

/// Who is logged in: the token of this start of the server, and the sessions of browsers that showed it.
package final class Sessions: Sendable {
    /// What begins a session, and what scripts send with every request.
    package let token: String
    private let lastUses = Mutex<[String: ContinuousClock.Instant]>([:])

    /// After how long without a request a session ends.
    private static let longestPause = Duration.seconds(12 * 3600)

    /// - Parameter token: a new secret, unless a test needs to know it.
    package init(token: String = Sessions.makeSecret()) { self.token = token }

    /// 128 bits of the system's random generator, as hexadecimal digits.
    package static func makeSecret() -> String {
        Hex.string((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Compares a text with the token in a time that does not depend on where they differ.
    func isToken(_ text: String) -> Bool {
        let given = Array(text.utf8)
        let wanted = Array(token.utf8)
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
