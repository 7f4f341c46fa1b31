import Foundation
import Testing
import TestSupport

/// What holds of every page.
enum PageCheck {
    /// The page is well-formed once the elements without an end are closed.
    static func wellFormed(_ page: String, _ sandbox: Sandbox, _ url: String) throws {
        let closed = page.replacing(
            try Regex("<((?:meta|link|input|wbr)\\b[^>]*)>"), with: { "<\($0.output[1].substring ?? "")/>" }
        )
        .replacingOccurrences(of: "<!DOCTYPE html>", with: "")
        let path = try sandbox.write(closed, to: "page.xml")
        #expect(UnsafeValidation.isNamespaceWellFormed(path), "\(url)")
        #expect(!page.contains(" style="), "\(url) has a style of its own")
    }

    /// The words that a page does not use of Health data.
    static func words(_ page: String, _ url: String) {
        var text = page
        for quoted in ["bdi", "code", "pre", "option", "textarea", "head"] {
            text = text.replacingOccurrences(
                of: "<\(quoted)\\b[^>]*>.*?</\(quoted)>", with: " ", options: .regularExpression)
        }
        text = text.replacingOccurrences(of: "<!DOCTYPE html>", with: "").lowercased()
        for word in ["lost", "loss", "losing", "critical", "broke", "broken", "deleted", "corrupt", "missing", "!"] {
            let pattern = word == "!" ? "!" : "\\b\(word)\\b"
            #expect(text.range(of: pattern, options: .regularExpression) == nil, "\(url) has \(word)")
        }
        // As what caused a change; as the name of a program they may be there.
        let cause = /\b(by|because of|due to)\s+(apple|icloud)\b/
        let change =
            /\b(apple|icloud)\s+(has\s+|had\s+)?(chang|condens|consolidat|delet|drop|hid|merg|remov|replac|rewr)/
        #expect(!text.contains(cause) && !text.contains(change), "\(url) names a cause")
    }

    /// The addresses that a page leads to.
    static func links(_ page: String) -> [String] {
        page.matches(of: /href="([^"#]+)"/).map { String($0.output.1).replacing("&amp;", with: "&") }
    }

    /// Writes a page or its style sheet into the folder `$HEALTHPROBE_PAGES`, for those who want to look at it.
    static func save(_ text: String, _ path: String) throws {
        guard let root = ProcessInfo.processInfo.environment["HEALTHPROBE_PAGES"] else { return }
        let file = URL(fileURLWithPath: root + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
