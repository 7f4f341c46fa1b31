extension DailyMetrics {
    /// One value for each day of the data's span, the export's day and those behind it included; none without records.
    ///
    /// - Parameter more: days that have rows, too; no value of the other days changes with them.
    /// - Complexity: grows with the records and the days; each day looks back at most 90.
    package static func series(
        _ inputs: DailyInputs, _ settings: AthleteSettings, and more: Set<Int64> = []
    ) -> [DailyMetrics] {
        guard !inputs.days.isEmpty || !more.isEmpty else { return [] }
        let own = inputs.range.span
        let span = DayRange(inputs.days.union(more), exportDay: inputs.exportDay).span
        return series(Array(span), inputs, settings, from: inputs.days.isEmpty ? span.upperBound : own.lowerBound)
    }

    /// The days outside of the span that have records, each from its own records alone: without baselines and load.
    package static func isolated(
        _ inputs: DailyInputs, _ settings: AthleteSettings, and more: Set<Int64> = []
    ) -> [DailyMetrics] {
        let days = DayRange(inputs.days.union(more), exportDay: inputs.exportDay).isolated
        guard !days.isEmpty else { return [] }
        let workouts = Dictionary(grouping: inputs.workouts, by: \.day)
        return days.flatMap { day in
            var inputs = inputs
            inputs.workouts = workouts[day] ?? []
            return series([day], inputs, settings, from: day).map { metrics in
                var metrics = metrics
                metrics.load = nil
                return metrics
            }
        }
    }

    /// - Parameters:
    ///   - days: consecutive.
    ///   - begin: the first day of the data.
    private static func series(
        _ days: [Int64], _ inputs: DailyInputs, _ settings: AthleteSettings, from begin: Int64
    ) -> [DailyMetrics] {
        let physio = Physiology(days, inputs)
        let loads = Loads(days, inputs, settings)
        let missing: Set<Label> = inputs.missing.isEmpty ? [] : [.typeExcluded]
        let variabilityScores = days.indices.map { Baseline.standardScore(physio.hrv, at: $0) }
        let restingScores = days.indices.map { Baseline.standardScore(physio.rhr, at: $0) }
        var series: [DailyMetrics] = []
        series.reserveCapacity(days.count)
        var recoveries: [Double?] = []
        for (index, day) in days.enumerated() {
            let body = physio.days[index].values
            let stress = loads.stress(of: day)
            let load = loads[day]
            let need = settings.period(on: Int(day))?.sleepNeedSeconds ?? DailyScores.sleepNeedSeconds
            let scores = DailyScores(
                variability: variabilityScores[index], restingHeartRate: restingScores[index],
                sleepRatio: body.sleepDuration.map { $0 / need }, stress: stress?.tss, ctl: load?.ctl, settings.score)
            var metrics = DailyMetrics(
                day: day, physio: body, stress: stress, load: load, thresholdPower: loads.thresholdPower[index],
                scores: scores, features: DailyFeatures(), labels: physio.days[index].labels)
            metrics.features = DailyFeatures(
                metrics, yesterday: day > begin ? series.last : nil, trend: Baseline.mean(recoveries, before: index),
                loadBegins: loads.firstDay)
            metrics.labels.formUnion(inputs.labels[day] ?? [])
            metrics.labels.formUnion(stress?.labels ?? [])
            if load?.isWarmingUp == true { metrics.labels.insert(.warmUp) }
            if day == inputs.exportDay { metrics.labels.insert(.partialDay) }
            if day > inputs.exportDay { metrics.labels.insert(.afterExport) }
            // HealthKit revises the resting heart rates of these days.
            if day >= inputs.exportDay - 1 { metrics.labels.insert(.provisional) }
            metrics.labels.formUnion(loads.isHidden(day) ? [.typeExcluded] : missing)
            recoveries.append(scores.recovery)
            series.append(metrics)
        }
        return series
    }
}

/// The physiology of consecutive days.
private struct Physiology {
    var days: [(values: DailyMetrics.Physio, labels: Set<Label>)] = []
    /// By day.
    var hrv: [Double?] = []
    var rhr: [Double?] = []

