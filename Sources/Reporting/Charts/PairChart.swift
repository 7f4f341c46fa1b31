internal import Presentation

/// Two quantities before and after as pairs of bars, each pair on a scale of its own.
enum PairChart {
    /// One quantity.
    struct Pair {
        var name: String
        var before: Double
        var after: Double
        var text: (Double) -> String
    }

    static func figure(title: String, description: String, _ pairs: [Pair]) -> HTML {
        let frame = ChartFrame(height: Double(pairs.count) * 66 + 8)
        let room = ChartFrame.width - 150
        var drawing: [HTML] = []
        for (index, pair) in pairs.enumerated() {
            let top = Double(index) * 66 + 14
            drawing.append(frame.text(pair.name, x: 4, y: top, anchor: "start"))
            let most = max(pair.before, pair.after, .leastNormalMagnitude)
            for (row, side) in [("before", pair.before), ("after", pair.after)].enumerated() {
                let y = top + 7 + Double(row) * 20
                let width = side.1 / most * room
                drawing.append(frame.text(side.0, x: 46, y: y + 11, anchor: "end"))
                drawing.append(
                    .shape(
                        "rect",
                        [
                            "class": row == 0 ? "bar first" : "bar second", "x": "52", "y": ChartText.coordinate(y),
                            "width": ChartText.coordinate(max(width, 0.5)), "height": "15",
                        ]))
                drawing.append(
                    frame.text(pair.text(side.1), x: 52 + width + 4, y: y + 11, anchor: "start"))
            }
        }
        return frame.figure(title: title, description: description, drawing: drawing)
    }
}
