internal import Basics

/// A drawing as wide as its column: values over time or over an axis of numbers.
///
/// It has no width of its own: shapes lie in a drawing that is stretched, texts stay as large as those of the page. What is
/// pointed at says its value; of a chart with an entry, each column leads to its interval.
struct Plot {
    /// A part of the axis that is pointed at.
    struct Column {
        var start: Double
        var end: Double
        /// Its place and its value, in words.
        var title: String
    }

    /// A shape of one class, in the stretched drawing.
    struct Shape {
        var kind: String
        var path: String
    }

    let chart: Chart
    let isTime: Bool
    private let isPace: Bool
    let x: ChartScale
    let y: ChartScale
    var columns: [Column] = []
    var shapes: [Shape] = []
    /// The colour of bars: before others it is that of what is later.
    var barKind = "first"
    var key: [(name: String, kind: String)] = []

    /// Shapes lie in a square of so many units.
    private static let size = 1000.0
    /// Pixels: over the plot, its own, and under it; the style sheet keeps the room for numbers beside it.
    private static let (top, height, bottom) = (12.0, 190.0, 22.0)

    init(
        _ chart: Chart, xs: [Double], ys: [Double], isTime: Bool, fromZero: Bool, isPace: Bool = false,
        least: Double = 0
    ) {
        (self.chart, self.isTime, self.isPace) = (chart, isTime, isPace)
        let ends = chart.span.map { [$0.lowerBound, $0.upperBound] } ?? []
        x = ChartScale(xs + ends, fromZero: false, pixels: (0, Self.size))
        // What is highest and lowest is not to lie on the edge.
        let finite = ys.filter(\.isFinite)
        let room = ((finite.max() ?? 0) - (finite.min() ?? 0)) * 0.04
        let edges = fromZero || !room.isFinite ? [] : [(finite.min() ?? 0) - room, (finite.max() ?? 0) + room]
        y = ChartScale(ys + edges, fromZero: fromZero, least: least, pixels: isPace ? (0, Self.size) : (Self.size, 0))
    }

    /// Counts at instants, joined.
    init(_ chart: Chart, line points: [Chart.Point]) {
        self.init(chart, points)
        add("line first", points.enumerated().map { ($0 == 0 ? "M" : "L") + place($1) }.joined())
        add("points first", points.filter { !$0.isMarked }.map { "M\(place($0))h.01" }.joined())
        add("points side second", points.filter(\.isMarked).map { "M\(place($0))h.01" }.joined())
    }

    /// Differences from zero.
    init(_ chart: Chart, bars points: [Chart.Point]) {
        self.init(chart, points)
        let width = min(max(Self.size / Double(max(points.count, 1)) * 0.7, 1.5), 14)
        for (kind, part) in [
            ("bar more", points.filter { $0.value >= 0 }), ("bar less", points.filter { $0.value < 0 }),
        ] {
            add(kind, part.map { bar(x.pixel(Double($0.instant)) - width / 2, width, $0.value) }.joined())
        }
        add("axis", "M0 \(y.pixel(0).coordinate)H\(Self.size.coordinate)")
    }

    private init(_ chart: Chart, _ points: [Chart.Point]) {
        let xs = points.map { Double($0.instant) }
        let margin = max(((xs.max() ?? 0) - (xs.min() ?? 0)) * 0.01, 3600)
        self.init(
            chart, xs: xs.flatMap { [$0 - margin, $0 + margin] }, ys: points.map(\.value), isTime: true, fromZero: true)
        for (index, point) in points.enumerated() {
            let before = index > 0 ? (xs[index - 1] + xs[index]) / 2 : x.low
            let after = index + 1 < xs.count ? (xs[index + 1] + xs[index]) / 2 : x.high
            columns.append(Column(start: before, end: after, title: "\(point.label): \(text(point.value))"))
        }
    }

    private func place(_ point: Chart.Point) -> String {
        "\(x.pixel(Double(point.instant)).coordinate) \(y.pixel(point.value).coordinate)"
    }

    func bar(_ left: Double, _ width: Double, _ value: Double) -> String {
        let (end, zero) = (y.pixel(value), y.pixel(0))
        return ChartText.bar(x: left, y: min(end, zero), width: width, height: max(abs(end - zero), 1))
    }

    mutating func add(_ kind: String, _ path: String) {
        if !path.isEmpty { shapes.append(Shape(kind: kind, path: path)) }
    }

    // MARK: - Drawing