    init(_ range: [Int64], _ inputs: DailyInputs) {
        for day in range { days.append(Self.day(day, inputs)) }
        // What is implausible is shown, and nothing else follows from it.
        hrv = days.map { $0.labels.contains(.implausibleHRV) ? nil : $0.values.hrv }
        rhr = days.map { $0.labels.contains(.implausibleRestingHeartRate) ? nil : $0.values.rhr }
        let sleep = days.map(\.values.sleepDuration)
        for index in days.indices {
            days[index].values.hrvBaseline = Baseline.mean(hrv, before: index)
            days[index].values.rhrBaseline = Baseline.mean(rhr, before: index)
            days[index].values.sleepBaseline = Baseline.mean(sleep, before: index)
        }
    }

    private static func day(_ day: Int64, _ inputs: DailyInputs) -> (DailyMetrics.Physio, Set<Label>) {
        var values = DailyMetrics.Physio()
        var labels: Set<Label> = []
        let sleep = inputs.missing.contains(.sleep) ? nil : inputs.sleep[day]
        if let sleep {
            values.sleepDuration = sleep.durationSeconds
            values.sleepSource = sleep.night?.sourceName
            values.sleepUnion = sleep.unionSeconds
            values.inBed = sleep.night?.inBedSeconds
            values.stages = sleep.night?.stages
            values.naps = sleep.napSeconds
            labels.formUnion(sleep.labels)
        }
        if !inputs.missing.contains(.variability) {
            let variability = HeartRateVariability(
                inputs.variability, native: inputs.nativeVariability, day: day, night: sleep?.night?.interval)
            values.hrv = variability.sdnn
            values.hrvCount = variability.count
            values.hrvRmssd = variability.rmssd
            labels.formUnion(variability.labels)
        }
        if !inputs.missing.contains(.restingHeartRate) { values.rhr = inputs.restingHeartRates[day] }
        if let rhr = values.rhr, !RestingHeartRate.plausible.contains(rhr) {
            labels.insert(.implausibleRestingHeartRate)
        }
        return (values, labels)
    }
}

/// The loads of consecutive days.
private struct Loads {
    /// The first day of the load; nil without one.
    var firstDay: Int64?
    private var loads: [TrainingLoad] = []
    private var byDay: [Int64: [DailyWorkout]] = [:]
    private let isMissing: Bool
    /// The first day whose stress a type hides that the export does not show: from there on there is no load.
    private var firstHiddenDay: Int64?
    /// By day of the range.
    var thresholdPower: [Double?]

    init(_ range: [Int64], _ inputs: DailyInputs, _ settings: AthleteSettings) {
        isMissing = inputs.missing.contains(.workouts)
        thresholdPower = range.map { _ in nil }
        guard !isMissing, let first = range.first, let last = range.last else { return }
        let workouts = inputs.workouts.filter { (first...last).contains($0.day) }
        byDay = Dictionary(grouping: workouts, by: \.day)
        thresholdPower = EstimatedThresholdPower.series(
            workouts.compactMap { workout in workout.bestPower.map { (Int(workout.day - first), $0) } },
            count: range.count)
        let seed = settings.loadSeed
        guard let begin = seed.map({ Int64($0.day) + 1 }) ?? byDay.keys.min(), begin <= last else { return }
        // A seed from before the days has decayed until then.
        let start = max(begin, first - Self.longestSeed)
        firstDay = start
        firstHiddenDay = workouts.filter {
            $0.stress.value == nil
                && (inputs.missing.contains(.workoutSeries) || $0.stress.labels.contains(.typeExcluded))
        }.map(\.day).min()
        let end = firstHiddenDay ?? last + 1
        loads = TrainingLoad.series(
            (start..<max(start, end)).map { stress(of: $0)?.tss ?? 0 }, from: start == begin ? seed : nil)
    }

    /// After so many days nothing that prints is left of a seed.
    private static let longestSeed: Int64 = 3653

    /// Whether the day has no load because a type is not shown.
    func isHidden(_ day: Int64) -> Bool { firstHiddenDay.map { day >= $0 } ?? false }

    /// The workouts of a day; nil where the export lacks them.
    func stress(of day: Int64) -> DailyStress? { isMissing ? nil : DailyStress(byDay[day] ?? []) }

    subscript(day: Int64) -> TrainingLoad? {
        guard let firstDay, day >= firstDay, day - firstDay < loads.count else { return nil }
        return loads[Int(day - firstDay)]
    }
}
