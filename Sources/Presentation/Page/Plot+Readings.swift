internal import Basics

extension Plot {
    /// Measurements: instants as dots, intervals as bars of their length, nothing between them.
    init(_ chart: Chart, _ series: [Chart.Marks], isPace: Bool) {
        let marks = series.flatMap(\.marks)
        self.init(
            chart, xs: marks.flatMap { [$0.begin, $0.end] } + (chart.isOfTime ? [] : [0]), ys: marks.map(\.value),
            isTime: chart.isOfTime, fromZero: false, isPace: isPace, least: 0.05)
        for (index, one) in series.enumerated() {
            var (dots, bars) = ("", "")
            for mark in one.marks {
                let (left, right) = (x.pixel(mark.begin), x.pixel(mark.end))
                let place = "M\(left.coordinate) \(y.pixel(mark.value).coordinate)"
                if right - left < 3 { dots += place + "h.01" } else { bars += place + "H\(right.coordinate)" }
            }
            add("mark dots \(Self.kind(index))\(one.marks.count < 150 ? " few" : "")", dots)
            add("mark spans \(Self.kind(index))", bars)
        }
        key = series.enumerated().map { ($1.name, Self.kind($0)) }
        addSlots(series)
    }

    /// Readings are too many to point at each: a slot says the range of its own.
    private mutating func addSlots(_ series: [Chart.Marks]) {
        let count = 100.0
        let width = (x.high - x.low) / count
        guard width.isFinite, width > 0 else { return }
        var slots: [Int: [Int: (low: Double, high: Double)]] = [:]
        for (index, one) in series.enumerated() {
            for mark in one.marks where mark.begin.isFinite && mark.end.isFinite && mark.value.isFinite {
                let ends = [(mark.begin - x.low) / width, ((mark.end - x.low) / width).rounded(.up) - 1].map {
                    Int(min(count - 1, max(0, $0)))
                }
                for slot in ends[0]...max(ends[0], ends[1]) {
                    let known = slots[slot]?[index]
                    slots[slot, default: [:]][index] = (
                        min(known?.low ?? mark.value, mark.value), max(known?.high ?? mark.value, mark.value)
                    )
                }
            }
        }
        columns = slots.sorted { $0.key < $1.key }.map { slot, values in
            let start = x.low + Double(slot) * width
            let texts = values.sorted { $0.key < $1.key }.map { index, range in
                let name = series.count > 1 ? "\(series[index].name) " : ""
                let (low, high) = (text(range.low), text(range.high))
                return name + (low == high ? low : "\(low) to \(high)")
            }
            let place =
                isTime
                ? ISO8601.local(unixSeconds: Int64(start), zone: chart.zone)
                : ChartText.compact((start * 10).rounded() / 10)
            return Column(start: start, end: start + width, title: "\(place): \(texts.joined(separator: ", "))")
        }
    }
}
