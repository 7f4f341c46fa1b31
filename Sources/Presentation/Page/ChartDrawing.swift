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
        case .outline(let lines, let marks, let isPace): OutlineDrawing(isPace: isPace).figure(lines, marks, chart)
        case .levels(let levels): self.levels(levels, chart)
        }
    }

    /// Bars of all rows on one scale; of several sides one under the other.
    private static func levels(_ levels: [Chart.Level], _ chart: Chart) -> HTML {
        let (bar, left) = (14.0, 118.0)
        let sides = levels.map(\.values.count).max() ?? 0
        let row = Double(sides) * (bar + 2) + 8
        let frame = ChartFrame(height: Double(levels.count) * row + 4)
        let most = max(levels.flatMap(\.values).compactMap(\.self).max() ?? 0, .leastNormalMagnitude)
        let room = ChartFrame.width - left - 64
        var drawing: [HTML] = []
        for (index, level) in levels.enumerated() {
            let top = Double(index) * row + 4
            drawing.append(frame.text(level.name, x: left - 8, y: top + 11, anchor: "end"))
            for (side, value) in level.values.enumerated() {
                let y = top + Double(side) * (bar + 2)
                let width = (value ?? 0) / most * room
                drawing += [
                    .shape(
                        "rect",
                        [
                            "class": side == 0 ? "bar first" : "bar second", "x": left.coordinate, "y": y.coordinate,
                            "width": max(width, 0.5).coordinate, "height": bar.coordinate,
                        ]),
                    frame.text(level.texts[side], x: left + width + 5, y: y + 11, anchor: "start"),
                ]
            }
        }
        return frame.figure(chart, drawing)
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
