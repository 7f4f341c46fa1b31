/// A value that was measured during a workout.
struct WorkoutReading {
    /// Unix seconds.
    let start: Int
    let end: Int
    /// In the type's base unit.
    let value: Double
}

extension SimulatedPhone {
    /// What was recorded of a type during a workout, in order of time.
    ///
    /// A function of the workout and the type alone, so that samples, statistics, segments and routes agree.
    func readings(of type: SampleType, in workout: SimulatedWorkout) -> [WorkoutReading] {
        guard let recording = type.recording else { return [] }
        if let original = workout.original.first { return copiedReadings(of: type, in: workout, original) }
        var recorder = Recorder(
            recording: recording, course: WorkoutCourse(workout),
            step: max(2, Int(workoutStep(recording.seconds, day: workout.day))),
            random: SeededGenerator(Hashing.combine(workout.hash, type.salt, 7)))
        if recording.quantity == .heartRate {
            recorder.addHeartRates(workout.recordingStart, workout.end)
        } else {
            for leg in workout.legs where recording.covers(leg.activity) {
                for part in recorder.course.activeParts(max(leg.start, workout.recordingStart), leg.end) {
                    recorder.add(part, isSummed: type.isCumulative, isCount: type.unit == "count")
                }
            }
        }
        return recorder.readings
    }

    /// What an app writes: one record of the whole distance and one of the energy, a little off the watch's.
    private func copiedReadings(
        of type: SampleType, in workout: SimulatedWorkout, _ original: SimulatedWorkout
    ) -> [WorkoutReading] {
        guard let quantity = type.recording?.quantity, quantity == .distance || quantity == .activeEnergy else {
            return []
        }
        let total = readings(of: type, in: original).reduce(0) { $0 + $1.value }
        let factor = 0.985 + 0.03 * Hashing.unit(Hashing.mix(workout.hash &+ UInt64(type.number)))
        return total > 0 ? [WorkoutReading(start: workout.start, end: workout.end, value: total * factor)] : []
    }

    /// Turns a course into readings.
    private struct Recorder {
        let recording: WorkoutRecording
        let course: WorkoutCourse
        let step: Int
        var random: SeededGenerator
        private(set) var readings: [WorkoutReading] = []
        var stretch = 0
        /// Steps that are not whole yet.
        var rest = 0.0

        /// Contiguous intervals.
        mutating func add(_ part: Range<Int>, isSummed: Bool, isCount: Bool) {
            var start = part.lowerBound + (readings.isEmpty ? random.integer(0...3) : 0)
            var factor = 1.0
            var steadyUntil = start
            while start < part.upperBound {
                if start >= steadyUntil {
                    factor = random.between(0.94, 1.06)
                    // Now and then the rate stays for a while: what coalescing merges.
                    steadyUntil = start + (random.chance(0.25) ? step * random.integer(2...6) : 1)
                }
                let end = min(part.upperBound, start + max(1, step + random.integer(-1...1)))
                let level = self.level(at: start) * factor
                if !isSummed {
                    readings.append(WorkoutReading(start: start, end: end, value: level.rounded()))
                } else if isCount {
                    rest += level * Double(end - start)
                    let whole = rest.rounded(.down)
                    rest -= whole
                    if whole > 0 { readings.append(WorkoutReading(start: start, end: end, value: whole)) }
                } else {
                    readings.append(WorkoutReading(start: start, end: end, value: level * Double(end - start)))
                }
                start = end
            }
        }

        /// Points that follow the effort with half a minute's delay, in pauses too, one of them at the very end.
        mutating func addHeartRates(_ first: Int, _ end: Int) {
            var at = first + random.integer(0...4)
            var rate = 92.0
            var last = at
            var printed = 92.0
            while at < end {
                let seconds = Double(at - last)
                rate += (level(at: at) - rate) * (seconds / (seconds + 25))
                if random.chance(0.6) { printed = min(188, max(60, (rate + random.bell()).rounded())) }
                readings.append(WorkoutReading(start: at, end: at, value: printed))
                last = at
                at += max(1, step + random.integer(-1...1))
            }
        }

        private mutating func level(at instant: Int) -> Double {
            while stretch + 1 < course.stretches.count, course.stretches[stretch].end <= instant { stretch += 1 }
            let current = course.stretches[stretch]
            return recording.level(current.activity, effort: current.effort)
        }
    }
}
