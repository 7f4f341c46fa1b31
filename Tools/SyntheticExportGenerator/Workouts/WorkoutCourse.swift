/// How hard a workout was from second to second: what speed, heart rate, power, steps and energy follow from.
struct WorkoutCourse {
    /// Seconds of one sport and one effort; a pause and the change between two sports have no sport.
    struct Stretch {
        let start: Int
        let end: Int
        let activity: SimulatedWorkout.Activity?
        /// 0 at rest, 1 all out.
        let effort: Double
    }

    struct Pause {
        let start: Int
        let end: Int
        /// Whether the watch noticed by itself: then `MotionPaused` and `MotionResumed` stand beside the events.
        let isMotion: Bool
    }

    /// Without gaps from the start of the workout to its end.
    let stretches: [Stretch]
    let pauses: [Pause]

    /// The course of a workout; an app's copy knows none.
    init(_ workout: SimulatedWorkout) {
        var random = SeededGenerator(Hashing.mix(workout.hash ^ 0x0C0F_FEE5))
        let pauses = Self.pauses(of: workout, &random)
        var result: [Stretch] = []
        var at = workout.start
        for leg in workout.legs {
            if leg.start > at { result.append(Stretch(start: at, end: leg.start, activity: nil, effort: 0.15)) }
            result += Self.stretches(of: leg, hash: workout.hash, &random)
            at = leg.end
        }
        for pause in pauses { result = result.flatMap { Self.cut($0, pause) } }
        stretches = result
        self.pauses = pauses
    }

    /// Seconds that were no pause.
    func activeSeconds(_ start: Int, _ end: Int) -> Int {
        pauses.reduce(end - start) { $0 - max(0, min(end, $1.end) - max(start, $1.start)) }
    }

    /// The interval without its pauses.
    func activeParts(_ start: Int, _ end: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var at = start
        for pause in pauses where pause.end > start && pause.start < end {
            if pause.start > at { parts.append(at..<pause.start) }
            at = pause.end
        }
        if end > at { parts.append(at..<end) }
        return parts
    }

    private static func pauses(of workout: SimulatedWorkout, _ random: inout SeededGenerator) -> [Pause] {
        let length = workout.end - workout.start
        guard workout.activity != .triathlon, workout.activity != .strength, length >= 1300 else { return [] }
        guard workout.hash % 4 == 0, workout.isWatchs, workout.recordingStart == workout.start else { return [] }
        let places = workout.hash % 12 == 0 ? [length / 4, length / 4 + 200] : [length / 3]
        return places.map { place in
            let start = workout.start + place + random.integer(0...20)
            return Pause(start: start, end: start + random.integer(8...150), isMotion: random.chance(0.6))
        }
    }

    /// Warming up, then intervals or a steady effort, then the way home.
    private static func stretches(
        of leg: SimulatedWorkout.Leg, hash: UInt64, _ random: inout SeededGenerator
    ) -> [Stretch] {
        let isInterval = (leg.activity == .running || leg.activity == .cycling) && hash >> 8 % 3 == 0
        let base = leg.activity == .walking || leg.activity == .strength ? 0.3 : 0.5
        var result: [Stretch] = []
        var at = leg.start
        func add(_ seconds: Int, _ effort: Double) {
            let end = min(leg.end, at + seconds)
            guard end > at else { return }
            result.append(Stretch(start: at, end: end, activity: leg.activity, effort: effort))
            at = end
        }
        add(isInterval ? 480 : 180, base * 0.85)
        while at < leg.end {
            if isInterval, leg.end - at > 480 {
                add(180, 0.9 + random.unit() * 0.05)
                add(120, 0.42)
            } else {
                add(random.integer(60...300), base + random.between(-0.08, 0.08))
            }
        }
        return result
    }

    /// The stretch with the seconds of a pause at rest.
    private static func cut(_ stretch: Stretch, _ pause: Pause) -> [Stretch] {
        let first = max(stretch.start, pause.start)
        let last = min(stretch.end, pause.end)
        guard first < last else { return [stretch] }
        return [
            Stretch(start: stretch.start, end: first, activity: stretch.activity, effort: stretch.effort),
            Stretch(start: first, end: last, activity: nil, effort: 0),
            Stretch(start: last, end: stretch.end, activity: stretch.activity, effort: stretch.effort),
        ].filter { $0.end > $0.start }
    }
}
