/// Workouts with all that hangs on them: metadata (twice, as Apple does), events, activities, statistics, the
/// route and the effort score.
extension DumpRenderer {
    func workout(_ sample: Sample, _ type: SampleType, _ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text(" <Workout workoutActivityType=\"HKWorkoutActivityType\(workout.activity.rawValue)\"")
        duration(of: workout, from: workout.start, to: workout.end, to: out)
        let statistics = phone.statistics(of: workout, from: workout.start, to: workout.end)
        if dump.version.number < 12 { totals(workout, statistics, to: out) }
        sourceAttributes(sample, type, to: out)
        dateAttributes(sample, to: out)
        out.line(">")
        metadata(workout, to: out)
        let events = WorkoutEvent.events(of: workout, phone: phone)
        for event in events { self.event(event, indent: 2, to: out) }
        if dump.version.number >= 12 {
            if workout.isWatchs {
                for leg in workout.legs { activity(leg, of: workout, events, statistics, to: out) }
            }
            for statistic in statistics { self.statistic(statistic, workout.start, workout.end, indent: 2, to: out) }
        }
        if workout.hasRoute && dump.version.number >= 8 {
            // Apple prints some routes twice, to the byte.
            for _ in 0..<(workout.hash % 9 == 0 ? 2 : 1) { route(sample, type, workout, to: out) }
        }
        if dump.version.number >= 14 && workout.hasEffort { effort(sample, workout, to: out) }
        metadata(workout, to: out)
        out.line(" </Workout>")
    }

    private func totals(_ workout: SimulatedWorkout, _ statistics: [WorkoutStatistic], to out: OutputBuffer) {
        let distances = statistics.filter { $0.type.recording?.quantity == .distance }
        if !distances.isEmpty {
            // A triathlon has one total in the unit of distances on foot.
            let type = distances.count > 1 ? SampleCatalog.type(named: "DistanceWalkingRunning") : distances[0].type
            let unit = type.flatMap { dump.units[$0.number] } ?? UnitChoice("km")
            let metres = distances.reduce(0) { $0 + ($1.sum ?? 0) * $1.type.metresPerUnit }
            out.attribute("totalDistance", metres / (type?.metresPerUnit ?? 1) * unit.factor)
            out.text(" totalDistanceUnit=\"\(unit.name)\"")
        }
        for energy in statistics where energy.type.recording?.quantity == .activeEnergy {
            let unit = dump.units[energy.type.number] ?? UnitChoice(energy.type.unit)
            out.attribute("totalEnergyBurned", (energy.sum ?? 0) * unit.factor)
            out.text(" totalEnergyBurnedUnit=\"\(unit.name)\"")
        }
    }

    private func metadata(_ workout: SimulatedWorkout, to out: OutputBuffer) {
        func add(_ key: String, _ value: String) { metadata(key, value, indent: 2, to: out) }
        guard workout.isWatchs else {
            return add("HKExternalUUID", "trailwinder://activities/\(workout.hash % 10_000_000)")
        }
        add("HKIndoorWorkout", workout.isIndoor ? "1" : "0")
        add("HKTimeZone", HomeZone.name)
        add("HKAverageMETs", "\(4 + Int(workout.hash % 9)).\(workout.hash % 8 + 1)638 kcal/hr·kg")
        if let run = workout.appRun { add("aarcRunId", run.text) }
        if workout.hasRoute {
            let metres = phone.odometer(of: workout)?.metres ?? 0
            let centimetres = Int((Terrain(workout).ascent(metres: metres) * 100).rounded())
            add("HKElevationAscended", "\(centimetres) cm")
            add("HKWeatherHumidity", "\(40 + workout.hash % 59)00 %")
            add("HKWeatherTemperature", "\(31 + workout.hash % 50).6418 degF")
        }
    }

    private func event(_ event: WorkoutEvent, indent: Int, to out: OutputBuffer) {
        pad(indent, out)
        out.text("<WorkoutEvent type=\"HKWorkoutEventType\(event.kind)\"")
        out.attribute("date", event.instant, offsetSeconds: dump.offsetSeconds)
        if let seconds = event.seconds, dump.version.number >= 8 {
            out.text(" duration=\"\(seconds / 60)\" durationUnit=\"min\"")
        }
        out.line("/>")
    }

    /// One sport of the workout with the events of its time.
    private func activity(
        _ leg: SimulatedWorkout.Leg, of workout: SimulatedWorkout, _ events: [WorkoutEvent],
        _ statistics: [WorkoutStatistic], to out: OutputBuffer
    ) {
        let uuid = UniqueIdentifier(hash: Hashing.mix(workout.hash &+ 77 &+ UInt64(leg.start - workout.start))).text
        out.text("  <WorkoutActivity uuid=\"\(uuid)\"")
        interval(leg.start, leg.end, to: out)
        duration(of: workout, from: leg.start, to: leg.end, to: out)
        out.line(">")
        for event in events where event.instant >= leg.start && event.instant < leg.end {
            self.event(event, indent: 3, to: out)
        }
        let isWhole = leg.start == workout.start && leg.end == workout.end
        for statistic in isWhole ? statistics : phone.statistics(of: workout, from: leg.start, to: leg.end) {
            self.statistic(statistic, leg.start, leg.end, indent: 3, to: out)
        }
        metadata("WOIntervalStepKeyPath", "0.0.0", indent: 3, to: out)
        out.line("  </WorkoutActivity>")
    }

    private func statistic(
        _ statistic: WorkoutStatistic, _ start: Int, _ end: Int, indent: Int, to out: OutputBuffer
    ) {
        guard dump.version.number >= statistic.type.since else { return }
        let unit = dump.units[statistic.type.number] ?? UnitChoice(statistic.type.unit)
        pad(indent, out)
        out.text("<WorkoutStatistics type=\"\(statistic.type.identifier)\"")
        interval(start, end, to: out)
        if let sum = statistic.sum {
            out.attribute("sum", sum * unit.factor)
        } else {
            out.attribute("average", statistic.average)
            out.attribute("minimum", statistic.minimum)
            out.attribute("maximum", statistic.maximum)
        }
        out.line(" unit=\"\(unit.name)\"/>")
    }

    /// Writes the active time, which has a fraction of a second more than the printed instants.
    private func duration(of workout: SimulatedWorkout, from start: Int, to end: Int, to out: OutputBuffer) {
        let seconds = Double(WorkoutCourse(workout).activeSeconds(start, end)) + workout.fraction
        out.text(" duration=\"\(seconds / 60)\" durationUnit=\"min\"")
    }

    private func interval(_ start: Int, _ end: Int, to out: OutputBuffer) {
        out.attribute("startDate", start, offsetSeconds: dump.offsetSeconds)
        out.attribute("endDate", end, offsetSeconds: dump.offsetSeconds)
    }

    private func effort(_ sample: Sample, _ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text("  <Record type=\"HKQuantityTypeIdentifierEstimatedWorkoutEffortScore\"")
        guard let type = SampleCatalog.type(named: "HeartRate") else { return }
        sourceAttributes(sample, type, to: out)
        out.text(" unit=\"appleEffortScore\"")
        dateAttributes(sample, to: out)
        out.line(" value=\"\(1 + workout.hash % 9)\"/>")
    }
}
