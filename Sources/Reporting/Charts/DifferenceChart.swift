internal import Presentation

/// By how much each day's aggregate differs between the two observations.
///
/// A long time is drawn in equal spans of days, each with the sum of its days' differences for amounts and the one
/// farthest from zero for readings, so that a drawing has a bounded number of bars.
enum DifferenceChart {
    /// One local day whose aggregate differs.
    struct Day {
        /// The day's first instant.
        var start: Int64
        /// `2024-05-01`, in the zone whose day it is.
        var label: String
        var difference: Double
    }

    /// Bars of one drawing at most.
    static let maximumBars = 120

    /// - Parameters:
    ///   - what: what differs, `sum`, `mean` or `number of records`.
    ///   - addsUp: whether the differences of several days together are their sum.
    ///   - remark: a sentence on what is not drawn.
    static func figure(_ days: [Day], what: String, unit: String, zone: String, addsUp: Bool, remark: String) -> HTML {
        let frame = ChartFrame(height: 150)
        let bars = bars(days, addsUp: addsUp)
        let numbers = bars.map { Double($0.start) }
        let x = ChartScale(numbers, fromZero: false, pixels: (frame.plotLeft + 4, frame.plotRight - 4))
        let y = ChartScale(bars.map(\.difference), fromZero: true, pixels: (frame.plotBottom, frame.plotTop))
        var drawing = frame.horizontalGrid(y) { CountChart.compact($0) }
        drawing += frame.days(bars.map { ($0.start, $0.label) }, x)
        let zero = y.pixel(0)
        let width = min(max((frame.plotRight - frame.plotLeft) / Double(max(bars.count, 1)) * 0.7, 1), 14)
        for bar in bars {
            let at = y.pixel(bar.difference)
            drawing.append(
                .shape(
                    "rect",
                    [
                        "class": bar.difference < 0 ? "bar less" : "bar more",
                        "x": ChartText.coordinate(x.pixel(Double(bar.start)) - width / 2),
                        "y": ChartText.coordinate(min(at, zero)), "width": ChartText.coordinate(width),
                        "height": ChartText.coordinate(max(abs(at - zero), 0.5)),
                    ]))
        }
        drawing.append(
            .shape(
                "line",
                [
                    "class": "axis", "x1": ChartText.coordinate(frame.plotLeft),
                    "x2": ChartText.coordinate(frame.plotRight),
                    "y1": ChartText.coordinate(zero), "y2": ChartText.coordinate(zero),
                ]))
        return frame.figure(
            title: "Daily \(what), after minus before",
            description: "\(Counts.of(days.count, "day")) of \(zone) with another \(what)"
                + (unit.isEmpty ? "" : ", in \(unit)")
                + (bars.count < days.count ? "; drawn in spans of several days." : ".") + remark,
            drawing: drawing)
    }

    private static func bars(_ days: [Day], addsUp: Bool) -> [Day] {
        guard days.count > maximumBars, let first = days.first?.start, let last = days.last?.start else { return days }
        let span = (last - first) / Int64(maximumBars) + 1
        var bars: [Day] = []
        for day in days {
            let start = first + (day.start - first) / span * span
            if let index = bars.indices.last, bars[index].start == start {
                let known = bars[index].difference
                bars[index].difference =
                    addsUp
                    ? known + day.difference : (day.difference.magnitude > known.magnitude ? day.difference : known)
            } else {
                bars.append(Day(start: start, label: day.label, difference: day.difference))
            }
        }
        return bars
    }
}
