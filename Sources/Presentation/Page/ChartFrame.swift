/// What every chart has: a box to draw in, a title and a description for those who do not see it.
struct ChartFrame {
    /// In SVG units, about a CSS pixel at 400 px page width; the page scales the drawing to its column.
    static let width = 340.0
    let height: Double
    let left = 52.0
    let right = 8.0
    let top = 10.0
    let bottom = 22.0

    var plotLeft: Double { left }
    var plotRight: Double { Self.width - right }
    var plotTop: Double { top }
    var plotBottom: Double { height - bottom }

    /// The figure: drawing, and its caption under it.
    func figure(_ chart: Chart, _ drawing: [HTML]) -> HTML {
        .element(
            "figure", [:],
            .element(
                "svg",
                [
                    "xmlns": "http://www.w3.org/2000/svg",
                    "viewBox": "0 0 \(ChartText.coordinate(Self.width)) \(ChartText.coordinate(height))",
                    "role": "img", "aria-label": "\(chart.title). \(chart.description)",
                ],
                [.element("title", [:], HTML(chart.title)), .element("desc", [:], HTML(chart.description))] + drawing),
            .element("figcaption", [:], .element("strong", [:], HTML(chart.title)), HTML(" " + chart.description)))
    }

    /// Horizontal grid lines with their numbers.
    func horizontalGrid(_ scale: ChartScale) -> [HTML] {
        scale.ticks(4).flatMap { value -> [HTML] in
            let y = ChartText.coordinate(scale.pixel(value))
            return [
                .shape(
                    "line",
                    [
                        "class": "grid", "x1": ChartText.coordinate(plotLeft), "x2": ChartText.coordinate(plotRight),
                        "y1": y,
                        "y2": y,
                    ]),
                text(ChartText.compact(value), x: plotLeft - 4, y: scale.pixel(value) + 3.5, anchor: "end"),
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
            "text", ["x": ChartText.coordinate(x), "y": ChartText.coordinate(y), "text-anchor": anchor], HTML(label))
    }
}
