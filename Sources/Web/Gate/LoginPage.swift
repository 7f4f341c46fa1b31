internal import Presentation

/// The pages around logging in.
enum LoginPage {
    /// The form for the token. The link to the same address serves those who come from a mail or another site: browsers
    /// hold the cookie back until somebody follows a link of this server itself.
    ///
    /// - Parameter note: what was wrong with the login before; nil for a first one.
    static func answer(_ status: Int, note: String? = nil) -> Answer {
        let form = HTML.element(
            "form", ["method": "post", "action": "/login"],
            .element(
                "label", [:], "Token",
                .void("input", ["name": "token", "type": "password", "autocomplete": "off", "required": ""])),
            .element("button", ["type": "submit"], "Log in"))
        let content = PageContent(
            "Log in",
            [
                note.map { .element("p", ["class": "banner", "role": "alert"], HTML($0)) } ?? .empty,
                .element("p", [:], "Was this page open before? ", .element("a", ["href": ""], "Continue")),
                .element(
                    "p", [:], "Otherwise open the link that ", .element("code", [:], "healthprobe serve"),
                    " printed last, or enter the token at its end. Each link works once. After a restart there is a new one: ",
                    .element("code", [:], "healthprobe serve --open"), " opens it for you."),
                form,
            ], status: status)
        return Frame().answer(content)
    }

    /// What is shown for a moment after the login.
    static var landing: Answer { leading(to: "/", "You are logged in") }

    /// A page that leads on to another address.
    static func leading(to place: String, _ title: String = "Logging in") -> Answer {
        let link = HTML.element("a", ["href": place], "Continue")
        return Frame().answer(PageContent(title, [.element("p", [:], link)]))
    }
}
