internal import Testing
internal import Training

@Suite struct TrainingStressTests {
    private let hour = ActiveTime(Interval(0, 3600))

    /// One heart rate for a part of the hour.
    private func held(_ heartRate: Double, until end: Double = 3600) -> HeldValues {
        HeldValues([Reading(0, end, heartRate)], hold: 0, within: hour.workout)
    }

    private func athlete(
        _ settings: AthleteSettings = AthleteSettings(), _ change: (inout Athlete) -> Void
    ) -> Athlete {
        var athlete = Athlete(settings, on: 0)
        change(&athlete)
        return athlete
    }

    @Test("an hour at the threshold power is 100, and goes before the heart rate")
    func power() throws {
        let stress = TrainingStress(
            hour, power: (normalized: 250, coveredSeconds: 3600), .cyclingPower, heartRate: held(150),
            athlete {
                $0.recordedThresholdPower = 250
                $0.maxHeartRate = 190
                $0.restingHeartRate = 50
            })
        #expect(stress.value == 100)
        #expect(stress.method == .power)
        #expect(stress.intensityFactor == 1)
        #expect(stress.trimp != nil)
        #expect(stress.labels.isEmpty)
    }

    @Test("60 s at 300 W and 60 s at 100 W: what condensing to five minutes does to the stress")
    func condensedPower() {
        let fine = TrainingStress.value(seconds: 3600, normalizedPower: 239.1, threshold: 250)
        let condensed = TrainingStress.value(seconds: 3600, normalizedPower: 202.8, threshold: 250)
        #expect(abs(fine - 91.5) < 0.05)
        #expect(abs(condensed - 65.8) < 0.05)
    }

    @Test("an hour at the threshold heart rate is 100, whether it is set or estimated")
    func heartRate() throws {
        let settings =
            #"{"schema":"healthprobe.athlete/1","periods":[{"from":"1970-01-01","thresholdHeartRate":165}]}"#
        let set = TrainingStress(
            hour, power: nil, nil, heartRate: held(165),
            athlete(try AthleteSettings(Array(settings.utf8))) {
                $0.maxHeartRate = 190
                $0.restingHeartRate = 50
            })
        #expect(abs(try #require(set.value) - 100) < 1e-9)
        #expect(set.method == .heartRate)
        #expect(set.labels.isEmpty)
        let estimated = TrainingStress(
            hour, power: nil, nil, heartRate: held(169),
            athlete {
                $0.maxHeartRate = 190
                $0.isMaximumEstimated = true
                $0.restingHeartRate = 50
            })
        #expect(abs(try #require(estimated.value) - 100) < 1e-9)
        #expect(estimated.labels == [.thresholdEstimated, .maxHeartRateEstimated])
    }

    @Test("the impulse of a ride with power rests on the estimated maximum, its stress does not rest on the threshold")
    func labels() {
        let ride = TrainingStress(
            hour, power: (normalized: 200, coveredSeconds: 3600), .cyclingPower, heartRate: held(150),
            athlete {
                $0.recordedThresholdPower = 250
                $0.maxHeartRate = 190
                $0.isMaximumEstimated = true
                $0.restingHeartRate = 50
            })
        #expect(ride.method == .power && ride.trimp != nil && ride.labels == [.maxHeartRateEstimated])
    }

    @Test("parameters of types that were not read are labelled where they would count")
    func unread() {
        func labels(_ power: TrainingStress.Power?, _ heartRate: HeldValues?) -> Set<Label> {
            TrainingStress(
                hour, power: power, .cyclingPower, heartRate: heartRate,
                athlete {
                    $0.isThresholdPowerUnread = true
                    $0.isHeartRateUnread = heartRate != nil
                }
            ).labels
        }
        #expect(labels((normalized: 200, coveredSeconds: 3600), nil) == [.stressMissing, .typeExcluded])
        #expect(labels(nil, held(150)) == [.stressMissing, .typeExcluded])
        #expect(labels(nil, nil) == [.stressMissing])
    }

    @Test("without 80 % of the active time, a maximum or a resting heart rate there is no stress and no impulse")
    func missing() {
        let known = athlete {
            $0.maxHeartRate = 190
            $0.restingHeartRate = 50
        }
        for stress in [
            TrainingStress(hour, power: nil, nil, heartRate: held(150, until: 2879), known),
            TrainingStress(hour, power: nil, nil, heartRate: nil, known),
            TrainingStress(hour, power: nil, nil, heartRate: held(150), athlete { $0.maxHeartRate = 190 }),
            TrainingStress(hour, power: nil, nil, heartRate: held(150), athlete { $0.restingHeartRate = 50 }),
            TrainingStress(hour, power: (normalized: 200, coveredSeconds: 3600), .cyclingPower, heartRate: nil, known),
            TrainingStress(ActiveTime(Interval(5, 5)), power: nil, nil, heartRate: nil, known),
        ] {
            #expect(stress.value == nil && stress.trimp == nil && stress.method == nil)
            #expect(stress.labels == [.stressMissing])
        }
        #expect(TrainingStress(hour, power: nil, nil, heartRate: held(150, until: 2880), known).value != nil)
    }

    @Test("too little power falls back to the heart rate")
    func fallback() {
        let stress = TrainingStress(
            hour, power: (normalized: 200, coveredSeconds: 2000), .cyclingPower, heartRate: held(150),
            athlete {
                $0.recordedThresholdPower = 250
                $0.maxHeartRate = 190
                $0.restingHeartRate = 50
            })
        #expect(stress.method == .heartRate)
        #expect(stress.intensityFactor == nil)
    }
}
