extension Answer {
    /// The same with the headers that every answer has: nothing of it is run, framed, guessed at, kept or passed on.
    ///
    /// What the answer says itself stays. An answer with a policy of its own, the report, opens apart from the site.
    package var guarded: Answer {
        let policy = "content-security-policy"
        let hasOwnPolicy = header(policy) != nil
        var answer = self
        for (name, value) in Self.everywhere where header(name) == nil {
            if hasOwnPolicy, name == "cross-origin-opener-policy" { continue }
            answer.headers.append((name, value))
        }
        return answer
    }

    /// A refusal as plain text.
    package static func plain(_ error: WebError) -> Answer {
        Answer(
            error.reason.status, [("content-type", "text/plain; charset=utf-8")],
            .bytes(Array("\(error.message)\n".utf8)))
    }

    /// The value of a header.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Whether it is a page for people.
    var isPage: Bool { header("content-type")?.hasPrefix("text/html") ?? false }

    private static let everywhere: [(String, String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"),
        // With no-referrer, Chromium would post our own forms with `Origin: null`.
        ("referrer-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
        ),
        ("x-frame-options", "DENY"),
        ("cache-control", "no-store"),
    ]
}
