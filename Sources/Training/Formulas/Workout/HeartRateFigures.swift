/// The heart rate of a workout: held values over active time, beside what Apple's statistics say.
package struct HeartRateFigures: Sendable, Equatable {
    /// bpm, weighted by active time; nil where no active time has a value.
    package var average: Double?
    /// Over the values of the records, in a pause or not.
    package var minimum: Double?
    package var maximum: Double?
    package var coveredSeconds: Double
    /// Active seconds without a value.
    package var unknownSeconds: Double
    package var spacing: Spacing
    /// Apple's statistics; HealthKit does not change them when it condenses.
    package var apple: WorkoutStatistic?
    package var labels: Set<Label> = []

    /// By how many bpm the records may differ from Apple's statistics.
    private static let tolerance = 2.0

    package init(_ series: SampleSelection.Series?, _ held: HeldValues, _ active: ActiveTime, apple: WorkoutStatistic?)
    {
        let summary = held.summary(in: active.workout, active)
        let readings = series?.readings ?? []
        average = summary.average
        minimum = readings.map(\.value).min()
        maximum = readings.map(\.value).max()
        coveredSeconds = summary.coveredSeconds
        unknownSeconds = max(0, active.activeSeconds - summary.coveredSeconds)
        spacing = Spacing(readings, active)
        self.apple = apple
        let averages = average.flatMap { own in apple?.average.map { abs(own - $0) } } ?? 0
        let maxima = maximum.flatMap { own in apple?.maximum.map { $0 - own } } ?? 0
        if averages > Self.tolerance || maxima > Self.tolerance {
            labels.insert(readings.contains(where: \.isCondensed) ? .condensed : .heartRateDisagrees)
        }
    }
}

/// How densely a series was recorded.
package struct Spacing: Sendable, Equatable {
    package var recordCount: Int
    /// Records a minute of active time; nil without active time or records.
    package var pointsPerMinute: Double?
    /// The median distance of successive starts; nil below two records.
    package var medianSeconds: Double?

    package enum Resolution: String, Sendable {
        case fine, medium, coarse
    }

    package init(_ readings: [Reading], _ active: ActiveTime) {
        recordCount = readings.count
        pointsPerMinute =
            active.activeSeconds > 0 && !readings.isEmpty ? Double(readings.count) / (active.activeSeconds / 60) : nil
        medianSeconds = zip(readings, readings.dropFirst()).map { $1.start - $0.start }.median
    }

    /// Up to 10 s, up to 60 s, or more between records; nil below two records.
    package var resolution: Resolution? {
        medianSeconds.map { $0 <= 10 ? .fine : $0 <= 60 ? .medium : .coarse }
    }
}
