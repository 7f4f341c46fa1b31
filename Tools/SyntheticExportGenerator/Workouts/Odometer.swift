/// The way that a workout's distance records say had been covered at any instant.
struct Odometer {
    private let readings: [WorkoutReading]
    /// Metres covered before each reading, and at last all of them.
    private let metresBefore: [Double]

    /// From readings in order of time that do not overlap, clipped to an interval.
    ///
    /// - Parameter metresPerUnit: what one unit of the readings is.
    init(_ readings: [WorkoutReading], from start: Int, to end: Int, metresPerUnit: Double) {
        self.readings = readings.compactMap { reading in
            let first = max(start, reading.start)
            let last = min(end, reading.end)
            guard last > first else { return nil }
            let share = Double(last - first) / Double(reading.end - reading.start)
            return WorkoutReading(start: first, end: last, value: reading.value * share * metresPerUnit)
        }
        metresBefore = self.readings.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.value) }
    }

    var metres: Double { metresBefore[readings.count] }

    func metres(at instant: Int) -> Double {
        let index = firstReading { readings[$0].end > instant }
        guard index < readings.count else { return metres }
        let reading = readings[index]
        let seconds = Double(max(0, instant - reading.start))
        return metresBefore[index] + reading.value * seconds / Double(reading.end - reading.start)
    }

    /// The earliest instant at which so many metres had been covered; nil beyond the whole way.
    func instant(atMetres target: Double) -> Double? {
        guard target <= metres, !readings.isEmpty else { return nil }
        let index = firstReading { metresBefore[$0 + 1] >= target }
        let reading = readings[index]
        guard reading.value > 0 else { return Double(reading.start) }
        return Double(reading.start)
            + (target - metresBefore[index]) / reading.value * Double(reading.end - reading.start)
    }

    private func firstReading(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = readings.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension SimulatedPhone {
    /// The way of a workout of one sport; nil where no distance is recorded.
    func odometer(of workout: SimulatedWorkout) -> Odometer? {
        guard let name = workout.activity.distanceType, let type = SampleCatalog.type(named: name) else { return nil }
        let readings = workouts(workout.day)
            .filter { $0.source == workout.source && $0.overlap(workout.start, workout.end) > 0 }
            .sorted { $0.start < $1.start }
            .flatMap { self.readings(of: type, in: $0) }
        return Odometer(readings, from: workout.start, to: workout.end, metresPerUnit: type.metresPerUnit)
    }
}

extension SampleType {
    /// Metres in the base unit of a distance.
    var metresPerUnit: Double { unit == "km" ? 1000 : 1 }
}
