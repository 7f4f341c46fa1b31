/// What every chart has: a box to draw in, a title and a description for those who do not see it.
struct ChartFrame {
    /// In SVG units, about a CSS pixel at 400 px page width; the page scales the drawing to its column.
    static let width = 340.0
    let height: Double
    let plotLeft = 52.0
    let plotRight = width - 8
    /// The names of the series, which stand over the plot in the colours of their lines, in as many rows as they need; none
    /// of one series alone.
    private let key: [[(name: String, kind: String)]]

    /// - Parameter key: the names of the series, with the classes of their lines.
    init(height: Double, key: [(name: String, kind: String)] = []) {
        self.key = key.count > 1 ? Self.rows(key) : []
        self.height = height + Double(max(0, self.key.count - 1)) * Self.keyHeight
    }

    private static let keyHeight = 12.0
    /// In letters.
    private static let (longestName, longestRow) = (44, 50)

    /// The names in rows that fit over the plot; long ones are cut.
    private static func rows(_ key: [(name: String, kind: String)]) -> [[(name: String, kind: String)]] {
        var rows: [[(name: String, kind: String)]] = []
        var length = longestRow
        for entry in key {
            let name = entry.name.count > longestName ? entry.name.prefix(longestName - 1) + "…" : entry.name
            if length + name.count + 3 > longestRow {
                rows.append([])
                length = 0
            }
            length += name.count + 3
            rows[rows.count - 1].append((name, entry.kind))
        }
        return rows
    }

    var plotTop: Double { 10 + Double(key.count) * Self.keyHeight }
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
    static func kind(_ index: Int) -> String { kinds[min(index, kinds.count - 1)] }

    private static let kinds = ["first", "second", "third", "fourth", "fifth"]

    private var names: [HTML] {
        key.enumerated().map { row, entries in
            let parts = entries.enumerated().map { index, entry in
                HTML.element("tspan", ["class": entry.kind, "dx": index == 0 ? "0" : "12"], HTML(entry.name))
            }
            let y = (11 + Double(row) * Self.keyHeight).coordinate
            return .element("text", ["class": "key", "x": plotLeft.coordinate, "y": y], parts)
        }
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

    func text(_ label: String, x: Double, y: Double, anchor: String) -> HTML {
        .element(
            "text", ["x": x.coordinate, "y": y.coordinate, "text-anchor": anchor], HTML(label))
    }
}
