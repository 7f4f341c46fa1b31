internal import Basics

extension Plot {
    /// Where a strip lies in the drawing.
    private static let (stripTop, stripHeight) = (970.0, 30.0)

    /// Values of spans of time.
    init(_ chart: Chart, _ series: [Chart.Series]) {
        let spans = series.filter { $0.look != .strip }.flatMap(\.spans)
        let values = spans.map(\.value) + spans.compactMap(\.range).flatMap { [$0.lowerBound, $0.upperBound] }
        let hasBars = series.contains { $0.look == .bars || $0.look == .then }
        let isBanded = spans.contains { $0.range != nil }
        self.init(
            chart, xs: spans.flatMap { [Double($0.start), Double($0.end)] }, ys: values, isTime: true,
            fromZero: hasBars || !isBanded && !Self.isHigh(values), least: hasBars ? 0 : 0.05)
        let hasLines = series.contains { $0.look == .line }
        barKind = series.contains { $0.look == .then } ? "second" : hasLines ? "total" : "first"
        // The first line lies over the others, and what is made of them under them.
        let ordered = series.filter { $0.look == .line } + series.filter { $0.look != .line }
        for (index, one) in ordered.enumerated().reversed() { draw(one, index) }
        key = ordered.enumerated().map { index, one in
            switch one.look {
            case .total: ("- - \(one.name)", "total")
            case .then: (one.name, "first")
            case .bars: (one.name, barKind)
            case .strip: ("▬ \(one.name)", "second")
            case .line: (index > 2 ? "··· \(one.name)" : one.name, Self.kind(index))
            }
        }
        addColumns(ordered)
    }

    /// Whether values lie so far from zero that a scale from there on would flatten them.
    private static func isHigh(_ values: [Double]) -> Bool {
        guard let least = values.min(), let most = values.max() else { return false }
        return least > 0 && most > 0 && least / most > 0.4
    }

    private mutating func draw(_ series: Chart.Series, _ index: Int) {
        switch series.look {
        case .bars, .then:
            let path = series.spans.map { span in
                let (left, right) = (x.pixel(Double(span.start)), x.pixel(Double(span.end)))
                return bar(left + (right - left) * 0.07, max((right - left) * 0.86, 0.8), span.value)
            }
            // Those behind are drawn first.
            shapes.insert(
                Shape(kind: series.look == .then ? "bar then first" : "bar \(barKind)", path: path.joined()),
                at: series.look == .then ? 0 : shapes.count)
        case .strip:
            let (top, height) = (Self.stripTop, Self.stripHeight)
            add(
                "strip",
                series.spans.map { span in
                    let (left, right) = (x.pixel(Double(span.start)), x.pixel(Double(span.end)))
                    return ChartText.bar(x: left, y: top, width: max(right - left, 1.5), height: height)
                }.joined())
        case .line, .total:
            let kind = series.look == .total ? "total" : Self.kind(index)
            addBand(series, kind)
            let spans = series.spans
            let joins = zip(spans, spans.dropFirst()).count { $0.end == $1.start }
            if spans.count > 2, Double(joins) < Double(spans.count - 1) * 0.75 {
                add("points \(kind)", spans.map { "M\(place($0, $0.value))h.01" }.joined())
                add("line base \(kind)", baseline(spans))
            } else {
                addLine(spans, kind)
            }
        }
    }

    private mutating func addBand(_ series: Chart.Series, _ kind: String) {
        var path = ""
        for span in series.spans {
            guard let range = span.range else { continue }
            let (left, right) = (x.pixel(Double(span.start)), x.pixel(Double(span.end)))
            let (top, bottom) = (y.pixel(range.upperBound), y.pixel(range.lowerBound))
            path += ChartText.bar(x: left, y: top, width: max(right - left, 0.8), height: max(bottom - top, 3))
        }
        add("bar band \(kind)", path)
    }

    /// A line that is broken where nothing was recorded; a span between two gaps is a dot.
    private mutating func addLine(_ spans: [Chart.Span], _ kind: String) {
        var path = ""
        var last: Int64?
        for span in spans {
            path += last == span.start ? "L\(place(span, span.value))" : "M\(place(span, span.value))h.01"
            last = span.end
        }
        add("line \(kind)", path)
    }

    /// Values that are few are joined by the mean of each with its neighbours.
    private func baseline(_ spans: [Chart.Span]) -> String {
        spans.indices.map { index in
            let near = spans[max(0, index - 3)...min(spans.count - 1, index + 3)]
            let mean = near.reduce(0) { $0 + $1.value } / Double(near.count)
            return (index == 0 ? "M" : "L") + place(spans[index], mean)
        }.joined()
    }

    private func place(_ span: Chart.Span, _ value: Double) -> String {
        let middle = Double(span.start) + Double(span.end - span.start) / 2
        return "\(x.pixel(middle).coordinate) \(y.pixel(value).coordinate)"
    }

    private mutating func addColumns(_ series: [Chart.Series]) {
        var found: [Int64: (end: Int64, label: String, texts: [String])] = [:]
        for one in series {
            for span in one.spans {
                let range = span.range.map {
                    $0.lowerBound < $0.upperBound ? " (\(text($0.lowerBound)) to \(text($0.upperBound)))" : ""
                }
                let name = series.count > 1 && one.look != .strip ? "\(one.name) " : ""
                let value = one.look == .strip ? "\(Counts.grouped(Int64(span.value))) \(one.name)" : text(span.value)
                found[span.start, default: (span.end, span.label, [])].texts.append(name + value + (range ?? ""))
            }
        }
        columns = found.sorted { $0.key < $1.key }.map { start, column in
            Column(
                start: Double(start), end: Double(column.end),
                title: "\(column.label): \(column.texts.joined(separator: ", "))")
        }
    }
}
