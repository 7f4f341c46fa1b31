/// Tells whether a local day comes to something else at the second of two observations.
struct DayComparison {
    let clock: ZoneClock
    let meter: DayMeter

    /// The day where it changed; a value that only another unit prints differently did not.
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
        if before.unit != after.unit {
            // Either side was rounded to six digits in its own unit.
            let tolerance = 1e-5 * max(old.value.magnitude, new.value.magnitude)
            if difference.magnitude <= tolerance, old.count == new.count { return nil }
        } else if old.value == new.value {
            return nil
        }
        return changed(old, new, by: difference)
    }
}
