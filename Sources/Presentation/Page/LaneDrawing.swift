/// Draws intervals of time as bars, in a lane for each thing.
enum LaneDrawing {
    /// Pixels.
    private static let (lane, bottom) = (18.0, 22.0)
    /// In letters.
    private static let longestName = 10

    static func figure(_ lanes: [Chart.Lane], _ chart: Chart, _ address: (Document.Link) -> String?) -> HTML {
        let ends = lanes.flatMap(\.parts).flatMap(\.intervals).flatMap {
            [Double($0.lowerBound), Double($0.upperBound)]
        }
        let span = chart.span.map { [$0.lowerBound, $0.upperBound] } ?? []
        let x = ChartScale(ends + span, fromZero: false, pixels: (0, 1000))
        let height = Double(lanes.count) * lane
        let names = lanes.enumerated().map { row, one -> HTML in
            let short = one.name.count > longestName ? one.name.prefix(longestName - 1) + "…" : one.name
            let text = HTML.element(
                "text", ["x": "-6", "y": (Double(row) * lane + 13).coordinate, "text-anchor": "end"],
                .init(short.unquoted))
            return one.link.flatMap(address).map { .element("a", ["href": $0], text) } ?? text
        }
        let bars = lanes.enumerated().flatMap { row, one in
            one.parts.map { part in
                let path = part.intervals.map { interval in
                    let (start, end) = (x.pixel(Double(interval.lowerBound)), x.pixel(Double(interval.upperBound)))
                    return ChartText.bar(
                        x: start, y: Double(row) * lane + 3, width: max(end - start, 0.8), height: lane - 6)
                }
                return HTML.shape("path", ["class": "lane k\(part.kind % kinds)", "d": path.joined()])
            }
        }
        let places = chart.isOfTime ? TimeTicks.make(x.low, x.high, chart.zone) : hours(x)
        let ticks = places.enumerated().flatMap { index, tick -> [HTML] in
            let share = (tick.at - x.low) / (x.high - x.low)
            let place = "\((share * 100).coordinate)%"
            let line = HTML.shape(
                "line", ["class": "grid", "x1": place, "x2": place, "y1": "0", "y2": (height + 5).coordinate])
            guard share < 0.95 else { return [line] }
            return [
                line,
                .element(
                    "text",
                    [
                        "class": index % 2 == 1 ? "minor" : nil, "x": place, "dx": "4",
                        "y": (height + 16).coordinate,
                    ], HTML(tick.name)),
            ]
        }
        let isLinked = lanes.contains { $0.link.flatMap(address) != nil }
        return .element(
            "figure", ["class": "plotted"], ChartFrame.caption(chart),
            .element(
                "svg",
                [
                    "xmlns": "http://www.w3.org/2000/svg", "class": "lanes", "height": (height + bottom).coordinate,
                    "role": isLinked ? "group" : "img", "aria-label": "\(chart.title). \(chart.description)".unquoted,
                ],
                names + ticks + [
                    .element(
                        "svg",
                        [
                            "class": "stretched", "height": height.coordinate,
                            "viewBox": "0 0 1000 \(height.coordinate)", "preserveAspectRatio": "none",
                        ], bars)
                ]))
    }

    private static let kinds = 6

    /// The full hours of seconds of a day, each third one.
    private static func hours(_ x: ChartScale) -> [(at: Double, name: String)] {
        guard x.low.magnitude < 1e6, x.high.magnitude < 1e6 else { return [] }
        let first = Int((x.low / 10_800).rounded(.up))
        return stride(from: first * 3, to: Int(x.high / 3600) + 1, by: 3).map { hour in
            let shown = (hour % 24 + 24) % 24
            return (Double(hour) * 3600, shown < 10 ? "0\(shown):00" : "\(shown):00")
        }
    }
}
