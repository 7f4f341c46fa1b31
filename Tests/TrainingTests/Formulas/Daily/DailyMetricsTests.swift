internal import Testing
internal import Training

@Suite struct DailyMetricsTests {
    private static let noon = 43_200.0

    /// Days 0 … last with one heart rate variability and resting heart rate each.
    private func inputs(
        _ last: Int64, hrv: (Int64) -> Double? = { _ in nil }, rhr: (Int64) -> Double? = { _ in nil },
        workouts: [DailyWorkout] = []
    ) -> DailyInputs {
        var inputs = DailyInputs(exportDay: last)
        for day in 0...last { inputs.include(day) }
        for day in 0...last {
            if let value = hrv(day) {
                inputs.variability.append(.init(start: Double(day) * 86_400 + Self.noon, day: day, value: value))
            }
            inputs.restingHeartRates[day] = rhr(day)
        }
        inputs.workouts = workouts
        return inputs
    }

    private func workout(_ day: Int64, stress: Double?, id: String = "a", seconds: Double = 3600) -> DailyWorkout {
        let active = ActiveTime(Interval(0, 3600))
        let athlete = Athlete(AthleteSettings(), on: 0, recordedThresholdPower: 100)
        let power = stress.map { (normalized: $0.squareRoot() * 10, coveredSeconds: 3600.0) }
        return DailyWorkout(
            identity: id, day: day, name: "Ride", activity: "HKWorkoutActivityTypeCycling", activeSeconds: seconds,
            stress: TrainingStress(active, power: power, .cyclingPower, heartRate: nil, athlete))
    }

    @Test("a row for each day through the export's, which is partial")
    func rows() {
        let series = DailyMetrics.series(inputs(9, rhr: { $0 == 0 ? 50 : nil }), AthleteSettings())
        #expect(series.map(\.day) == Array(0...9))
        #expect(series[9].labels == [.partialDay, .provisional])
        #expect(series[8].labels == [.provisional] && series[7].labels.isEmpty)
        #expect(series[0].physio.rhr == 50 && series[1].physio.rhr == nil)
        #expect(DailyMetrics.series(DailyInputs(exportDay: 5), AthleteSettings()).isEmpty)
    }

    @Test("days behind the export have rows, too, and are labelled")
    func afterExport() {
        var inputs = inputs(9, rhr: { Double(50 + $0) })
        inputs.exportDay = 7
        let series = DailyMetrics.series(inputs, AthleteSettings())
        #expect(series.map(\.day) == Array(0...9))
        #expect(series[7].labels == [.partialDay, .provisional])
        #expect(series[8].labels == [.afterExport, .provisional] && series[9].physio.rhr == 59)
    }

    @Test("a record of a wrong year makes no row of every day since, and is asked for")
    func isolatedDays() {
        var inputs = inputs(5, rhr: { Double(50 + $0) })
        for day in [-719_162, -28_000, -3_653, 60_000] as [Int64] {
            inputs.include(day)
            inputs.restingHeartRates[day] = 60
        }
        // Within ten years of the next day, and so of the span.
        #expect(inputs.range.span == -3653...5 && inputs.range.isolated == [-719_162, -28_000, 60_000])
        let isolated = DailyMetrics.isolated(inputs, AthleteSettings())
        #expect(isolated.map(\.day) == [-719_162, -28_000, 60_000])
        #expect(isolated.allSatisfy { $0.physio.rhr == 60 && $0.physio.rhrBaseline == nil && $0.load == nil })
        #expect(isolated[2].labels.contains(.afterExport))
        // Many records of one wrong day are no neighbours of each other, and a chain of days is as long as a life.
        #expect(DayRange([-719_162], exportDay: 5).span == 5...5)
        let chain = DayRange(Set(stride(from: -719_162, through: 5, by: 3_600)), exportDay: 5)
        #expect(chain.span.lowerBound >= 5 - DayRange.longest && !chain.isolated.isEmpty)
    }

