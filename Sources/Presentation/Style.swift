import Foundation

/// Bold, dim and coloured text, or none of it when the output is not a terminal or `NO_COLOR` is set.
package struct Style: Sendable, Equatable {
    /// The colours that carry a meaning; never red and green alone against each other.
    package enum Colour: Int, Sendable, CaseIterable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
    }

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

    /// The text in a colour.
    package func colour(_ colour: Colour, _ text: String) -> String { wrapped(text, colour.rawValue) }

    private func wrapped(_ text: String, _ code: Int) -> String {
        isEnabled && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
