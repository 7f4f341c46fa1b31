internal import Basics

/// A text as a key: equal where its UTF-8 bytes are. Swift's `==` would merge canonically equivalent names, which an archive
/// and an export keep apart.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasBytes(of: b.text) }

    package static func < (a: ExactText, b: ExactText) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        text.withByteView { hasher.combine($0) }
    }
}
