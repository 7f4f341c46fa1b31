internal import Testing
internal import Training

@Suite struct TrainingLoadTests {
    private func close(_ value: Double?, _ expected: Double, _ tolerance: Double = 0.00005) -> Bool {
        value.map { abs($0 - expected) <= tolerance } ?? false
    }

    @Test("the last day of Elevate's series: 380 on top of 37.3862 and 109.7973")
    func elevate() throws {
        let loads = TrainingLoad.series([380], from: .init(day: 0, ctl: 37.386181, atl: 109.797281))
        let last = try #require(loads.last)
        #expect(close(last.ctl, 45.4473))
        #expect(close(last.atl, 145.7672))
        #expect(close(last.form, -72.4111))
    }

    @Test("after a long rest: 59.713 and 1.933, a day of 55, a day of 0")
    func seedRow() throws {
        let loads = TrainingLoad.series([55, 0], from: .init(day: 0, ctl: 59.713, atl: 1.933))
        let last = try #require(loads.last)
        #expect(close(last.ctl, 58.2, 0.05))
        #expect(close(last.atl, 7.8, 0.05))
        #expect(close(last.tsb, 50.4, 0.05))
        #expect(close(last.form, 50.605, 0.0005))
    }

    @Test("100 of stress taken away k days ago", arguments: [(0, -2.3528), (7, -1.9916), (42, -0.8656)])
    func takenAway(days: Int, difference: Double) throws {
        let with = TrainingLoad.series([100] + [Double](repeating: 0, count: days))
        #expect(close(try -(#require(with.last)).ctl, difference))
    }

    @Test("the confidence passes 95 % at 126 days")
    func confidence() {
        let loads = TrainingLoad.series([Double](repeating: 50, count: 126))
        #expect(loads[124].isWarmingUp)
        #expect(!loads[125].isWarmingUp)
        #expect(close(loads[0].confidence, 0.023528, 0.000001))
    }
}
