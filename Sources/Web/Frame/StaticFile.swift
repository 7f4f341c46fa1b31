internal import HealthModel
internal import Presentation

/// A file of the site itself, which is the same for everybody and may be kept by a browser.
package struct StaticFile: Sendable {
    /// Named by its content, so that a new version has a new name.
    package let path: String
    private let type: String
    private let text: String

    private init(ending: String, type: String, _ text: String) {
        path = "/static/\(Digest256(hashing: text).hex.prefix(16)).\(ending)"
        self.type = type
        self.text = text
    }

    /// The icon, under the name at which browsers look for it.
    private init(icon text: String) {
        path = "/favicon.svg"
        type = "image/svg+xml"
        self.text = text
    }

    static let style = StaticFile(ending: "css", type: "text/css", "\(PageStyle.sheet)\n\(SiteStyle.sheet)")
    static let script = StaticFile(ending: "js", type: "text/javascript", "\(SiteScript.text)")
    static let icon = StaticFile(
        icon: """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6fb2"/>\
            <path d="M4 18h6l3-8 5 14 3-6h7" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>
            """)

    package static let all = [style, script, icon]

    var answer: Answer {
        Answer(
            200,
            [
                ("content-type", "\(type); charset=utf-8"), ("cache-control", "public, max-age=31536000, immutable"),
            ], .bytes(Array(text.utf8)))
    }
}
