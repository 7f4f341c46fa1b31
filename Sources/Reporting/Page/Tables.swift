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

    /// Names and values; pairs without a value are left out.
    static func facts(_ pairs: [(String, HTML?)]) -> HTML {
        .element(
            "dl", [:],
            pairs.flatMap { name, value in
                value.map { [HTML.element("dt", [:], HTML(name)), .element("dd", [:], $0)] } ?? []
            })
    }
}
