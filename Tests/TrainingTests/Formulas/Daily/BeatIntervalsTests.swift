internal import Testing
internal import Training

@Suite struct BeatIntervalsTests {
    private func beats(_ intervals: [Double]) -> [BeatIntervals.Beat] {
        var microseconds = 0.0
        return [BeatIntervals.Beat(microseconds: 0, beatsPerMinute: 60)]
            + intervals.map {
                microseconds += $0 * 1000
                return BeatIntervals.Beat(microseconds: microseconds, beatsPerMinute: (60_000 / $0).rounded())
            }
    }

    @Test("500, 510, 530, 550 and 560 ms")
    func vector() throws {
        let intervals = [500.0, 510, 530, 550, 560]
        #expect(abs(try #require(BeatIntervals.standardDeviation(intervals)) - 25.495) < 0.0005)
        #expect(abs(try #require(BeatIntervals.rootMeanSquare(intervals, leastPairs: 1)) - 15.811) < 0.0005)
    }

    @Test("a list needs ten pairs of neighbouring intervals")
    func pairs() throws {
        let intervals = (0..<11).map { 800.0 + Double($0 % 2) * 20 }
        #expect(BeatIntervals.rmssd(beats(Array(intervals.dropLast()))) == nil)
        #expect(abs(try #require(BeatIntervals.rmssd(beats(intervals))) - 20) < 1e-9)
    }

    @Test("an interval that does not fit the later beat's rate is a missing beat, and breaks its pairs")
    func gaps() {
        var list = beats([800, 800, 800])
        list[2].beatsPerMinute = 150
        #expect(BeatIntervals.intervals(list).map { $0 == nil } == [false, true, false])
        list = beats([800, 2001, 299])
        #expect(BeatIntervals.intervals(list).map { $0 == nil } == [false, true, true])
        #expect(BeatIntervals.rootMeanSquare([800, nil, 820], leastPairs: 1) == nil)
    }

    @Test("an interval may be off by exactly 10 ms")
    func tolerance() {
        // 62 bpm: 60,000/62.5 is 960 ms.
        func interval(_ microseconds: Double) -> Double? {
            BeatIntervals.intervals([
                .init(microseconds: 1_100_000, beatsPerMinute: 62),
                .init(microseconds: 1_100_000 + microseconds, beatsPerMinute: 62),
            ])[0]
        }
        #expect(interval(950_000) == 950 && interval(949_999) == nil)
    }

    @Test("the value of a record is compared with the deviation of the printed rates")
    func value() {
        let list = [60.0, 62, 64, 61, 63].map { BeatIntervals.Beat(microseconds: 0, beatsPerMinute: $0) }
        // 60,000 / rate: 1000, 967.74, 937.5, 983.61, 952.38 ms; their sample deviation is 24.71 ms.
        #expect(!BeatIntervals.disagrees(list, with: 24.71))
        #expect(!BeatIntervals.disagrees(list, with: 25.6))
        #expect(BeatIntervals.disagrees(list, with: 26))
        #expect(!BeatIntervals.disagrees([], with: 40))
    }
}
