internal import Basics
package import Foundation

/// What people are shown, described once: a terminal, Markdown and a page render the same blocks.
///
/// Texts are as they came, from the program or out of an export: each renderer makes them harmless for its medium.
package struct Document: Sendable {
    /// A part of a document.
    package enum Block: Sendable {
        /// The document's title.
        case title(String)
        /// The title of a section; `anchor` is where rows of tables lead to.
        case heading(String, anchor: String? = nil)
        /// The title of a part of a section.
        case subheading(String)
        case paragraph(String, Place = .attached)
        case facts([Fact])
        case table(Table)
        case list([Item], isIndented: Bool = true)
        /// Short words about the section.
        case labels([String])
        /// Numbers that a reader sees first.
        case figures([Figure])
        /// The same facts of two or more things beside each other.
        case sides([Side])
        case charts([Chart])
        /// What few readers want to see at once.
        case folded(String, [Block])
        /// Queries behind numbers, which pages alone show: a terminal has `--show-sql`.
        case queries([Query])
    }

    /// Where a paragraph is.
    package enum Place: Sendable {
        /// Directly under what is before it.
        case attached
        /// After an empty line.
        case apart
        /// A remark on what is before it.
        case remark
    }

    /// A name and its value; without a value it is left out.
    package struct Fact: Sendable {
        package var name: String
        package var value: String?
        /// Whether the value is a hash.
        package var isHash: Bool

        package init(_ name: String, _ value: String?, isHash: Bool = false) {
            self.name = name
            self.value = value
            self.isHash = isHash
        }
    }

    /// One entry of a list.
    package struct Item: Sendable {
        package var text: String
        /// What precedes the text, such as `+`.
        package var marker: String?
        /// What follows the text in a fainter shade.
        package var note: String?
        /// Where the text leads to.
        package var link: Link?

        package init(_ text: String, marker: String? = nil, note: String? = nil, link: Link? = nil) {
            self.text = text
            self.marker = marker
            self.note = note
            self.link = link
        }
    }

    /// A count with what it counts.
    package struct Figure: Sendable {
        package var count: Int64
        /// What is counted, in the singular.
        package var noun: String
        package var name: String
        package var meaning: String
        /// The part of a whole that the count is, 0 to 1.
        package var share: Double?

        package init(_ count: Int64, _ noun: String, _ name: String, meaning: String, share: Double? = nil) {
            self.count = count
            self.noun = noun
            self.name = name
            self.meaning = meaning
            self.share = share
        }
    }

    /// One of the things that are shown beside each other.
    package struct Side: Sendable {
        package var title: String
        package var facts: [Fact]
        package var lists: [(title: String, lines: [String])]

        package init(_ title: String, _ facts: [Fact], lists: [(title: String, lines: [String])] = []) {
            self.title = title
            self.facts = facts
            self.lists = lists
        }
    }

    /// A query with what it answers.
    package struct Query: Sendable {
        package var title: String
        package var sql: String

        package init(_ title: String, _ sql: String) {
            self.title = title
            self.sql = sql
        }
    }

    /// Another question that a text leads to, as the command and the options that ask it.
    ///
    /// A page that can answer it makes a link of it; all other renderers ignore it.
    package struct Link: Sendable {
        /// A command's name, and after a slash what it is asked for: `diff/records`.
        package var command: String
        /// Long names of options with their values.
        package var options: [(name: String, value: String)]

        /// - Parameter options: those without a value are left out.
        package init(_ command: String, _ options: KeyValuePairs<String, String?> = [:]) {
            self.command = command
            self.options = options.compactMap { name, value in value.map { (name, $0) } }
        }
    }
    package private(set) var blocks: [Block] = []

    package init(_ blocks: [Block] = []) { self.blocks = blocks }

    package init(title: String) { blocks = [.title(title)] }

    package mutating func append(_ more: Block...) { blocks += more }

    package mutating func append(_ more: [Block]) { blocks += more }

    /// A paragraph.
    package mutating func paragraph(_ text: String, _ place: Place = .attached) { append(.paragraph(text, place)) }

    /// Names with their values.
    package mutating func facts(_ facts: [(String, String?)]) { append(.facts(facts.map { Fact($0, $1) })) }

    /// A heading with a table under it; nothing where the table has no rows.
    package mutating func section(_ title: String, _ table: Table) {
        if !table.rows.isEmpty { append(.heading(title), .table(table)) }
    }

    /// A heading with a list under it; nothing where the list is empty.
    package mutating func section(_ title: String, _ lines: [String]) {
        if !lines.isEmpty { append(.heading(title), .list(lines.map { Item($0) })) }
    }
}

/// On whose clocks a document shows times.
package struct DisplayZone: Sendable {
    package let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// `UTC`, or the zone's identifier.
    package var name: String { zone.secondsFromGMT() == 0 && zone.identifier == "GMT" ? "UTC" : zone.identifier }

    /// `2024-05-01 12:00:00`, or `-`.
    package func time(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.local(unixSeconds: $0, zone: zone) } ?? "-"
    }

    /// `2024-05-01`, or `-`.
    package func day(_ seconds: Int64?) -> String {
        seconds.map { ISO8601.localDay(unixSeconds: $0, zone: zone) } ?? "-"
    }
}
