/// An event of a workout, as the export prints it.
struct WorkoutEvent {
    /// Without the prefix `HKWorkoutEventType`.
    let kind: String
    let instant: Int
    /// Only segments last.
    var seconds: Double?

    /// The events in order of time: pauses, segments of every kilometre and every mile, and some markers.
    static func events(of workout: SimulatedWorkout, phone: SimulatedPhone) -> [WorkoutEvent] {
        guard workout.isWatchs else { return [] }
        var result: [(order: Double, event: WorkoutEvent)] = []
        func add(_ kind: String, _ instant: Int) {
            result.append((Double(instant), WorkoutEvent(kind: kind, instant: instant)))
        }
        for pause in WorkoutCourse(workout).pauses {
            if pause.isMotion { add("MotionPaused", pause.start) }
            add("Pause", pause.start)
            if pause.isMotion { add("MotionResumed", pause.end) }
            add("Resume", pause.end)
        }
        if let odometer = phone.odometer(of: workout) {
            for length in [1000.0, 1609.344] {
                for segment in segments(odometer, length, from: workout.start) {
                    result.append((Double(segment.instant) + (segment.seconds ?? 0), segment))
                }
            }
        }
        if workout.hash % 5 == 0 {
            // Two markers in one second: equal to the byte.
            for _ in 0..<2 { add("Marker", workout.start + (workout.end - workout.start) * 2 / 3) }
        }
        // Stable: what happens in one second stays as listed above.
        return result.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element.event)
    }

    /// The whole kilometres or miles; pauses count. A date is printed in whole seconds, a duration to the bit.
    private static func segments(_ odometer: Odometer, _ length: Double, from start: Int) -> [WorkoutEvent] {
        var result: [WorkoutEvent] = []
        var begin = Double(start)
        var target = length
        while let end = odometer.instant(atMetres: target) {
            result.append(WorkoutEvent(kind: "Segment", instant: Int(begin), seconds: end - begin))
            begin = end
            target += length
        }
        return result
    }
}
