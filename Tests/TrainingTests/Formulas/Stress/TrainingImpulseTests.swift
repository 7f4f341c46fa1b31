internal import Testing
internal import Training

extension TrainingImpulse {
    /// The impulse of heart rates with the seconds for which each held.
    fileprivate func value(_ held: [(heartRate: Double, seconds: Double)]) -> Double {
        held.reduce(0) { $0 + perMinute($1.heartRate) * ($1.seconds / 60) }
    }
}

@Suite struct TrainingImpulseTests {
    @Test("half an hour at 130 bpm, rest 40 and maximum 200, is 31.80")
    func halfHour() throws {
        let impulse = try #require(TrainingImpulse(restingHeartRate: 40, maxHeartRate: 200, sex: .male))
        #expect(abs(impulse.value([(130, 1800)]) - 31.80) < 0.005)
    }

    @Test("the weight is integrated over the values, so six blocks of 176 and 146 bpm weigh more than their mean")
    func integration() throws {
        let impulse = try #require(TrainingImpulse(restingHeartRate: 50, maxHeartRate: 190, sex: .male))
        let fine = impulse.value([(176, 6 * 180), (146, 6 * 120)])
        let condensed = impulse.value([(164, 6 * 300)])
        #expect(abs(fine - condensed - (115.23 - 111.87)) < 0.01)
    }

    @Test(
        "the exponent follows the sex", arguments: [(AthleteSettings.Sex.male, 1.92), (.female, 1.67), (.unset, 1.795)])
    func exponents(sex: AthleteSettings.Sex, exponent: Double) { #expect(sex.exponent == exponent) }

    @Test("below rest there is no impulse, and a maximum at rest is none")
    func bounds() {
        #expect(TrainingImpulse(restingHeartRate: 60, maxHeartRate: 200, sex: .unset)?.perMinute(50) == 0)
        #expect(TrainingImpulse(restingHeartRate: 60, maxHeartRate: 60, sex: .unset) == nil)
    }

    @Test("held values count while they hold in active time")
    func heldValues() throws {
        let impulse = try #require(TrainingImpulse(restingHeartRate: 40, maxHeartRate: 200, sex: .male))
        let workout = Interval(0, 2400)
        let active = ActiveTime(workout, pauses: [Interval(600, 1200)])
        let held = HeldValues([Reading(0, 2400, 130)], hold: HeldValues.heartRateHold, within: workout)
        #expect(abs(impulse.value(held, active) - 31.80) < 0.005)
    }
}
