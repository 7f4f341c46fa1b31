internal import Basics

/// A document as HTML: one file without a script or a request, or the blocks of a page that a site frames.
///
/// What an export supplied, and nothing else, is isolated, so that its direction cannot reorder what is around it: cells of
/// text and names, and what is quoted elsewhere.
package struct PageRenderer: Sendable {
    /// Where the document is read.
    package enum Place: Sendable {
        /// In a file of its own, which leads nowhere.
        case file
        /// On a page of a site, whose address of a link is nil where no page answers it.
        case site(address: @Sendable (Document.Link) -> String?)
    }

    private let place: Place
    /// The address of the page with the rows in another order, by the order that it is to name; nil without a choice.
    private let sorting: Sorting?

    /// How people choose the order of rows.
    package struct Sorting: Sendable {
        let order: String?
        let address: @Sendable (_ order: String) -> String

        /// - Parameter order: the one that the page has: a column's title, after a hyphen where the largest comes first.
        package init(_ order: String?, address: @escaping @Sendable (_ order: String) -> String) {
            (self.order, self.address) = (order, address)
        }
    }

    /// Tables with fewer columns fit every page.
    private static let wideColumns = 6

    package init(_ place: Place, sorting: Sorting? = nil) { (self.place, self.sorting) = (place, sorting) }

    /// The whole file: right on a phone, in the dark and on paper.
    /// - Parameter title: what a browser's tab shows.
    package static func text(_ document: Document, title: String) -> String {
        let label = HTML.element("p", ["class": "soft"], "HealthProbe report")
        let page = HTML.element(
            "html", ["lang": "en"],
            .element("head", [:], head(title)),
            .element("body", [:], .element("main", [:], [label] + PageRenderer(.file).html(document))))
        return "<!DOCTYPE html>\n" + page.text + "\n"
    }

    /// The document's blocks.
    package func html(_ document: Document) -> [HTML] { document.blocks.map(html) }

    /// A text, as a link where it leads to a page.
    ///
    /// - Parameters:
    ///   - isForeign: whether all of it is of an export.
    ///   - longest: how many characters of it a page of a site has; a file has all.
    private func linked(
        _ text: String, _ link: Document.Link?, isForeign: Bool = false, longest: Int = 500
    ) -> HTML {
        guard case .site(let address) = place else { return isForeign ? .foreign(text) : .prose(text) }
        // What has no more bytes has no more characters.
        let start = text.utf8.count <= longest ? text[...] : text.prefix(longest)
        let short = start.endIndex < text.endIndex ? start + "…" : text
        let shown = isForeign ? HTML.foreign(short) : .prose(short)
        guard let link, !text.isEmpty, let url = address(link) else { return shown }
        return .element("a", ["href": url], shown)
    }

    private static func head(_ title: String) -> [HTML] {
        [
            .void("meta", ["charset": "utf-8"]),
            .void(
                "meta",
                [
                    "http-equiv": "Content-Security-Policy",
                    "content": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
                ]),
            .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .void("meta", ["name": "referrer", "content": "no-referrer"]),
            .void("meta", ["name": "color-scheme", "content": "light dark"]),
            .element("title", [:], HTML(title)),
            .element("style", [:], .verbatim(PageStyle.sheet)),
        ]
    }

    private func html(_ block: Document.Block) -> HTML {
        switch block {
        case .title(let title): self.title(title)
        case .heading(let title, let anchor):
            .element("h2", anchor.map { ["id": $0] } ?? [:], .prose(title))
        case .subheading(let title): .element("h3", [:], .prose(title))
        case .paragraph(let text, .remark): .element("p", ["class": "note"], .prose(text))
        case .paragraph(let text, _): .element("p", [:], .prose(text))
        case .facts(let facts): self.facts(facts)
        case .table(let table): self.table(table)
        case .list(let items, _): list(items)
        case .labels(let labels):
            .element("p", [:], labels.map { .element("span", ["class": "label"], HTML($0)) })
        case .figures(let figures): .element("div", ["class": "cards figures"], figures.map(figure))
        case .sides(let sides): .element("div", ["class": "cards"], sides.map(side))
        case .charts(let charts): .element("div", ["class": "charts"], charts.map(chart))
        case .folded(let title, let blocks):
            .element("details", [:], [.element("summary", [:], HTML(title))] + blocks.map(html))
        case .queries(let queries): self.queries(queries)
        }
    }

    /// The heading of a file; a page of a site has a heading of its own.
    private func title(_ title: String) -> HTML {
        if case .site = place { return .element("p", ["class": "lead"], .prose(title)) }
        return .element("h1", [:], .prose(title))
    }

    private func facts(_ facts: [Document.Fact]) -> HTML {
        .element(
            "dl", [:],
            facts.flatMap { fact -> [HTML] in
                guard let value = fact.value else { return [] }
                let text = linked(value, nil)
                return [
                    .element("dt", [:], HTML(fact.name)),
                    .element("dd", [:], fact.isHash ? .element("span", ["class": "hash"], text) : text),
                ]
            })
    }

    /// A table; where the page is narrow, the style sheet sets its rows as blocks whose cells have their column's title.
    private func table(_ table: Table) -> HTML {
        let heads = table.columns.map { head($0, isSortable: table.isSortable) }
        let rows = table.rows.flatMap { row -> [HTML] in
            var contents = row.cells.indices.map { content($0, of: row, table.columns[$0]) }
            if table.marksDifferences, contents.count > 1 {
                let last = row.cells.indices.suffix(2).map { String(row.cells[$0].prefix(table.columns[$0].maxWidth)) }
                let marked = TextDifference.html(last[0], last[1])
                contents.replaceSubrange((contents.count - 2)..., with: [marked.before, marked.after])
            }
            let cells = HTML.element(
                "tr", [:], row.cells.indices.map { cell($0, of: row, table.columns[$0], contents[$0]) })
            guard let between = row.between else { return [cells] }
            let gap = HTML.element("td", ["colspan": "\(table.columns.count)"], HTML(between))
            return [cells, .element("tr", ["class": "between"], gap)]
        }
        // What may scroll sideways can be reached by keyboard, too.
        let isWide = table.columns.count >= Self.wideColumns
        let scrolling = HTML.element(
            "div",
            isWide
                ? ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"] : ["class": "scroll"],
            .element(
                "table", [:], .element("thead", [:], .element("tr", [:], heads)), .element("tbody", [:], rows)))
        return HTML([scrolling, table.remark.map { html(.paragraph($0, .remark)) } ?? .empty])
    }

    /// The head of a column: its title, which leads to the page in its order.
    private func head(_ column: Table.Column, isSortable: Bool) -> HTML {
        let kind = column.kind == .number ? "n" : nil
        guard isSortable, let sorting, !column.title.isEmpty else {
            return .element("th", ["class": kind, "scope": "col"], HTML(column.title))
        }
        let isRising = sorting.order == column.title
        let isFalling = sorting.order == "-" + column.title
        // The largest numbers are looked for first, and the first names.
        let next = isFalling || kind == nil && !isRising ? column.title : "-" + column.title
        return .element(
            "th",
            ["class": kind, "scope": "col", "aria-sort": isRising ? "ascending" : isFalling ? "descending" : nil],
            .element("a", ["href": sorting.address(next), "rel": "nofollow"], HTML(column.title)))
    }

    private func content(_ index: Int, of row: Table.Row, _ column: Table.Column) -> HTML {
        if let numbers = row.drawings[index] {
            return SparkDrawing.html(
                numbers, title: "\(column.title) of \(row.cells[0].prefix(80)): \(row.cells[index])")
        }
        if row.cells[index].isEmpty { return .empty }
        let isForeign = column.kind == .text || column.kind == .name
        let text = linked(row.cells[index], row.links[index], isForeign: isForeign, longest: column.maxWidth)
        guard case .site = place, let instant = row.instants[index], !text.text.isEmpty else { return text }
        return .element("time", ["datetime": ISO8601.string(unixSeconds: instant)], text)
    }

    private func cell(_ index: Int, of row: Table.Row, _ column: Table.Column, _ text: HTML) -> HTML {
        if index == 0 {
            let content = row.anchor.map { .element("a", ["href": "#\($0)"], text) } ?? text
            return .element("td", column.kind == .number ? ["data-title": column.title] : [:], content)
        }
        // Where the page is narrow, an empty cell is not shown.
        if text.text.isEmpty { return .element("td", [:], .empty) }
        return switch column.kind {
        case .text, .words, .name, .exact: .element("td", ["data-title": column.title], text)
        case .number: .element("td", ["class": "n", "data-title": column.title], text)
        case .hash: .element("td", ["class": "hash", "data-title": column.title], text)
        }
    }

    /// A drawing; on a site with its numbers, which a file shows where it needs them.
    private func chart(_ chart: Chart) -> HTML {
        var address: (Document.Link) -> String? = { _ in nil }
        if case .site(let own) = place { address = own }
        let figure = ChartDrawing.figure(chart, address: address)
        guard case .site = place, !chart.table.rows.isEmpty else { return figure }
        let numbers = HTML.element("details", [:], .element("summary", [:], "The numbers"), table(chart.table))
        return .element("div", [:], figure, numbers)
    }

    private func list(_ items: [Document.Item]) -> HTML {
        .element(
            "ul", items.contains { $0.marker != nil } ? ["class": "marked"] : [:],
            items.map { item in
                .element(
                    "li", [:], HTML(item.marker.map { $0 + " " } ?? ""), linked(item.text, item.link),
                    item.note.map { .element("span", ["class": "note"], HTML(" (\($0))")) } ?? .empty)
            })
    }

    private func figure(_ figure: Document.Figure) -> HTML {
        .element(
            "div", ["class": "card"],
            .element("div", ["class": "number"], HTML(Counts.grouped(figure.count))),
            .element("div", [:], HTML(figure.name)),
            figure.share.map {
                .element(
                    "div", ["class": "share"],
                    .element("i", ["style": "width:\(($0 * 100).coordinate)%"], .empty))
            } ?? .empty,
            .element("div", ["class": "note"], .prose(figure.meaning)))
    }

    private func side(_ side: Document.Side) -> HTML {
        .element(
            "section", ["class": "card"],
            [.element("h2", [:], .prose(side.title)), facts(side.facts)]
                + side.lists.filter { !$0.lines.isEmpty }.flatMap {
                    [html(.subheading($0.title)), list($0.lines.map { .init($0) })]
                })
    }

    private func queries(_ queries: [Document.Query]) -> HTML {
        guard !queries.isEmpty else { return .empty }
        return .element(
            "details", [:],
            [.element("summary", [:], "The SQL behind these numbers")]
                + queries.flatMap { query in
                    [html(.paragraph(query.title, .remark)), .element("pre", [:], HTML(query.sql))]
                })
    }
}
