/// Draws measurements along an axis of numbers: instants as dots, intervals as bars of their length, nothing between them.
enum ReadingDrawing {
    static func figure(_ series: [Chart.Marks], isPace: Bool, _ chart: Chart) -> HTML {
        let frame = ChartFrame(height: 190, key: series.enumerated().map { ($1.name, ChartFrame.kind($0)) })
        let marks = series.flatMap(\.marks)
        let x = ChartScale(
            marks.flatMap { [$0.begin, $0.end] } + [0], fromZero: true,
            pixels: (frame.plotLeft + 4, frame.plotRight - 4))
        let ends = isPace ? (frame.plotTop, frame.plotBottom) : (frame.plotBottom, frame.plotTop)
        let y = ChartScale(marks.map(\.value), fromZero: false, least: 0.05, pixels: ends)
        var drawing = frame.horizontalGrid(
            y, label: isPace ? { Durations.sixties(Int(($0 * 60).rounded())) } : ChartText.compact)
        drawing += x.ticks(6).map {
            frame.text(ChartText.compact($0), x: x.pixel($0), y: frame.height - 6, anchor: "middle")
        }
        for (index, one) in series.enumerated() {
            drawing += shapes(one, index, x, y)
        }
        return frame.figure(chart, drawing)
    }

    /// One path for the dots and one for the bars: a workout has hundreds of them.
    private static func shapes(_ series: Chart.Marks, _ index: Int, _ x: ChartScale, _ y: ChartScale) -> [HTML] {
        var dots = ""
        var bars = ""
        for mark in series.marks {
            let (left, right) = (x.pixel(mark.begin), x.pixel(mark.end))
            let place = "M\(left.coordinate) \(y.pixel(mark.value).coordinate)"
            if right - left < 2 { dots += place + "h.01" } else { bars += place + "H\(right.coordinate)" }
        }
        return [("dots", dots), ("spans", bars)].filter { !$0.1.isEmpty }.map { kind, path in
            .shape("path", ["class": "mark \(kind) \(ChartFrame.kind(index))", "d": path])
        }
    }
}
