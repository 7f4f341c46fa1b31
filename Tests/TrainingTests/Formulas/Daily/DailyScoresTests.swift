internal import Testing
internal import Training

@Suite struct DailyScoresTests {
    private func scores(
        _ variability: Double?, _ rest: Double?, _ sleep: Double?, stress: Double? = nil, ctl: Double? = nil
    ) -> DailyScores {
        DailyScores(
            variability: variability, restingHeartRate: rest, sleepRatio: sleep, stress: stress, ctl: ctl,
            AthleteSettings().score)
    }

    private func close(_ value: Double?, _ expected: Double, _ tolerance: Double = 0.005) -> Bool {
        value.map { abs($0 - expected) <= tolerance } ?? false
    }

    @Test("recovery and its band")
    func recovery() {
        #expect(close(scores(0, 0, 1).recovery, 67.5) && scores(0, 0, 1).band == .green)
        #expect(close(scores(-1, 1, 0.8).recovery, 44.25) && scores(-1, 1, 0.8).band == .amber)
        #expect(close(scores(-2, 2, 0.6).recovery, 21) && scores(-2, 2, 0.6).band == .red)
        #expect(close(scores(0, nil, 1).recovery, 73.33))
        #expect(scores(nil, nil, 1).recovery == nil && scores(nil, nil, 1).band == nil)
        #expect(close(scores(nil, nil, 1).sleep, 100))
    }

    @Test("strain")
    func strain() {
        #expect(close(scores(0, 0, 1, stress: 55).strain, 42.31))
        #expect(close(scores(0, 0, 1, stress: 100).strain, 63.21))
        #expect(scores(0, 0, 1, stress: 0).strain == 0)
        #expect(scores(0, 0, 1).strain == nil)
    }

    @Test("the effort of a day by its band")
    func effort() {
        #expect(close(scores(0, 0, 1, ctl: 58.2).effortTarget, 53.07))
        #expect(close(scores(-1, 1, 0.8, ctl: 58.2).effortTarget, 44.12))
        #expect(close(scores(-2, 2, 0.6, ctl: 58.2).effortTarget, 25.25))
        #expect(scores(nil, nil, 1, ctl: 58.2).effortTarget == nil)
        #expect(scores(0, 0, 1).effortTarget == nil)
    }

    @Test("the settings move weights and bands")
    func settings() {
        var score = AthleteSettings().score
        (score.hrvWeight, score.rhrWeight, score.sleepWeight) = (1, 0, 0)
        score.greenFrom = 80
        let scores = DailyScores(
            variability: 1, restingHeartRate: 2, sleepRatio: 0, stress: nil, ctl: nil, score)
        #expect(scores.recovery == 75 && scores.band == .amber)
    }
}
