/// Draws charts as SVG.
enum ChartDrawing {
    /// - Parameter address: the address of a link; nil where no page answers it.
    static func figure(_ chart: Chart, address: (Document.Link) -> String?) -> HTML {
        switch chart.drawing {
        case .line(let points): Plot(chart, line: points).figure(address)
        case .bars(let points): Plot(chart, bars: points).figure(address)
        case .pairs(let pairs): self.pairs(pairs, chart)
        case .spans(let series): Plot(chart, series).figure(address)
        case .matrix(let matrix): MatrixDrawing.figure(matrix, chart)
        case .readings(let series, let isPace): Plot(chart, series, isPace: isPace).figure(address)
        case .lanes(let lanes): LaneDrawing.figure(lanes, chart, address)
        case .outline(let lines): OutlineDrawing.figure(lines, chart)
        }
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
