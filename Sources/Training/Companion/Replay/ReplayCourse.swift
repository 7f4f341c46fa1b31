package import Foundation

/// A workout as a script sees it: its ticks, and what each variable is there.
///
/// Each variable is computed in full precision, then rounded, then compared.
package struct ReplayCourse: Sendable {
    private let active: ActiveTime
    /// Nil where the workout has no record of distance.
    private let distance: DistanceCurve?
    private let heartRate: HeldValues
    private let zoneBounds: [Double]?
    private let steps: DistanceCurve?
    private let timeZone: TimeZone
    private let target: TargetPace?

    /// A workout that is longer than any is looked at this far, in active seconds: over eleven days.
    private static let mostTicks = 1_000_000.0

    /// - Parameters:
    ///   - distance: readings in metres.
    ///   - zoneBounds: the bounds between heart-rate zones in bpm, ascending; nil for want of zones.
    ///   - steps: readings in steps.
    ///   - timeZone: the zone of the workout's clocks.
    package init(
        _ active: ActiveTime, distance: [Reading], heartRate: [Reading], zoneBounds: [Double]?, steps: [Reading],
        timeZone: TimeZone, target: TargetPace?
    ) {
        self.active = active
        let curves = [distance, steps].map { DistanceCurve($0, active) }
        self.distance = curves[0].isEmpty ? nil : curves[0]
        self.steps = curves[1].isEmpty ? nil : curves[1]
        self.heartRate = HeldValues(heartRate, hold: HeldValues.heartRateHold, within: active.workout.withEnd)
        self.zoneBounds = zoneBounds
        self.timeZone = timeZone
        self.target = target
    }

    /// Passes the ticks in order: each whole active second from 0, and the last one, whole or not.
    ///
    /// - Parameter variables: those that are needed; distance and duration are always there.
    /// - Complexity: O(ticks · log of the readings).
    package func forEachTick(_ variables: Set<TriggerVariable>, _ body: (ReplayTick) -> Void) {
        // The difference of two instants has digits behind its own.
        let end = min(Rounding.measure(active.activeSeconds), Self.mostTicks)
        var seconds = 0.0
        while seconds < end {
            body(tick(at: seconds, variables, isLast: false))
            seconds += 1
        }
        body(tick(at: end, variables, isLast: true))
    }

    private func tick(at seconds: Double, _ variables: Set<TriggerVariable>, isLast: Bool) -> ReplayTick {
        let instant = active.instant(after: seconds)
        let metres = distance?.value(at: instant)
        var values: TriggerValues = [.duration: seconds]
        values[.distance] = metres.map { Rounding.measure($0) }
        let planned = target?.pace(at: values[.distance])
        for variable in variables {
            values[variable] =
                switch variable {
                case .distance, .duration: values[variable]
                case .averagePace: metres.flatMap { $0 < 1 ? nil : Rounding.measure(seconds / $0 * 1000) }
                case .currentPace: currentPace(seconds, instant)
                case .targetPace: planned.map { Rounding.measure($0) }
                case .paceRatio: paceRatio(seconds, instant, metres, planned)
                case .heartRate: heartRate.value(at: instant).map { Rounding.measure($0) }
                case .heartRateZone: zone(instant)
                case .cadence: cadence(seconds, instant)
                case .hour: hour(instant)
                }
        }
        return ReplayTick(
            seconds: seconds, instant: instant, values: values,
            paceRatio: minutePace(seconds, instant).flatMap { pace in planned.map { Rounding.ratio(pace / $0) } },
            isLast: isLast)
    }

    /// What a curve gained in the last active seconds; nil without a curve.
    private func gain(_ curve: DistanceCurve?, _ span: Double, _ seconds: Double, _ instant: Double) -> Double? {
        curve.map { $0.value(in: Interval(active.instant(after: seconds - span), instant)) }
    }

    /// The span of variables that look at the last half minute; nil while it is too short.
    private func halfMinute(_ seconds: Double) -> Double? { seconds < 10 ? nil : min(30, seconds) }

    private func currentPace(_ seconds: Double, _ instant: Double) -> Double? {
        guard let span = halfMinute(seconds), let metres = gain(distance, span, seconds, instant), metres >= 5 else {
            return nil
        }
        return Rounding.measure(span / metres * 1000)
    }

    private func cadence(_ seconds: Double, _ instant: Double) -> Double? {
        guard let span = halfMinute(seconds), let count = gain(steps, span, seconds, instant) else { return nil }
        return Rounding.measure(count / span * 60)
    }

    private func paceRatio(_ seconds: Double, _ instant: Double, _ metres: Double?, _ planned: Double?) -> Double? {
        let span = 180.0
        guard seconds >= span, let metres, let recent = gain(distance, span, seconds, instant) else { return nil }
        let reference = planned.map { 1000 / $0 } ?? metres / seconds
        return reference > 0 ? Rounding.ratio(recent / span / reference) : nil
    }

    /// The pace of the last 60 active seconds, endless for a runner who stands.
    private func minutePace(_ seconds: Double, _ instant: Double) -> Double? {
        let span = 60.0
        guard target != nil, seconds >= span, let metres = gain(distance, span, seconds, instant) else { return nil }
        return metres > 0 ? span / metres * 1000 : .infinity
    }

    private func zone(_ instant: Double) -> Double? {
        guard let zoneBounds, let rate = heartRate.value(at: instant) else { return nil }
        return Double(1 + zoneBounds.count { $0 <= rate })
    }

    private func hour(_ instant: Double) -> Double {
        let local = instant + Double(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: instant)))
        let second = local.truncatingRemainder(dividingBy: 86_400)
        return ((second < 0 ? second + 86_400 : second) / 3600).rounded(.down)
    }
}

extension ReplayCourse {
    /// How far the instant of a fire could lie from where it is: for a distance by the record in which it is reached, for
    /// a heart rate by the length of its reading; 0 for what depends on neither.
    package func uncertaintySeconds(of fire: ReplayFire, plan: ReplayPlan?) -> Double {
        func ofDistance(_ metres: Double?) -> Double {
            guard let metres, metres > 0 else { return 0 }
            return distance?.crossing(of: metres)?.uncertaintySeconds ?? 0
        }
        switch fire.trigger {
        case .every(.metres, let step): return ofDistance(fire.epoch.map { Double($0) * step })
        case .condition(let condition):
            let variables = condition.expression.variables
            let isRate = !variables.isDisjoint(with: [.heartRate, .heartRateZone])
            let isDistance = !variables.isDisjoint(with: [.distance, .currentPace, .averagePace, .paceRatio])
            let reading = isRate ? heartRate.segment(at: fire.tick.instant).map { heartRate.readings[$0.reading] } : nil
            return max(
                reading?.interval.seconds ?? 0, isDistance ? ofDistance(distance?.value(at: fire.tick.instant)) : 0)
        default:
            guard let threshold = fire.trigger.threshold(plan), threshold.axis == .metres else { return 0 }
            return ofDistance(threshold.value)
        }
    }
}

extension Replay {
    /// Plays a script in a workout.
    ///
    /// - Complexity: O(ticks × messages).
    package init(
        _ script: Script, cues: [ScriptMessage] = [], plan: ReplayPlan?, on course: ReplayCourse
    ) {
        let messages = script.messages + cues
        let variables = messages.reduce(into: Set<TriggerVariable>()) { all, message in
            if case .condition(let condition) = message.trigger { all.formUnion(condition.expression.variables) }
        }
        var engine = ReplayEngine(script, cues: cues, plan: plan)
        course.forEachTick(variables) { engine.play($0) }
        self = engine.result()
    }
}
