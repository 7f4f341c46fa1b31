import Testing
import Training

@Suite struct IntervalTests {
    @Test("an interval is half-open, and an instant has no seconds")
    func halfOpen() {
        let interval = Interval(10, 20)
        #expect(interval.contains(10) && !interval.contains(20))
        #expect(!Interval(10, 10).contains(10))
        #expect(interval.intersection(Interval(20, 30)) == nil)
        #expect(interval.overlap(Interval(15, 30)) == 5)
    }

    @Test("a union joins what overlaps or touches, and leaves empty intervals out")
    func union() {
        let all = [Interval(5, 7), Interval(0, 2), Interval(2, 3), Interval(6, 9), Interval(4, 4), Interval(8, 6)]
        #expect(all.united == [Interval(0, 3), Interval(5, 9)])
        #expect(all.united.seconds == 7)
    }

    @Test("intervals that come one by one are joined seldom, also where none overlap")
    func gathered() {
        var (apart, same) = (GatheredIntervals(least: 10), GatheredIntervals(least: 10))
        for second in 0..<10_000 {
            apart.append(Interval(Double(2 * second), Double(2 * second + 1)))
            same.append(Interval(Double(second % 3), Double(second % 3 + 2)))
        }
        #expect(apart.united.count == 10_000 && apart.unions < 20)
        #expect(same.united == [Interval(0, 4)])
    }
}
