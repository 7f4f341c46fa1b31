extension TruthWriter {
    /// A workout whose records are new or changed: what they say now and, where the dump before showed it, what they said.
    func workout(
        _ workout: SimulatedWorkout, among workouts: [SimulatedWorkout], sourceName: String,
        before: [(type: SampleType, samples: [Sample])]?, after: [(type: SampleType, samples: [Sample])]
    ) throws {
        begin("workout")
        out.text(",\"activity\":\"HKWorkoutActivityType\(workout.activity.rawValue)\"")
        date("startDate", workout.start)
        date("endDate", workout.end)
        out.text(",\"sourceName\":\"\(sourceName)\",\"condenserUUID\":\"\(workout.uuid.text)\"")
        if let run = workout.appRun { out.text(",\"aarcRunId\":\"\(run.text)\"") }
        let shared = workouts.filter { $0.source == workout.source && $0.number != workout.number }
            .reduce(0) { $0 + $1.overlap(workout.start, workout.end) }
        out.text(",\"sharedSeconds\":\(shared),\"isCopy\":\(!workout.isWatchs)")
        out.text(",\"parameters\":{\"restingHeartRate\":\(Int(WorkoutMeasures.restingHeartRate))")
        out.text(",\"maxHeartRate\":\(Int(WorkoutMeasures.maxHeartRate)),\"b\":\(WorkoutMeasures.exponent)}")
        if let before {
            out.text(",\"previous\":")
            measures(workout, before)
        }
        out.text(",\"current\":")
        measures(workout, after)
        try end()
    }

    private func measures(_ workout: SimulatedWorkout, _ samples: [(type: SampleType, samples: [Sample])]) {
        let whole = WorkoutMeasures(
            workout, activity: workout.activity, from: workout.start, to: workout.end, samples: samples)
        out.byte(0x7B)
        write(whole)
        if workout.legs.count > 1 {
            out.text(",\"activities\":[")
            for (position, leg) in workout.legs.enumerated() {
                out.text(position > 0 ? ",{" : "{")
                write(
                    WorkoutMeasures(
                        workout, activity: leg.activity, from: leg.start, to: leg.end, samples: samples))
                out.byte(0x7D)
            }
            out.byte(0x5D)
        }
        out.byte(0x7D)
    }

    private func write(_ measures: WorkoutMeasures) {
        let active = measures.activeSeconds
        out.text("\"elapsedSeconds\":\(measures.isActive.count),\"activeSeconds\":\(active)")
        number("distance", measures.metres?.last)
        number("energy", measures.kilocalories)
        number("cadence", measures.stepsPerMinute)
        if !measures.heartRates.isEmpty {
            let known = measures.knownHeartRates
            let values = measures.heartRates.map(\.value)
            out.text(",\"heartRate\":{\"recordCount\":\(values.count),\"coveredSeconds\":\(known.count)")
            number("average", known.isEmpty ? nil : known.reduce(0, +) / Double(known.count))
            number("minimum", values.min())
            number("maximum", values.max())
            number("trimp", measures.impulse)
            let zones = measures.zoneSeconds.map { "\($0)" }.joined(separator: ",")
            out.text(",\"zoneSeconds\":[\(zones)]}")
        }
        if !measures.powers.isEmpty, active > 0 {
            out.text(",\"power\":{\"coveredSeconds\":\(measures.poweredSeconds)")
            number("average", measures.watts.reduce(0, +) / Double(active))
            number("maximum", measures.powers.map(\.value).max())
            number("normalized", measures.normalizedPower)
            out.byte(0x7D)
        }
        guard measures.metres != nil else { return }
        out.text(",\"splits\":[")
        for (position, split) in measures.splits.enumerated() {
            out.text(position > 0 ? ",{\"index\":\(position + 1)" : "{\"index\":1")
            number("distance", split.metres)
            number("elapsedSeconds", split.elapsedSeconds)
            number("activeSeconds", split.activeSeconds)
            number("uncertaintySeconds", split.uncertaintySeconds)
            out.byte(0x7D)
        }
        out.byte(0x5D)
    }

    /// A member with four decimals; nothing without a value.
    private func number(_ name: String, _ value: Double?) {
        guard let value else { return }
        out.text(",\"\(name)\":")
        out.decimal(Int((value * 10_000).rounded()), digits: 4)
    }
}
