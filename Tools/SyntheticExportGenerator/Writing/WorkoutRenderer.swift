/// Writes workouts with all that hangs on them: metadata (twice, as Apple does), events, activities, statistics, the
/// route and the effort score.
struct WorkoutRenderer {
    let records: RecordRenderer
    private var dump: Dump { records.dump }
    private let energy: UnitChoice
    private let distance: UnitChoice

    /// A renderer that shares the prepared texts of `records`.
    init(records: RecordRenderer) {
        self.records = records
        func unit(_ name: String, _ base: String) -> UnitChoice {
            (SampleCatalog.type(named: name).flatMap { records.dump.units[$0.number] }) ?? UnitChoice(base)
        }
        energy = unit("ActiveEnergyBurned", "kcal")
        distance = unit("DistanceWalkingRunning", "km")
    }

    /// Writes one workout.
    func workout(_ sample: Sample, _ type: SampleType, _ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text(" <Workout workoutActivityType=\"HKWorkoutActivityType\(workout.activity.rawValue)\"")
        out.text(" duration=\"\(workout.durationSeconds / 60)\" durationUnit=\"min\"")
        if dump.version.number < 12 { totals(workout, to: out) }
        records.sourceAttributes(sample, type, to: out)
        records.dateAttributes(sample, to: out)
        out.byte(0x3E)
        out.newline()
        metadata(workout, indent: 2, to: out)
        events(workout, indent: 2, to: out)
        if dump.version.number >= 12 {
            activity(workout, to: out)
            statistics(workout, indent: 2, to: out)
        }
        if workout.hasRoute && dump.version.number >= 8 {
            // Apple prints some routes twice, to the byte.
            for _ in 0..<(workout.hash % 9 == 0 ? 2 : 1) { route(sample, type, workout, to: out) }
        }
        if dump.version.number >= 14 && workout.hasEffort { effort(sample, workout, to: out) }
        metadata(workout, indent: 2, to: out)
        out.text(" </Workout>")
        out.newline()
    }

    private func totals(_ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text(" totalDistance=\"")
        out.sixDigits(workout.kilometres * distance.factor)
        out.text("\" totalDistanceUnit=\"\(distance.name)\" totalEnergyBurned=\"")
        out.sixDigits(workout.kilocalories * energy.factor)
        out.text("\" totalEnergyBurnedUnit=\"\(energy.name)\"")
    }

    private func metadata(_ workout: SimulatedWorkout, indent: Int, to out: OutputBuffer) {
        let indoor = workout.activity == .strength ? "1" : "0"
        records.metadata("HKIndoorWorkout", indoor, indent: indent, to: out)
        records.metadata("HKTimeZone", HomeZone.name, indent: indent, to: out)
        records.metadata(
            "HKAverageMETs", "\(4 + Int(workout.hash % 9)).\(workout.hash % 8 + 1)638 kcal/hr·kg", indent: indent,
            to: out)
        if workout.hasRoute {
            records.metadata("HKElevationAscended", "\(workout.hash % 60_000) cm", indent: indent, to: out)
            records.metadata("HKWeatherHumidity", "\(40 + workout.hash % 59)00 %", indent: indent, to: out)
            records.metadata("HKWeatherTemperature", "\(31 + workout.hash % 50).6418 degF", indent: indent, to: out)
        }
    }

    private func events(_ workout: SimulatedWorkout, indent: Int, to out: OutputBuffer) {
        let third = (workout.end - workout.start) / 3
        for part in 0..<3 {
            event("Segment", at: workout.start + part * third, minutes: Double(third) / 60, indent: indent, to: out)
        }
        if workout.hash % 4 == 0 {
            event("Pause", at: workout.start + third, minutes: nil, indent: indent, to: out)
            event("Resume", at: workout.start + third + 25, minutes: nil, indent: indent, to: out)
        }
        if workout.hash % 5 == 0 {
            // Two markers in one second: equal to the byte.
            for _ in 0..<2 { event("Marker", at: workout.start + 2 * third, minutes: nil, indent: indent, to: out) }
        }
    }

