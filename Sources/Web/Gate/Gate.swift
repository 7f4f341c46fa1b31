/// What every request passes before anything is looked up: whether it was meant for this server, whether another site made
/// it, whether a person of this computer is logged in.
///
/// The order is part of the defence (docs/threat-model.md): a request that fails one check learns nothing of the later ones.
package struct Gate: Sendable {
    /// A request that the gate answers itself, or one for the site.
    package enum Passage: Sendable {
        case answered(Answer)
        case admitted(Request)
    }

    /// The values of `Host` under which scripts ask: the addresses of this computer.
    private let addresses: Set<String>
    /// The values of `Host` under which browsers ask. Cookies are accepted under these alone.
    private let names: Set<String>
    /// The place of the site for browsers, without a path.
    private let origin: String
    private let cookieName: String
    private let sessions: Sessions
    /// Called where the login link was used.
    private let onLogin: @Sendable () -> Void

    private static let wrongToken = "This link was used already, or is of an earlier start of the server."

    /// The longest target of a request, the longest header and the longest form, in bytes.
    package static let longestTarget = 8 << 10
    private static let longestHeader = 8 << 10
    package static let longestForm = 64 << 10

    /// - Parameter address: on which the server listens.
    package init(
        address: String, port: Int, sessions: Sessions, onLogin: @escaping @Sendable () -> Void = {}
    ) {
        // Browsers leave out the port of the scheme.
        func hosts(_ names: [String]) -> Set<String> { Set(names.map { "\($0):\(port)" } + (port == 80 ? names : [])) }
        addresses = hosts(["127.0.0.1", "localhost", "[::1]", address.contains(":") ? "[\(address)]" : address])
        names = hosts([sessions.hostName])
        origin = "http://\(sessions.hostName):\(port)"
        cookieName = "healthprobe-\(port)"
        self.sessions = sessions
        self.onLogin = onLogin
    }

    /// Checks what can be checked before the body is read.
    ///
    /// - Throws: `WebError`.
    package func check(_ head: RequestHead) throws {
        let hosts = head.values("host")
        guard let host = hosts.first else { throw WebError(.usage, "The request names no host.") }
        guard hosts.count == 1, addresses.contains(host) || names.contains(host) else { throw WebError(.wrongHost) }
        guard let method = Request.Method(rawValue: head.method) else { throw WebError(.methodNotAllowed) }
        guard head.target.utf8.count <= Self.longestTarget else { throw WebError(.addressTooLong) }
        guard head.headers.allSatisfy({ $0.name.utf8.count + $0.value.utf8.count <= Self.longestHeader }) else {
            throw WebError(.headersTooLarge)
        }
        guard method == .post ? isOwnForm(head, host) : isOwnOrNavigation(head) else { throw WebError(.forbidden) }
        guard method == .post else { return }
        let form = "application/x-www-form-urlencoded"
        try Self.check(head, type: head.isUpload ? "application/octet-stream" : form)
        let lengths = head.isUpload ? [] : head.values("content-length")
        guard lengths.allSatisfy({ Int($0).map { $0 <= Self.longestForm } ?? false }) else { throw WebError(.tooLarge) }
    }

    /// Whether a page of this server, or a script with the token, posts.
    private func isOwnForm(_ head: RequestHead, _ host: String) -> Bool {
        let sites = head.values("sec-fetch-site")
        if !sites.isEmpty { return sites == ["same-origin"] || sites == ["none"] }
        let origins = head.values("origin")
        if !origins.isEmpty { return origins == ["http://\(host)"] }
        return head.bearer != nil && head.values("cookie").isEmpty
    }

    /// Whether the answer is not for a page of another site: such pages may lead here, but not load anything from here.
    private func isOwnOrNavigation(_ head: RequestHead) -> Bool {
        let sites = head.values("sec-fetch-site")
        return sites.isEmpty || sites == ["same-origin"] || sites == ["none"]
            || head.values("sec-fetch-mode") == ["navigate"] && head.values("sec-fetch-dest") == ["document"]
    }

    private static func check(_ head: RequestHead, type wanted: String) throws {
        let type = head.values("content-type").first ?? ""
        let name = type.prefix { $0 != ";" }.lowercased()
        guard name.split(separator: " ") == [wanted[...]] else { throw WebError(.wrongMediaType) }
    }

    /// Lets a checked request through to the site, or answers it where it is about logging in.
    ///
    /// - Throws: `WebError`: `loginNeeded` for everything else without a login, whether the site has it or not.
    package func admit(_ head: RequestHead, _ body: [UInt8], at now: ContinuousClock.Instant) throws -> Passage {
        if let file = StaticFile.all.first(where: { $0.path == head.path }) {
            let request = try head.request(body)
            // A page is not to wait for its looks until a thread of the archive is free; and a refusal from there would
            // tell who is not logged in whether the archive is sound.
            guard request.method != .post else { throw WebError(.methodNotAllowed) }
            guard request.given.isEmpty else { throw WebError(.usage) }
            return .answered(file.answer)
        }
        let isNamed = head.values("host").first.map(names.contains) ?? false
        let session = isNamed ? head.cookie(cookieName) : nil
        // A page that is open asks by itself, whether anybody looks at it or not.
        let isUse = head.path != StatePage.path
        let isLoggedIn =
            session.map { sessions.isOpen($0, at: now, isUse: isUse) } ?? false
            || head.bearer.map(sessions.isScriptToken) ?? false
        if let request = try? head.request(body) {
            switch (request.method, request.path) {
            case (.get, "/") where request.given.map(\.name) == ["token"]:
                return .answered(try begin(request.given[0].value, isNamed, at: now))
            case (_, "/login"):
                guard request.given.isEmpty else { throw WebError(.usage) }
                guard request.method == .post else { return .answered(LoginPage.answer(200)) }
                guard request.form.map(\.name) == ["token"] else { throw WebError(.usage) }
                return .answered(try begin(request.form[0].value, isNamed, at: now))
            case (.post, "/logout") where isLoggedIn:
                guard request.given.isEmpty, request.form.isEmpty else { throw WebError(.usage) }
                if let session { sessions.end(session) }
                return .answered(
                    Answer(303, [("location", "/login"), ("set-cookie", "\(cookieName)=; Max-Age=0; Path=/")]))
            default: break
            }
        }
        guard isLoggedIn else { throw WebError(.loginNeeded) }
        return .admitted(try head.request(body))
    }

    /// Logs in who knows the token. The page leads on by itself: in a chain of redirections that another place began,
    /// browsers would hold the new cookie back.
    ///
    /// Under an address it leads to the name, which only who knows the token learns.
    private func begin(_ token: String, _ isNamed: Bool, at now: ContinuousClock.Instant) throws -> Answer {
        guard isNamed else {
            guard sessions.isLoginToken(token) else { throw WebError(.loginNeeded, Self.wrongToken) }
            let place = "\(origin)/?token=\(token)"
            var answer = LoginPage.leading(to: place)
            answer.headers.append(("refresh", "0; url=\(place)"))
            return answer
        }
        guard sessions.useLoginToken(token) else { throw WebError(.loginNeeded, Self.wrongToken) }
        onLogin()
        let cookie = "\(cookieName)=\(sessions.begin(at: now)); HttpOnly; SameSite=Strict; Path=/"
        var answer = LoginPage.landing
        answer.headers += [("set-cookie", cookie), ("refresh", "0; url=/")]
        return answer
    }

    /// The answer to a request that was refused, with the headers of every answer.
    package func answer(_ error: WebError, to head: RequestHead, _ site: Site) -> Answer {
        // Who asks under another name sees no page of this site, not even one that says no.
        if error.reason == .wrongHost || head.values("host").isEmpty { return .plain(error) }
        let method = Request.Method(rawValue: head.method) ?? .get
        let request = Request(method, head.path, accept: head.values("accept").first)
        let answer = site.answer(error, to: request)
        guard error.reason == .loginNeeded, answer.isPage else { return answer }
        return LoginPage.answer(401, note: error.message == Self.wrongToken ? error.message : nil)
    }
}
