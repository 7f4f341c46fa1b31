/// What every chart has: a box to draw in, a title and a description for those who do not see it.
struct ChartFrame {
    /// In SVG units, about a CSS pixel at 400 px page width; the page scales the drawing to its column.
    static let width = 340.0
    let height: Double
    let plotLeft = 52.0
    let plotRight = width - 8
    /// The names of the series, which stand over the plot in the colours of their lines; none of one series alone.
    let key: [String]

    init(height: Double, key: [String] = []) {
        self.height = height
        self.key = key.count > 1 ? key : []
    }

    var plotTop: Double { key.isEmpty ? 10 : 22 }
    var plotBottom: Double { height - 22 }

    /// The figure: drawing, and its caption under it.
    func figure(_ chart: Chart, _ drawing: [HTML]) -> HTML {
        .element(
            "figure", [:],
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
                ] + names + drawing),
            .element("figcaption", [:], .element("strong", [:], .prose(chart.title)), .prose(" " + chart.description)))
    }

    /// The class of a series' line, marks and name.
    static func kind(_ index: Int) -> String { index == 0 ? "first" : index == 1 ? "second" : "third" }

    private var names: [HTML] {
        guard !key.isEmpty else { return [] }
        let parts = key.enumerated().map { index, name in
            HTML.element("tspan", ["class": Self.kind(index), "dx": index == 0 ? "0" : "12"], HTML(name))
        }
        return [.element("text", ["class": "key", "x": plotLeft.coordinate, "y": "11"], parts)]
    }

    /// Horizontal grid lines with their numbers.
    func horizontalGrid(_ scale: ChartScale, label: (Double) -> String = ChartText.compact) -> [HTML] {
        scale.ticks(4).flatMap { value -> [HTML] in
            let y = scale.pixel(value).coordinate
            return [
                .shape(
                    "line",
                    [
                        "class": "grid", "x1": plotLeft.coordinate, "x2": plotRight.coordinate, "y1": y, "y2": y,
                    ]),
                text(label(value), x: plotLeft - 4, y: scale.pixel(value) + 3.5, anchor: "end"),
            ]
        }
    }

    /// The days of the first and the last of what is drawn under the plot.
    func days(_ points: [Chart.Point], _ scale: ChartScale) -> [HTML] {
        guard let first = points.first, let last = points.last else { return [] }
        let ends = [(first, "start")] + (last.instant > first.instant ? [(last, "end")] : [])
        return ends.map { point, anchor in
            text(point.label, x: scale.pixel(Double(point.instant)), y: height - 6, anchor: anchor)
        }
    }

    /// A label.
    func text(_ label: String, x: Double, y: Double, anchor: String) -> HTML {
        .element(
            "text", ["x": x.coordinate, "y": y.coordinate, "text-anchor": anchor], HTML(label))
    }
}