    @Test("an implausible value is shown and labelled, and nothing else follows from it")
    func implausible() {
        let series = DailyMetrics.series(
            inputs(
                40, hrv: { $0 == 38 ? 900 : 40 + Double($0 % 3) }, rhr: { $0 == 38 ? 2 : 50 + Double($0 % 3) }),
            AthleteSettings())
        let (day, next) = (series[38], series[39])
        #expect(day.physio.rhr == 2 && day.physio.hrv == 900)
        #expect(day.labels.isSuperset(of: [.implausibleRestingHeartRate, .implausibleHRV]))
        #expect(day.scores.recovery == nil && !day.features.isValid)
        #expect(next.physio.rhrBaseline.map { (50...52).contains($0) } == true)
        #expect(next.physio.hrvBaseline.map { (40...42).contains($0) } == true)
        #expect(next.scores.recovery != nil)
        let bounds = [25.0, 150, 24.9, 150.1].map { RestingHeartRate.plausible.contains($0) }
        #expect(bounds == [true, true, false, false])
        let values = Dictionary((1...8).map { (Int64($0), $0 == 8 ? 2.0 : 50.0) }) { first, _ in first }
        #expect(RestingHeartRate.median(before: 9, values) == 50)
    }

    @Test("where an export lacks a workout's series, the load is not known from that day on")
    func loadsWithoutSeries() {
        var inputs = inputs(5, workouts: [workout(1, stress: 50), workout(3, stress: nil, id: "b")])
        #expect(DailyMetrics.series(inputs, AthleteSettings())[4].load != nil)
        inputs.missing = [.workoutSeries]
        let series = DailyMetrics.series(inputs, AthleteSettings())
        #expect(series[2].load != nil && series[3].load == nil && series[5].load == nil)
    }

    @Test("baselines are of the seven days before, and need three")
    func baselines() {
        let series = DailyMetrics.series(inputs(9, rhr: { Double(50 + $0) }), AthleteSettings())
        #expect(series[2].physio.rhrBaseline == nil)
        #expect(series[3].physio.rhrBaseline == 51)
        #expect(series[9].physio.rhrBaseline == 55)
    }

    @Test("a score needs 14 days that differ")
    func standardScores() {
        let values: [Double?] = (0..<15).map { $0 < 14 ? ($0 % 2 == 0 ? 40.0 : 60) : 70 }
        #expect(Baseline.standardScore(values, at: 13) == nil)
        let score = Baseline.standardScore(values, at: 14) ?? .nan
        #expect(abs(score - 20 / (14 * 100.0 / 13).squareRoot()) < 1e-12)
        #expect(Baseline.standardScore([Double?](repeating: 50, count: 20), at: 19) == nil)
        #expect(Baseline.standardScore([Double?](repeating: 0.1, count: 20) + [0.2], at: 20) == nil)
    }

    @Test("heart rate variability is that of the night, else of the day")
    func variability() {
        var records = [
            HeartRateVariability.Record(start: 80_000, day: 0, value: 30, rmssd: 20),
            HeartRateVariability.Record(start: 90_000, day: 1, value: 50, rmssd: 40, disagrees: true),
            HeartRateVariability.Record(start: 150_000, day: 1, value: 90),
        ]
        let night = HeartRateVariability(records, native: [], day: 1, night: Interval(75_000, 100_000))
        #expect(night.sdnn == 40 && night.count == 2 && night.rmssd == 30)
        #expect(night.labels == [.hrvValueDisagrees])
        let day = HeartRateVariability(records, native: [], day: 1, night: nil)
        #expect(day.sdnn == 70 && day.rmssd == 40)
        #expect(day.labels == [.hrvAllDay, .hrvValueDisagrees])
        records[1].disagrees = false
        let native = HeartRateVariability(
            records, native: [.init(start: 91_000, day: 1, value: 33)], day: 1, night: Interval(75_000, 100_000))
        #expect(native.sdnn == 40 && native.rmssd == 33)
        #expect(HeartRateVariability(records, native: [], day: 7, night: nil).sdnn == nil)
    }