    private static let kinds = ["first", "second", "third", "fourth", "fifth"]

    static func kind(_ index: Int) -> String { kinds[min(index, kinds.count - 1)] }

    func text(_ value: Double) -> String {
        let number = isPace ? Durations.sixties(Int((value * 60).rounded())) : ChartText.exact(value)
        return number + (chart.unit.isEmpty ? "" : " \(chart.unit)")
    }

    /// The figure.
    func figure(_ address: (Document.Link) -> String?) -> HTML {
        let base = chart.entry.flatMap(address)
        let drawing = HTML.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "class": "wide",
                "height": (Self.top + Self.height + Self.bottom).coordinate, "role": base == nil ? "img" : "group",
                "aria-label": "\(chart.title). \(chart.description)".unquoted,
                "tabindex": columns.isEmpty ? nil : "0", "data-start": isTime ? x.low.coordinateOfTime : nil,
                "data-end": isTime ? x.high.coordinateOfTime : nil, "data-base": base,
            ],
            [
                .element("title", [:], HTML(chart.title.unquoted)),
                .element("desc", [:], HTML(chart.description.unquoted)),
            ] + labels + grid + [
                .element(
                    "svg",
                    [
                        "class": "stretched", "y": Self.top.coordinate, "height": Self.height.coordinate,
                        "viewBox": "0 0 1000 1000", "preserveAspectRatio": "none",
                    ],
                    shapes.map { .shape("path", ["class": $0.kind, "d": $0.path]) } + columns.map { hit($0, address) })
            ])
        let names =
            key.count < 2
            ? HTML.empty
            : .element(
                "p", ["class": "key"], key.map { .element("span", ["class": $0.kind], HTML(Self.short($0.name))) })
        return .element(
            "figure", ["class": "plotted"], ChartFrame.caption(chart), names, drawing,
            columns.isEmpty ? .empty : .element("p", ["class": "value", "role": "status"], .empty))
    }

    /// In letters.
    private static let longestName = 44

    private static func short(_ name: String) -> String {
        name.count > longestName ? name.prefix(longestName - 1) + "…" : name
    }

    private func hit(_ column: Column, _ address: (Document.Link) -> String?) -> HTML {
        let left = x.pixel(column.start)
        let title = HTML.element("title", [:], HTML(column.title.unquoted))
        func area(_ content: HTML) -> HTML {
            .element(
                "rect",
                [
                    "class": "hit", "x": left.coordinate, "width": max(x.pixel(column.end) - left, 0.8).coordinate,
                    "height": "1000",
                ], content)
        }
        guard let entry = chart.entry,
            let url = address(entry.over(Int64(column.start), Int64(column.end), chart.zone))
        else { return area(title) }
        return .element("a", ["href": url, "tabindex": "-1"], title, area(.empty))
    }

    /// The numbers beside the grid's lines.
    private var labels: [HTML] {
        let values = y.ticks(4)
        return values.enumerated().map { index, value in
            let label = isPace ? Durations.sixties(Int((value * 60).rounded())) : ChartText.compact(value)
            return .element(
                "text",
                [
                    "x": "-6", "y": (pixel(value) + 4).coordinate, "text-anchor": "end",
                ], HTML(label))
        }
    }

    private func pixel(_ value: Double) -> Double { Self.top + y.pixel(value) / Self.size * Self.height }

    private var grid: [HTML] {
        let lines = y.ticks(4).map { value in
            let y = pixel(value).coordinate
            return HTML.shape("line", ["class": "grid", "x1": "0", "x2": "100%", "y1": y, "y2": y])
        }
        let ticks =
            isTime
            ? TimeTicks.make(x.low, x.high, chart.zone) : x.ticks(8).map { ($0, ChartText.compact($0)) }
        return lines
            + ticks.enumerated().flatMap { index, tick -> [HTML] in
                let share = (tick.at - x.low) / (x.high - x.low)
                let place = "\((share * 100).coordinate)%"
                let bottom = Self.top + Self.height
                let line = HTML.shape(
                    "line",
                    [
                        "class": "grid", "x1": place, "x2": place, "y1": Self.top.coordinate,
                        "y2": (bottom + 5).coordinate,
                    ])
                guard share < 0.95 else { return [line] }
                let text = HTML.element(
                    "text",
                    [
                        "class": index % 2 == 1 ? "minor" : nil, "x": place, "dx": "4", "y": (bottom + 16).coordinate,
                    ], HTML(tick.name))
                return [line, text]
            }
    }
}
