/// Tables of a page.
enum Tables {
    /// A table that scrolls by itself where the page is narrower; headings say whether their column holds numbers.
    static func scrolling(_ heads: [(String, Bool)], _ rows: [HTML]) -> HTML {
        .element(
            "div", ["class": "scroll"],
            .element(
                "table", [:],
                .element(
                    "thead", [:],
                    .element(
                        "tr", [:],
                        heads.map { name, isNumber in
                            .element("th", isNumber ? ["class": "n", "scope": "col"] : ["scope": "col"], HTML(name))
                        })),
                .element("tbody", [:], rows)))
    }

    /// A table of a report, and what it leaves out.
    static func table(_ table: ReportTable) -> HTML {
        let rows = table.rows.map { row in
            HTML.element(
                "tr", [:],
                zip(table.columns, row).map { column, cell in
                    switch column.kind {
                    case .text: .element("td", [:], .foreign(cell))
                    case .number: .element("td", ["class": "n"], .foreign(cell))
                    case .hash: .element("td", ["class": "hash"], HTML(cell))
                    }
                })
        }
        let remark = table.remark.map { HTML.element("p", ["class": "note"], HTML($0)) } ?? .empty
        return HTML([scrolling(table.columns.map { ($0.name, $0.kind == .number) }, rows), remark])
    }

    /// Names and values; pairs without a value are left out.
    static func facts(_ pairs: [(String, HTML?)]) -> HTML {
        .element(
            "dl", [:],
            pairs.flatMap { name, value in
                value.map { [HTML.element("dt", [:], HTML(name)), .element("dd", [:], $0)] } ?? []
            })
    }
}
