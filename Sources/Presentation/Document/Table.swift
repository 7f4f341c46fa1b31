/// A table of a document: columns that state what their cells are, and rows.
package struct Table: Sendable {
    /// What the cells of a column are: it decides at which edge they are aligned, and what may be cut from them.
    package enum Kind: Sendable {
        /// Of an export; at the left, cut at the end.
        case text
        /// The program's own; at the left, cut at the end.
        case words
        /// Of an export; at the left, cut in the middle, since names of a kind begin alike.
        case name
        /// At the left; never cut: a cut date reads like another one.
        case exact
        /// As `exact`, in letters of one width.
        case hash
        /// At the right; never cut, unless the column has a limit of its own.
        case number
    }

    /// One column: its title, what its cells are, how wide it may become, and whether it may be left out.
    package struct Column: Sendable {
        package let title: String
        package let kind: Kind
        /// How many terminal columns the column may take at most.
        package let maxWidth: Int
        /// Columns are left out where there is no room, the lowest number first; nil for never.
        package let leftOut: Int?

        /// A column; the title may come from an export.
        package init(_ title: String, _ kind: Kind = .text, maxWidth: Int? = nil, leftOut: Int? = nil) {
            self.title = title
            self.kind = kind
            let widest = kind == .exact || kind == .hash ? Table.widestExact : Table.widest
            self.maxWidth = max(1, maxWidth ?? widest)
            self.leftOut = leftOut
        }

        /// A column for words of the program's own.
        package static func words(_ title: String, maxWidth: Int? = nil, leftOut: Int? = nil) -> Column {
            Column(title, .words, maxWidth: maxWidth, leftOut: leftOut)
        }

        /// A column for text of an export.
        package static func left(_ title: String, maxWidth: Int? = nil, leftOut: Int? = nil) -> Column {
            Column(title, .text, maxWidth: maxWidth, leftOut: leftOut)
        }

        /// A column for names.
        package static func name(_ title: String) -> Column { Column(title, .name) }

        /// A column for dates and the like.
        package static func exact(_ title: String, leftOut: Int? = nil) -> Column {
            Column(title, .exact, leftOut: leftOut)
        }

        /// A column for hashes.
        package static func hash(_ title: String, leftOut: Int? = nil) -> Column {
            Column(title, .hash, leftOut: leftOut)
        }

        /// A column for numbers.
        package static func right(_ title: String, maxWidth: Int? = nil, leftOut: Int? = nil) -> Column {
            Column(title, .number, maxWidth: maxWidth, leftOut: leftOut)
        }
    }

    /// One row.
    package struct Row: Sendable {
        package var cells: [String]
        /// Whether it is of less weight than its neighbours.
        package var isDim = false
        /// The heading that the row leads to.
        package var anchor: String?
        /// Where cells lead to, by the index of their column.
        package var links: [Int: Document.Link] = [:]
        /// Unix seconds of the instants that cells show, by the index of their column; a page of a site says them in UTC, too.
        package var instants: [Int: Int64] = [:]
        /// What is between this row and the next one, such as a span of time; pages alone show it.
        package var between: String?
        /// Small drawings in place of cells, by the index of their column; pages alone show them.
        package var drawings: [Int: [Double?]] = [:]
    }

    package let columns: [Column]
    package internal(set) var rows: [Row] = []
    /// What the table leaves out; nil for a whole one.
    package var remark: String?
    /// Whether the last two cells of a row are a text before and after; a page marks in them what differs.
    package var marksDifferences = false

    /// What a cell takes at most, wherever it is printed: an export may name a source with a megabyte, and every cell of
    /// its column is padded to the widest. JSON and CSV have all of it.
    private static let widest = 200
    /// Paths and hashes are whole or of no use.
    private static let widestExact = 4_096

    /// A table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Keeps the first rows, and says so where others are left out.
    package mutating func keepFirst(_ count: Int) {
        guard rows.count > count else { return }
        remark = "The first \(Counts.grouped(count)) of \(Counts.of(rows.count, "row")); the JSON has all."
        rows.removeLast(rows.count - count)
    }

    /// How many of the first rows weigh at most so much on a page.
    package func rowCount(within bytes: Int) -> Int {
        var left = bytes
        return rows.prefix { row in
            left -= weight(row)
            return left >= 0
        }.count
    }

    /// About how many bytes of a page a row has, with its links.
    private func weight(_ row: Row) -> Int {
        let texts = zip(row.cells, columns).reduce(0) { sum, cell in
            sum + 60 + cell.0.prefix(cell.1.maxWidth).utf8.reduce(0) { $0 + (Self.escaped.contains($1) ? 5 : 1) }
        }
        return row.links.values.reduce(texts) { sum, link in
            sum + 60
                + link.options.reduce(0) { sum, option in
                    sum + option.name.utf8.count + 2
                        + option.value.utf8.prefix(Self.longestOption).reduce(0) { $0 + (Self.isPlain($1) ? 1 : 3) }
                }
        }
    }

    /// What takes an entity of HTML.
    private static let escaped = Array("<>&\"'".utf8)
    /// No page has a link to a longer name.
    private static let longestOption = 1_000

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
    }

    /// Adds a row; missing cells are empty and surplus ones are dropped.
    package mutating func addRow(
        _ cells: [String], dim: Bool = false, anchor: String? = nil, links: [Int: Document.Link?] = [:],
        instants: [Int: Int64?] = [:], between: String? = nil, drawings: [Int: [Double?]] = [:]
    ) {
        let missing = max(0, columns.count - cells.count)
        let cells = Array(cells.prefix(columns.count)) + Array(repeating: "", count: missing)
        rows.append(
            Row(
                cells: cells, isDim: dim, anchor: anchor, links: links.compactMapValues(\.self),
                instants: instants.compactMapValues(\.self), between: between, drawings: drawings))
    }
}
