internal import Presentation

/// How many records of a type were visible at each observation of the chain, with the two compared ones marked.
enum CountChart {
    /// One observation.
    struct Point {
        var observedAt: Int64
        /// The day of the export on the phone's clock.
        var day: String
        var count: Int64
        /// Whether it is one of the two observations that are compared.
        var isSide: Bool
    }

    static func figure(_ points: [Point]) -> HTML {
        let frame = ChartFrame(height: 150)
        let x = ChartScale(
            points.map { Double($0.observedAt) }, fromZero: false, pixels: (frame.plotLeft + 6, frame.plotRight - 6))
        let y = ChartScale(
            points.map { Double($0.count) }, fromZero: true, pixels: (frame.plotBottom, frame.plotTop))
        var drawing = frame.horizontalGrid(y) { compact($0) }
        drawing += frame.days(points.map { ($0.observedAt, $0.day) }, x)
        let path = points.map {
            ChartText.coordinate(x.pixel(Double($0.observedAt))) + "," + ChartText.coordinate(y.pixel(Double($0.count)))
        }.joined(separator: " ")
        drawing.append(.shape("polyline", ["class": "line", "points": path]))
        for point in points {
            drawing.append(
                .shape(
                    "circle",
                    [
                        "class": point.isSide ? "dot side" : "dot",
                        "cx": ChartText.coordinate(x.pixel(Double(point.observedAt))),
                        "cy": ChartText.coordinate(y.pixel(Double(point.count))), "r": point.isSide ? "4" : "2.5",
                    ]))
        }
        return frame.figure(
            title: "Visible records", description: describe(points), drawing: drawing)
    }

    private static func describe(_ points: [Point]) -> String {
        let sides = points.filter(\.isSide).map { Counts.grouped($0.count) }
        return "At \(Counts.of(points.count, "observation")) of the chain; compared here: "
            + sides.joined(separator: " and ") + "."
    }

    /// `1,200`, `12k`, `3.4M`.
    static func compact(_ value: Double) -> String {
        func one(_ scaled: Double, _ suffix: String) -> String {
            ChartText.coordinate((scaled * 10).rounded() / 10) + suffix
        }
        return switch value.magnitude {
        case ..<10_000: ChartText.coordinate(value)
        case ..<1_000_000: one(value / 1_000, "k")
        case ..<1_000_000_000: one(value / 1_000_000, "M")
        case ..<1e12: one(value / 1e9, "G")
        default: one(value / 1e12, "T")
        }
    }
}
