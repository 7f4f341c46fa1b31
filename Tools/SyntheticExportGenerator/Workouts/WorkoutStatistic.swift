/// What HealthKit states of a type and a workout: computed from all readings at the time, and never changed by condensing.
struct WorkoutStatistic {
    let type: SampleType
    /// Of what is summed; nil for levels.
    var sum: Double?
    /// Of levels: every value weighted by the active seconds until the next one.
    var average = 0.0
    var minimum = 0.0
    var maximum = 0.0
}

extension SimulatedPhone {
    /// The statistics of a part of a workout, in the order of the types.
    func statistics(of workout: SimulatedWorkout, from start: Int, to end: Int) -> [WorkoutStatistic] {
        let course = WorkoutCourse(workout)
        let neighbours = workouts(workout.day).filter {
            $0.source == workout.source && $0.overlap(workout.start, workout.end) > 0
        }
        return SampleCatalog.recordedTypes.compactMap { type in
            let readings = neighbours.flatMap { self.readings(of: type, in: $0) }.filter {
                $0.start < end && ($0.end > start || ($0.end == $0.start && $0.start >= start))
            }
            guard !readings.isEmpty else { return nil }
            var result = WorkoutStatistic(type: type)
            if type.isCumulative {
                result.sum = readings.reduce(0) { total, reading in
                    let inside = Double(min(end, reading.end) - max(start, reading.start))
                    return total + reading.value * inside / Double(reading.end - reading.start)
                }
                return result
            }
            result.minimum = readings.reduce(.infinity) { min($0, $1.value) }
            result.maximum = readings.reduce(0) { max($0, $1.value) }
            result.average = Self.average(readings, course: course, end: end) ?? readings[0].value
            return result
        }
    }

    private static func average(_ readings: [WorkoutReading], course: WorkoutCourse, end: Int) -> Double? {
        var sum = 0.0
        var seconds = 0
        for (position, reading) in readings.enumerated() {
            let next = position + 1 < readings.count ? readings[position + 1].start : end
            let weight = course.activeSeconds(reading.start, max(reading.start, min(next, end)))
            sum += reading.value * Double(weight)
            seconds += weight
        }
        return seconds > 0 ? sum / Double(seconds) : nil
    }
}
