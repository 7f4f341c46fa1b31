/// Draws charts as SVG.
enum ChartDrawing {
    static func figure(_ chart: Chart) -> HTML {
        switch chart.drawing {
        case .line(let points): line(points, chart)
        case .bars(let points): bars(points, chart)
        case .pairs(let pairs): self.pairs(pairs, chart)
        case .spans(let series): SpanDrawing.figure(series, chart)
        case .matrix(let matrix): MatrixDrawing.figure(matrix, chart)
        case .readings(let series, let isPace): ReadingDrawing.figure(series, isPace: isPace, chart)
        case .outline(let lines): OutlineDrawing.figure(lines, chart)
        }
    }

    private static func line(_ points: [Chart.Point], _ chart: Chart) -> HTML {
        let frame = ChartFrame(height: 150)
        let x = ChartScale(
            points.map { Double($0.instant) }, fromZero: false, pixels: (frame.plotLeft + 6, frame.plotRight - 6))
        let y = ChartScale(points.map(\.value), fromZero: true, pixels: (frame.plotBottom, frame.plotTop))
        let places = points.map { (x.pixel(Double($0.instant)).coordinate, y.pixel($0.value).coordinate) }
        let path = places.map { "\($0),\($1)" }.joined(separator: " ")
        let dots = zip(points, places).map { point, place in
            HTML.shape(
                "circle",
                [
                    "class": point.isMarked ? "dot side" : "dot", "cx": place.0, "cy": place.1,
                    "r": point.isMarked ? "4" : "2.5",
                ])
        }
        return frame.figure(
            chart,
            frame.horizontalGrid(y) + frame.days(points, x) + [.shape("polyline", ["class": "line", "points": path])]
                + dots)
    }

    private static func bars(_ points: [Chart.Point], _ chart: Chart) -> HTML {
        let frame = ChartFrame(height: 150)
        let x = ChartScale(
            points.map { Double($0.instant) }, fromZero: false, pixels: (frame.plotLeft + 4, frame.plotRight - 4))
        let y = ChartScale(points.map(\.value), fromZero: true, pixels: (frame.plotBottom, frame.plotTop))
        let zero = y.pixel(0)
        let width = min(max((frame.plotRight - frame.plotLeft) / Double(max(points.count, 1)) * 0.7, 1), 14)
        let bars = points.map { point in
            let top = y.pixel(point.value)
            return HTML.shape(
                "rect",
                [
                    "class": point.value < 0 ? "bar less" : "bar more",
                    "x": (x.pixel(Double(point.instant)) - width / 2).coordinate, "y": min(top, zero).coordinate,
                    "width": width.coordinate, "height": max(abs(top - zero), 0.5).coordinate,
                ])
        }
        let axis = HTML.shape(
            "line",
            [
                "class": "axis", "x1": frame.plotLeft.coordinate, "x2": frame.plotRight.coordinate,
                "y1": zero.coordinate, "y2": zero.coordinate,
            ])
        return frame.figure(chart, frame.horizontalGrid(y) + frame.days(points, x) + bars + [axis])
    }

    private static func pairs(_ pairs: [Chart.Pair], _ chart: Chart) -> HTML {
        let frame = ChartFrame(height: Double(pairs.count) * 66 + 8)
        // A letter is about six units wide; the bars of all pairs begin at one place.
        let left = max(52, Double(pairs.flatMap(\.sides).map(\.count).max() ?? 0) * 6 + 10)
        let room = ChartFrame.width - 98 - left
        var drawing: [HTML] = []
        for (index, pair) in pairs.enumerated() {
            let top = Double(index) * 66 + 14
            drawing.append(frame.text(pair.name, x: 4, y: top, anchor: "start"))
            let most = max(pair.before, pair.after, .leastNormalMagnitude)
            for (row, value) in [pair.before, pair.after].enumerated() {
                let y = top + 7 + Double(row) * 20
                let width = value / most * room
                drawing += [
                    frame.text(pair.sides[row], x: left - 6, y: y + 11, anchor: "end"),
                    .shape(
                        "rect",
                        [
                            "class": row == 0 ? "bar first" : "bar second", "x": left.coordinate, "y": y.coordinate,
                            "width": max(width, 0.5).coordinate, "height": "15",
                        ]),
                    frame.text(pair.texts[row], x: left + width + 4, y: y + 11, anchor: "start"),
                ]
            }
        }
        return frame.figure(chart, drawing)
    }
}
