import Foundation

/// Bold and dim text, or plain text when the output is not a terminal or `NO_COLOR` is set.
package struct Style: Sendable, Equatable {
    /// Whether escape sequences are written at all.
    package let isEnabled: Bool

    /// A style that writes escape sequences, or does not.
    package init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// No escape sequences.
    package static let plain = Style(isEnabled: false)

    /// The style for an output: plain unless it is a terminal that is not `dumb`, and `NO_COLOR` is unset or empty.
    package static func forOutput(
        isTerminal: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Style {
        let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Style(isEnabled: isTerminal && !refused && environment["TERM"] != "dumb")
    }

    /// The text in bold.
    package func bold(_ text: String) -> String { wrapped(text, 1) }

    /// The text in a fainter shade.
    package func dim(_ text: String) -> String { wrapped(text, 2) }

    private func wrapped(_ text: String, _ code: Int) -> String {
        isEnabled && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
