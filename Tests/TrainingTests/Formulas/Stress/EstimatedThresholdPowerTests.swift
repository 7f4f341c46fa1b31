internal import Testing
internal import Training

@Suite struct EstimatedThresholdPowerTests {
    private func watts(_ parts: [(Double?, Int)]) -> [Double?] { parts.flatMap { [Double?](repeating: $0, count: $1) } }

    @Test("20 minutes at 260 W in 150 W: 247.0, and 229.6 from means of 900 s")
    func condensed() throws {
        let fine = try #require(BestEfforts.highest(1200, watts([(150, 900), (260, 1200), (150, 1500)])))
        #expect(abs(EstimatedThresholdPower.share * fine - 247) < 1e-9)
        let mean = (300 * 260.0 + 600 * 150) / 900
        let condensed = try #require(
            BestEfforts.highest(1200, watts([(150, 900), (260, 900), (mean, 900), (150, 900)])))
        #expect(abs(EstimatedThresholdPower.share * condensed - 229.6) < 0.05)
    }

    @Test("20 minutes need 95 % of their seconds with a value, and seconds without count as 0")
    func coverage() {
        #expect(BestEfforts.highest(1200, watts([(200, 1199)])) == nil)
        #expect(BestEfforts.highest(1200, watts([(200, 1139), (nil, 61)])) == nil)
        #expect(BestEfforts.highest(1200, watts([(200, 1140), (nil, 60)])) == 190)
    }

    @Test("a ride counts on its day and the 89 behind it")
    func window() {
        let series = EstimatedThresholdPower.series([(2, 200), (5, 300), (-88, 400)], count: 100)
        #expect(series[0] == 380 && series[1] == 380)
        #expect(series[2] == 190 && series[5] == 285 && series[94] == 285)
        #expect(series[95] == nil)
    }
}
