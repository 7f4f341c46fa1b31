package import Basics

/// What the document says of itself, and how its reading ended.
package struct DocumentHeader: Sendable {
    package var locale: String?
    /// The `ExportDate` as printed; nil without one.
    package var exportDateText: String?
    package var exportDate: Instant?
    /// What is at the root beside items: further attributes and text, by name.
    package var extras: [(name: String, value: String)] = []
    package var sawRoot = false
    package var rootEnded = false
    /// Where and why reading stopped early; nil for a complete document.
    package var stop: Stop?

    package init() {}

    package struct Stop: Sendable {
        package var line: Int
        package var byte: Int64
        package var reason: String
        /// The parser's own words; nil where it was not the parser that stopped.
        package var message: String?

        /// Both in one text, as an archive stores them.
        package var text: String { message.map { "\(reason) \($0)" } ?? reason }
    }
}
