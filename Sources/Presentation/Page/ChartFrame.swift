/// What every chart has: a box to draw in, a title and a description for those who do not see it.
struct ChartFrame {
    /// In SVG units, about a CSS pixel at 400 px page width; the page scales the drawing to its column.
    static let width = 340.0
    let height: Double

    init(height: Double) { self.height = height }

    /// The figure: drawing, and its caption under it.
    func figure(_ chart: Chart, _ drawing: [HTML]) -> HTML {
        .element(
            "figure", [:], Self.caption(chart),
            .element(
                "svg",
                [
                    "xmlns": "http://www.w3.org/2000/svg",
                    "viewBox": "0 0 \(Self.width.coordinate) \(height.coordinate)", "role": "img",
                    "aria-label": "\(chart.title). \(chart.description)".unquoted,
                ],
                [
                    .element("title", [:], HTML(chart.title.unquoted)),
                    .element("desc", [:], HTML(chart.description.unquoted)),
                ] + drawing))
    }

    /// The title and the sentence over a drawing.
    static func caption(_ chart: Chart) -> HTML {
        .element("figcaption", [:], .element("strong", [:], .prose(chart.title)), .prose(" " + chart.description))
    }

    func text(_ label: String, x: Double, y: Double, anchor: String) -> HTML {
        .element(
            "text", ["x": x.coordinate, "y": y.coordinate, "text-anchor": anchor], HTML(label))
    }
}