    @Test("of a day's resting heart rates the best kind counts, then the latest")
    func restingHeartRate() {
        func record(_ value: Double, _ kind: SourceKind, _ creation: Double?, _ end: Double = 0)
            -> RestingHeartRate.Record
        { .init(day: 1, value: value, kind: kind, creation: creation, end: end) }
        #expect(
            RestingHeartRate.byDay([record(60, .watch, 5), record(61, .watch, 9), record(70, .other, 99)]) == [1: 61])
        #expect(RestingHeartRate.byDay([record(60, .phone, 5, 8), record(61, .phone, 5, 7)]) == [1: 60])
        #expect(RestingHeartRate.byDay([record(60, .other, nil), record(61, .other, nil)]) == [1: 61])
        let values = Dictionary((1...8).map { (Int64($0), Double(50 + $0)) }) { first, _ in first }
        #expect(RestingHeartRate.median(before: 9, values) == 54.5)
        #expect(RestingHeartRate.median(before: 8, values) == 54)
        #expect(RestingHeartRate.median(before: 7, values) == nil)
    }

    @Test("a day without a workout is 0, one whose workout has no stress is nothing and counts as 0")
    func stress() throws {
        let series = DailyMetrics.series(
            inputs(5, workouts: [workout(1, stress: 100), workout(1, stress: nil, id: "b"), workout(3, stress: nil)]),
            AthleteSettings())
        #expect(series[0].stress?.tss == 0 && series[0].load == nil)
        let first = try #require(series[1].stress)
        #expect(abs((first.tss ?? 0) - 100) < 1e-9)
        #expect(first.missing == 1 && first.count == 2 && first.workoutID == "a" && first.method == .power)
        #expect(series[1].labels == [.stressMissing, .warmUp])
        #expect(series[3].stress?.tss == nil && series[3].stress?.missing == 1)
        #expect(series[3].scores.strain == nil && series[2].scores.strain == 0)
        let expected = TrainingLoad.series([100, 0, 0, 0, 0])
        #expect(abs((series[5].load?.ctl ?? 0) - (expected.last?.ctl ?? .nan)) < 1e-9)
    }

    @Test("a seed holds at the end of its day")
    func seed() throws {
        let text = #"{"schema":"healthprobe.athlete/1","loadSeed":{"date":"1970-01-02","ctl":40,"atl":30}}"#
        let settings = try AthleteSettings(Array(text.utf8))
        let series = DailyMetrics.series(inputs(4, workouts: [workout(0, stress: 100)]), settings)
        #expect(series[1].load == nil)
        let load = try #require(series[2].load)
        #expect(abs(load.ctl - 39.0589) < 0.0001 && load.form == 10)
    }

    @Test("what the observation did not read is nothing, and labelled")
    func missing() {
        var inputs = inputs(3, hrv: { _ in 40 }, rhr: { _ in 50 }, workouts: [workout(0, stress: 100)])
        inputs.missing = [.variability, .workouts]
        let series = DailyMetrics.series(inputs, AthleteSettings())
        for day in series {
            #expect(day.physio.hrv == nil && day.physio.hrvCount == nil && day.stress == nil && day.load == nil)
            #expect(day.physio.rhr == 50 && day.labels.contains(.typeExcluded))
        }
    }

    @Test("features: Monday is 0, deltas, and the share that is present")
    func features() {
        // 2025-10-25 was a Saturday.
        #expect(DailyFeatures.weekday(20_386) == 5)
        #expect(DailyFeatures.weekday(-4) == 6)
        let series = DailyMetrics.series(
            inputs(60, hrv: { 40 + Double($0 % 3) }, rhr: { 50 + Double($0 % 3) }, workouts: [workout(0, stress: 100)]),
            AthleteSettings())
        let day = series[50].features
        #expect(day[.hrvDelta] == (series[50].physio.hrv ?? 0) - (series[50].physio.hrvBaseline ?? 0))
        #expect(day[.yesterdayStress] == 0 && day[.yesterdayStrain] == 0)
        #expect(day[.recoveryTrend] != nil)
        // All but the three of sleep.
        #expect(day.quality == 13.0 / 16 && day.isValid)
        // Fitness is printed from the first day and counts as present from the 42nd behind it.
        #expect(series[41].features[.ctl] != nil && series[41].features.quality == 10.0 / 16)
        #expect(series[42].features.quality == 13.0 / 16)
        #expect(series[0].features[.yesterdayStress] == nil)
    }
}