    private func event(_ kind: String, at instant: Int, minutes: Double?, indent: Int, to out: OutputBuffer) {
        records.pad(indent, out)
        out.text("<WorkoutEvent type=\"HKWorkoutEventType\(kind)\" date=\"")
        out.date(instant, offsetSeconds: dump.offsetSeconds)
        if let minutes, dump.version.number >= 8 { out.text("\" duration=\"\(minutes)\" durationUnit=\"min") }
        out.text("\"/>")
        out.newline()
    }

    private func activity(_ workout: SimulatedWorkout, to out: OutputBuffer) {
        let uuid = UniqueIdentifier(hash: Hashing.mix(workout.hash &+ 77)).text
        out.text("  <WorkoutActivity uuid=\"\(uuid)\"")
        interval(workout, to: out)
        out.text(" duration=\"\(workout.durationSeconds / 60)\" durationUnit=\"min\">")
        out.newline()
        let third = (workout.end - workout.start) / 3
        event("Segment", at: workout.start, minutes: Double(third) / 60, indent: 3, to: out)
        statistics(workout, indent: 3, to: out)
        records.metadata("WOIntervalStepKeyPath", "0.0.0", indent: 3, to: out)
        out.text("  </WorkoutActivity>")
        out.newline()
    }

    private func statistics(_ workout: SimulatedWorkout, indent: Int, to out: OutputBuffer) {
        statistic(
            workout, "HKQuantityTypeIdentifierActiveEnergyBurned", sum: workout.kilocalories * energy.factor,
            energy.name, indent, out)
        if workout.activity.isOnFoot {
            statistic(
                workout, "HKQuantityTypeIdentifierDistanceWalkingRunning", sum: workout.kilometres * distance.factor,
                distance.name, indent, out)
        }
        records.pad(indent, out)
        out.text("<WorkoutStatistics type=\"HKQuantityTypeIdentifierHeartRate\"")
        interval(workout, to: out)
        let average = 108 + Double(workout.hash % 3600) / 100
        out.text(" average=\"")
        out.sixDigits(average)
        out.text("\" minimum=\"\(Int(average) - 22)\" maximum=\"\(Int(average) + 31)\" unit=\"count/min\"/>")
        out.newline()
    }

    private func statistic(
        _ workout: SimulatedWorkout, _ type: String, sum: Double, _ unit: String, _ indent: Int, _ out: OutputBuffer
    ) {
        records.pad(indent, out)
        out.text("<WorkoutStatistics type=\"\(type)\"")
        interval(workout, to: out)
        out.text(" sum=\"")
        out.sixDigits(sum)
        out.text("\" unit=\"\(unit)\"/>")
        out.newline()
    }

    private func interval(_ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text(" startDate=\"")
        out.date(workout.start, offsetSeconds: dump.offsetSeconds)
        out.text("\" endDate=\"")
        out.date(workout.end, offsetSeconds: dump.offsetSeconds)
        out.byte(0x22)
    }

    private func effort(_ sample: Sample, _ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text("  <Record type=\"HKQuantityTypeIdentifierEstimatedWorkoutEffortScore\"")
        guard let type = SampleCatalog.type(named: "HeartRate") else { return }
        records.sourceAttributes(sample, type, to: out)
        out.text(" unit=\"appleEffortScore\"")
        records.dateAttributes(sample, to: out)
        out.text(" value=\"\(1 + workout.hash % 9)\"/>")
        out.newline()
    }
}

extension SimulatedWorkout {
    /// Whether iOS 18 and later estimate an effort for it.
    var hasEffort: Bool { hash % 2 == 0 }

    /// Energy of the whole workout.
    var kilocalories: Double { durationSeconds / 60 * (7.5 + Double(hash % 400) / 100) }

    /// Distance of the whole workout.
    var kilometres: Double { durationSeconds / 60 * (0.09 + Double(hash % 120) / 1000) }
}
