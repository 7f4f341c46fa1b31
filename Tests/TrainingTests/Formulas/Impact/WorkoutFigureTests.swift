internal import Testing
internal import Training

/// Which series and parameters a workout's figures follow from.
@Suite struct WorkoutFigureTests {
    private static let hour = 0..<3600

    /// An hour's ride with heart rate and power.
    private func ride(ftp: Double? = nil, rest: Double? = 50, statistic: WorkoutStatistic? = nil) -> WorkoutTruth {
        var facts = WorkoutFacts(activity: "HKWorkoutActivityTypeCycling", interval: Interval(0, 3600))
        facts.statistics = [statistic].compactMap(\.self)
        func series(_ value: Double) -> SampleSelection.Series {
            .init(Self.hour.map { Reading(Double($0), Double($0), value) })
        }
        var athlete = Athlete(
            AthleteSettings(), on: 20_000, birthDay: 5000, recordedRestingHeartRate: rest, recordedThresholdPower: ftp)
        athlete.sex = .male
        return WorkoutTruth(
            facts, WorkoutSamples(series: [.heartRate: series(150), .cyclingPower: series(200)]), athlete)
    }

    @Test("the stress follows from the series of the method that holds")
    func series() {
        #expect(WorkoutFigure.tss.types(of: ride(ftp: 250)) == [.cyclingPower])
        #expect(WorkoutFigure.tss.types(of: ride()) == [.heartRate])
        #expect(WorkoutFigure.tss.types(of: ride(rest: nil)) == [.heartRate, .cyclingPower])
        #expect(WorkoutFigure.trimp.types(of: ride(ftp: 250)) == [.heartRate])
        #expect(WorkoutFigure.best20minPower.types(of: ride()) == [.cyclingPower])
    }

    @Test("a total that the workout states follows from no series")
    func totals() throws {
        let distance = try #require(ride().distanceType)
        #expect(
            WorkoutFigure.distance.types(of: ride()) == [distance]
                && WorkoutFigure.energy.types(of: ride()) == [.activeEnergy])
        let stated = ride(statistic: WorkoutStatistic(distance, sum: 30_000))
        #expect(
            WorkoutFigure.distance.types(of: stated).isEmpty && WorkoutFigure.splits.types(of: stated) == [distance])
        #expect(WorkoutFigure.energy.types(of: ride(statistic: WorkoutStatistic(.activeEnergy, sum: 500))).isEmpty)
    }

    @Test("only parameters of the figure are a cause")
    func parameters() {
        func isCause(_ figure: WorkoutFigure, _ a: WorkoutTruth, _ b: WorkoutTruth) -> Bool {
            figure.hasOtherParameters(a, b)
        }
        #expect(isCause(.tss, ride(ftp: 250), ride(ftp: 260)) && isCause(.tss, ride(), ride(ftp: 250)))
        #expect(!isCause(.trimp, ride(ftp: 250), ride(ftp: 260)) && !isCause(.heartRateAverage, ride(), ride(ftp: 250)))
        #expect(!isCause(.tss, ride(ftp: 250), ride(ftp: 250, rest: 60)) && isCause(.tss, ride(), ride(rest: 60)))
        #expect(isCause(.hrTSS, ride(ftp: 250), ride(ftp: 250, rest: 60)))
    }
}
