/// Whether a local day differs between two observations.
struct DayComparison {
    let clock: ZoneClock
    let meter: DayMeter

    /// The day where it changed; a value that only another unit, or a sum that only other rounding
    /// prints differently did not.
    ///
    /// - Parameter states: the series of the day that are visible at either observation.
    func change(on day: Int64, _ states: [[Int64: Aggregate]]) -> ChangedDays.Day? {
        let before = meter.measure(states[0])
        let after = meter.measure(states[1])
        func changed(_ before: DayMeasure?, _ after: DayMeasure?, by difference: Double?) -> ChangedDays.Day {
            .init(
                label: LocalDate.text(day: day), start: clock.start(of: day), before: before, after: after,
                difference: difference)
        }
        guard let before, let after else {
            guard let only = before ?? after, only.kind != .mean else { return changed(before, after, by: nil) }
            return changed(before, after, by: after == nil ? -only.value : only.value)
        }
        guard let (old, new) = meter.aligned(before, after) else { return changed(before, after, by: nil) }
        let difference = new.value - old.value
        if before.unit == after.unit, old.value == new.value { return nil }
        // Either side was rounded to six digits: in its own unit, or once a record or once for all of them.
        let isRounding = DayFigures.isRounding(old.value, new.value)
        // Condensed records represent as many samples as there were before, so their mean is the same.
        let isRewritten =
            old.count == new.count ? before.unit != after.unit : old.kind == .sum || old.samples == new.samples
        if isRounding, isRewritten { return nil }
        return changed(old, new, by: difference)
    }
}
