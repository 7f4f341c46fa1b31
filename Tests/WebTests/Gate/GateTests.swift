import Testing
import Web

/// What passes the gate, and what does not: the table of hostile requests, without a socket.
@Suite struct GateTests {
    static let token = "0123456789abcdef0123456789abcdef"
    static let now = ContinuousClock.now

    static let name = "fedcba9876543210fedcba9876543210.localhost:8471"

    let sessions = Sessions(name: "fedcba9876543210fedcba9876543210", scriptToken: token)
    var gate: Gate { Gate(address: "127.0.0.1", port: 8471, sessions: sessions) }

    /// A request as a browser sends it, with changes.
    static func head(
        _ method: String = "GET", _ target: String = "/timeline", host: [String] = ["127.0.0.1:8471"],
        _ headers: [(String, String)] = []
    ) -> RequestHead {
        RequestHead(method, target, host.map { ("host", $0) } + headers)
    }

    /// A request and what the gate says to it before it reads the body; nil where it reads on.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var head: RequestHead
        var refusal: WebError.Reason?

        init(_ name: String, _ refusal: WebError.Reason?, _ head: RequestHead) {
            (self.name, self.refusal, self.head) = (name, refusal, head)
        }

        var testDescription: String { name }
    }

    static let form = ("content-type", "application/x-www-form-urlencoded")
    static let own = ("sec-fetch-site", "same-origin")
    static let bearer = ("authorization", "Bearer \(token)")

    static let hosts: [Case] = [
        .init("our address", nil, head()),
        .init("our name", nil, head(host: ["localhost:8471"])),
        .init("the name of browsers", nil, head(host: [name])),
        .init("the name of browsers at another port", .wrongHost, head(host: [name.dropLast(4) + "3000"])),
        .init("our address in version 6", nil, head(host: ["[::1]:8471"])),
        .init("no host", .usage, head(host: [])),
        .init("two hosts", .wrongHost, head(host: ["127.0.0.1:8471", "127.0.0.1:8471"])),
        .init("a name that begins like ours", .wrongHost, head(host: ["localhost.evil.com:8471"])),
        .init("a name that leads here", .wrongHost, head(host: ["127.0.0.1.nip.io:8471"])),
        .init("a name that ends like ours", .wrongHost, head(host: ["evil-localhost:8471"])),
        .init("another port", .wrongHost, head(host: ["127.0.0.1:80"])),
        .init("no port", .wrongHost, head(host: ["127.0.0.1"])),
        .init("an empty host", .wrongHost, head(host: [""])),
        .init("a user before the host", .wrongHost, head(host: ["me@127.0.0.1:8471"])),
        .init("all addresses", .wrongHost, head(host: ["0.0.0.0:8471"])),
        .init("a dot behind the name", .wrongHost, head(host: ["localhost.:8471"])),
    ]

    static let methods: [Case] = ["OPTIONS", "PUT", "DELETE", "TRACE", "PATCH", "CONNECT", "get"].map {
        .init($0, .methodNotAllowed, head($0))
    }

    static let origins: [Case] = [
        .init("our own form", nil, head("POST", "/logout", [form, own])),
        .init("typed by a person", nil, head("POST", "/login", [form, ("sec-fetch-site", "none")])),
        .init("a form of another port", .forbidden, head("POST", "/login", [form, ("sec-fetch-site", "same-site")])),
        .init("a form of another site", .forbidden, head("POST", "/login", [form, ("sec-fetch-site", "cross-site")])),
        .init("two sites at once", .forbidden, head("POST", "/login", [form, own, ("sec-fetch-site", "cross-site")])),
        .init("an old browser", nil, head("POST", "/login", [form, ("origin", "http://127.0.0.1:8471")])),
        .init("an old browser elsewhere", .forbidden, head("POST", "/login", [form, ("origin", "http://evil.com")])),
        .init("our other name", .forbidden, head("POST", "/login", [form, ("origin", "http://localhost:8471")])),
        .init("a sandboxed page", .forbidden, head("POST", "/login", [form, ("origin", "null")])),
        .init(
            "a foreign origin that is the host", .wrongHost,
            head(
                "POST", "/login", host: ["evil.com"], [form, ("origin", "http://evil.com")])),
        .init("a script", nil, head("POST", "/logout", [form, bearer])),
        .init("a script with a cookie", .forbidden, head("POST", "/logout", [form, bearer, ("cookie", "a=b")])),
        .init("nobody", .forbidden, head("POST", "/login", [form])),
        .init(
            "text of another site", .forbidden,
            head("POST", "/login", [("content-type", "text/plain"), ("sec-fetch-site", "same-site")])),
        .init(
            "an image of another site", .forbidden,
            head(
                "GET", "/favicon.svg",
                [
                    ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image"),
                ])),
        .init(
            "a script of another port", .forbidden,
            head(
                "GET", "/timeline.json",
                [
                    ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty"),
                ])),
        .init(
            "a frame of another site", .forbidden,
            head(
                "GET", "/timeline",
                [
                    ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe"),
                ])),
        .init(
            "a link of another site", nil,
            head(
                "GET", "/timeline",
                [
                    ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"),
                ])),
    ]

    static let sizes: [Case] = [
        .init("a target of 8 KiB", nil, head("GET", "/" + String(repeating: "a", count: (8 << 10) - 1))),
        .init("a longer target", .addressTooLong, head("GET", "/" + String(repeating: "a", count: 8 << 10))),
        .init("a long header", .headersTooLarge, head("GET", "/", [("x", String(repeating: "a", count: 8 << 10))])),
        .init("a long form", .tooLarge, head("POST", "/login", [form, own, ("content-length", "65537")])),
        .init("a form of no length", .tooLarge, head("POST", "/login", [form, own, ("content-length", "many")])),
        .init(
            "a form with a character set", nil,
            head(
                "POST", "/login", [("content-type", "application/x-www-form-urlencoded; charset=utf-8"), own])),
        .init("another form", .wrongMediaType, head("POST", "/login", [("content-type", "multipart/form-data"), own])),
        .init("no type", .wrongMediaType, head("POST", "/login", [own])),
    ]

    @Test("the table of requests", arguments: hosts + methods + origins + sizes)
    func table(example: Case) {
        var found: WebError.Reason?
        do { try gate.check(example.head) } catch { found = WebError(error).reason }
        #expect(found == example.refusal)
    }

    /// The status of what an admitted request gets; nil where the site answers.
    private func status(_ head: RequestHead, _ body: String = "", at now: ContinuousClock.Instant = now) -> Int? {
        do {
            switch try gate.admit(head, Array(body.utf8), at: now) {
            case .answered(let answer): return answer.status
            case .admitted: return nil
            }
        } catch {
            return WebError(error).reason.status
        }
    }

    /// Logs in with the link.
    /// - Returns: the headers of a request with the cookie.
    private func sessionCookie() throws -> [(String, String)] {
        let link = Self.head("GET", "/?token=\(sessions.token)", host: [Self.name])
        guard case .answered(let answer) = try gate.admit(link, [], at: Self.now) else { return [] }
        let cookie = try #require(answer.headers.first { $0.name == "set-cookie" }?.value)
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        #expect(cookie.hasPrefix("healthprobe-8471="))
        #expect(answer.status == 200)
        return [("cookie", "other=1; " + cookie.prefix { $0 != ";" })]
    }

    private func named(_ method: String, _ target: String, _ more: [(String, String)] = []) -> RequestHead {
        Self.head(method, target, host: [Self.name], more)
    }
    @Test("without a login every address says the same, but for the files of the site")
    func nobody() {
        for target in [
            "/", "/timeline", "/timeline.json", "/nothing", "/static/0.css", "/?token=", "/?token=0", "/../x",
        ] {
            #expect(status(Self.head("GET", target)) == 401, "\(target)")
        }
        #expect(status(Self.head("GET", "/login")) == 200)
        #expect(status(Self.head("GET", "/favicon.svg")) == 200)
        // What a thread of the archive would answer says whether that is sound.
        #expect(status(Self.head("GET", "/favicon.svg?x=1")) == 400)
        #expect(status(Self.head("POST", "/favicon.svg")) == 405)
        #expect(status(Self.head("GET", "/timeline", [("cookie", "healthprobe-8471=\(Self.token)")])) == 401)
        #expect(status(Self.head("GET", "/timeline", [("authorization", "Bearer 0")])) == 401)
        #expect(status(Self.head("POST", "/login"), "token=0") == 401)
        #expect(status(Self.head("POST", "/logout")) == 401)
    }

    @Test("a wrong token is told, and nothing else is")
    func wrongToken() throws {
        let site = Site(environment: [:]) { throw WebError(.noArchive) }
        func page(_ head: RequestHead, _ body: String = "") throws -> String {
            let error = #expect(throws: WebError.self) { try gate.admit(head, Array(body.utf8), at: Self.now) }
            let answer = gate.answer(try #require(error), to: head, site)
            #expect(answer.status == 401)
            return try WebArchive.Reply(answer).text
        }
        #expect(try page(Self.head("POST", "/login"), "token=0").contains("This link was used already"))
        #expect(try page(Self.head("GET", "/?token=0")).contains("This link was used already"))
        #expect(!(try page(Self.head("GET", "/timeline")).contains("used already")))
    }

    @Test("logging in takes the token alone")
    func loginParameters() {
        #expect(status(Self.head("GET", "/login?x=")) == 200)
        #expect(status(Self.head("GET", "/login?x=1")) == 400)
        #expect(status(Self.head("POST", "/login"), "token=0&x=1") == 400)
        #expect(status(Self.head("POST", "/login"), "token=0&token=1") == 400)
        #expect(status(Self.head("GET", "/?token=\(Self.token)&x=1")) == 401)
    }

    @Test("the link and the form log in under the name, each once; scripts have a token of their own")
    func login() throws {
        let used = sessions.token
        let cookie = try sessionCookie()
        #expect(status(named("GET", "/timeline", cookie)) == nil)
        #expect(status(named("GET", "/?token=\(used)")) == 401)
        #expect(sessions.token != used && sessions.token != Self.token)
        #expect(status(Self.head("GET", "/timeline", [Self.bearer])) == nil)
        #expect(status(Self.head("GET", "/timeline", [("authorization", "bearer \(Self.token)")])) == nil)
        #expect(status(Self.head("GET", "/timeline", [("authorization", "Bearer \(sessions.token)")])) == 401)
        #expect(status(named("POST", "/login"), "token=\(Self.token)") == 401)
        #expect(status(named("POST", "/login"), "token=\(sessions.token)") == 200)
        #expect(status(named("POST", "/logout", cookie)) == 303)
        #expect(status(named("GET", "/timeline", cookie)) == 401)
    }

    /// Browsers send a cookie of 127.0.0.1 to every port of the machine: whoever replays one from there gets nothing.
    @Test("a cookie counts under the name alone, and only who knows the token learns the name")
    func cookiesOfAddresses() throws {
        let cookie = try sessionCookie()
        for host in ["127.0.0.1:8471", "localhost:8471", "[::1]:8471"] {
            #expect(status(Self.head("GET", "/timeline", host: [host], cookie)) == 401)
            let link = Self.head("GET", "/?token=\(sessions.token)", host: [host])
            guard case .answered(let answer) = try gate.admit(link, [], at: Self.now) else { return }
            #expect(answer.header("set-cookie") == nil)
            #expect(answer.header("refresh") == "0; url=http://\(Self.name)/?token=\(sessions.token)")
            let wrong = #expect(throws: WebError.self) {
                try gate.admit(Self.head("GET", "/?token=0", host: [host]), [], at: Self.now)
            }
            let site = Site(environment: [:]) { throw WebError(.noArchive) }
            let page = try WebArchive.Reply(gate.answer(try #require(wrong), to: link, site)).text
            #expect(!page.contains(".localhost"))
        }
    }

    @Test("a session ends after twelve hours without a request")
    func sessionsEnd() throws {
        let cookie = try sessionCookie()
        let head = named("GET", "/timeline", cookie)
        #expect(status(head, at: Self.now + .seconds(11 * 3600)) == nil)
        #expect(status(head, at: Self.now + .seconds(22 * 3600)) == nil)
        // What an open page asks by itself is no use.
        #expect(status(named("GET", "/state.json", cookie), at: Self.now + .seconds(33 * 3600)) == nil)
        #expect(status(head, at: Self.now + .seconds(35 * 3600)) == 401)
    }

    @Test("a query that is not encoded as forms are is refused")
    func encoding() {
        #expect(status(Self.head("GET", "/timeline?chain=%4", [Self.bearer])) == 400)
        #expect(status(Self.head("GET", "/timeline?chain=%ff", [Self.bearer])) == 400)
    }

    @Test("what is slow has a lane of its own")
    func lanes() {
        #expect(Lane(Request(.get, "/timeline")) == .page)
        #expect(Lane(Request(.get, "/records.json")) == .page)
        #expect(Lane(Request(.get, "/workouts")) == .page)
        #expect(Lane(Request(.get, "/workouts", [.init("state", "visible")])) == .page)
        #expect(Lane(Request(.get, "/workouts", [.init("state", "finest")])) == .long)
        #expect(Lane(Request(.get, "/sources.json")) == .long)
        for kind in ["records", "diff", "selection", "xml"] {
            for path in ["/export", "/export.json"] {
                #expect(Lane(Request(.get, path, [.init("kind", kind)])) == .long, "\(path) \(kind)")
            }
        }
        for kind in ["types", "manifest"] { #expect(Lane(Request(.get, "/export", [.init("kind", kind)])) == .page) }
        #expect(Lane(Request(.get, "/export")) == .page && Lane(Request(.get, "/export.json")) == .long)
        for name in ["since", "until", "source"] {
            #expect(Lane(Request(.get, "/records", [.init(name, "2024-05-01")])) == .long, "\(name)")
            #expect(Lane(Request(.get, "/records", [.init(name, "2024-05-01"), .init("type", "HeartRate")])) == .page)
            #expect(Lane(Request(.get, "/records", [.init(name, "")])) == .page)
        }
        #expect(Lane(Request(.get, "/diff/records")) == .long)
        #expect(Lane(Request(.get, "/report.html")) == .long)
        #expect(Lane(Request(.get, "/diff/records.ndjson")) == .long)
        #expect(Lane(Request(.post, "/export")) == .page)
        #expect(Lane(Request(.get, "/nothing.at.all")) == .page)
        #expect(Lane(Request(.get, "")) == .page)
    }

    @Test("secrets differ and have 128 bits")
    func secrets() {
        let secrets = Set((0..<100).map { _ in Sessions.makeSecret() })
        #expect(secrets.count == 100)
        #expect(secrets.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("every answer has the headers; what it says itself stays")
    func headers() {
        let page = Answer(200).guarded
        #expect(page.header("cache-control") == "no-store")
        #expect(page.header("referrer-policy") == "same-origin")
        #expect(page.header("cross-origin-opener-policy") == "same-origin")
        let report = Answer(200, [("content-security-policy", "sandbox"), ("cache-control", "public")]).guarded
        #expect(report.header("content-security-policy") == "sandbox")
        #expect(report.header("cache-control") == "public")
        #expect(report.header("cross-origin-opener-policy") == nil)
        #expect(report.header("x-frame-options") == "DENY")
    }
}
