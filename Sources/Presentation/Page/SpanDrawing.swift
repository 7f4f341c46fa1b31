/// Draws values of spans of time: a line for each series, a band from the smallest to the largest value around it.
enum SpanDrawing {
    static func figure(_ series: [Chart.Series], _ chart: Chart) -> HTML {
        let series = series.filter { !$0.isTotal } + series.filter(\.isTotal)
        let frame = ChartFrame(height: 170, key: key(series))
        let spans = series.flatMap(\.spans)
        let ends = spans.flatMap { [Double($0.start), Double($0.end)] }
        let x = ChartScale(ends, fromZero: false, pixels: (frame.plotLeft + 2, frame.plotRight - 2))
        let values = spans.map(\.value) + spans.compactMap(\.range).flatMap { [$0.lowerBound, $0.upperBound] }
        let isBanded = spans.contains { $0.range != nil }
        let y = ChartScale(values, fromZero: !isBanded, pixels: (frame.plotBottom, frame.plotTop))
        var drawing = frame.horizontalGrid(y) + frame.days(days(spans), x)
        // The first line lies over the others, and the total under them.
        for (index, one) in series.enumerated().reversed() {
            drawing += bands(one, index, x, y) + line(one, index, x, y)
        }
        return frame.figure(chart, drawing)
    }

    /// The names with the classes of their lines; those of lines that are broken begin as these look.
    private static func key(_ series: [Chart.Series]) -> [(name: String, kind: String)] {
        series.enumerated().map { index, one in
            if one.isTotal { return ("- - \(one.name)", "total") }
            return (index > 2 ? "··· \(one.name)" : one.name, ChartFrame.kind(index))
        }
    }

    /// The first and the last day.
    private static func days(_ spans: [Chart.Span]) -> [Chart.Point] {
        let ends = [spans.min { $0.start < $1.start }, spans.max { $0.start < $1.start }]
        return ends.compactMap(\.self).map { Chart.Point($0.start, $0.label, $0.value) }
    }

    private static func bands(_ series: Chart.Series, _ index: Int, _ x: ChartScale, _ y: ChartScale) -> [HTML] {
        var path = ""
        for span in series.spans {
            guard let range = span.range else { continue }
            let (left, right) = (x.pixel(Double(span.start)), x.pixel(Double(span.end)))
            let (top, bottom) = (y.pixel(range.upperBound), y.pixel(range.lowerBound))
            path += ChartText.bar(x: left, y: top, width: max(right - left, 0.6), height: max(bottom - top, 0.6))
        }
        return path.isEmpty ? [] : [.shape("path", ["class": "bar band \(ChartFrame.kind(index))", "d": path])]
    }

    /// A line that is broken where nothing was recorded; a span between two gaps is a dot.
    private static func line(_ series: Chart.Series, _ index: Int, _ x: ChartScale, _ y: ChartScale) -> [HTML] {
        var path = ""
        var last: Int64?
        for span in series.spans {
            let place = "\(x.pixel(middle(span)).coordinate) \(y.pixel(span.value).coordinate)"
            path += last == span.start ? "L\(place)" : "M\(place)h.01"
            last = span.end
        }
        let kind = series.isTotal ? "line total" : "line \(ChartFrame.kind(index))"
        return [.shape("path", ["class": kind, "d": path])]
    }

    private static func middle(_ span: Chart.Span) -> Double { Double(span.start) + Double(span.end - span.start) / 2 }
}
