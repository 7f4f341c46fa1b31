import Testing
import Training

@Suite struct ActiveTimeTests {
    let time = ActiveTime(
        Interval(1000, 2000), pauses: [Interval(1700, 1800), Interval(1420, 1480), Interval(1750, 1810)])

    @Test("active time is elapsed time without the union of the pauses")
    func active() {
        #expect(time.elapsedSeconds == 1000)
        #expect(time.pauses == [Interval(1420, 1480), Interval(1700, 1810)])
        #expect(time.activeSeconds == 830)
    }

    @Test(
        "a(t) stands still in a pause",
        arguments: [
            (900.0, 0.0), (1000, 0), (1100, 100), (1420, 420), (1450, 420), (1480, 420), (1481, 421), (2500, 830),
        ])
    func secondsUntil(instant: Double, seconds: Double) {
        #expect(time.seconds(until: instant) == seconds)
    }

    @Test(
        "w(n) stands behind the pause that begins there",
        arguments: [(0.0, 1000.0), (419.5, 1419.5), (420, 1480), (421, 1481), (640, 1810), (830, 2000)])
    func instantAfter(seconds: Double, instant: Double) {
        #expect(time.instant(after: seconds) == instant)
    }

    @Test("the last second of a workout that ends in a pause is its end")
    func openPause() {
        let time = ActiveTime(Interval(0, 100), pauses: [Interval(60, 500)])
        #expect(time.activeSeconds == 60)
        #expect(time.instant(after: 60) == 100)
        #expect(time.instant(after: 59) == 59)
    }

    @Test("the active parts of an interval leave the pauses out")
    func parts() {
        #expect(time.parts(of: Interval(1400, 1500)) == [Interval(1400, 1420), Interval(1480, 1500)])
        #expect(time.parts(of: Interval(1430, 1440)).isEmpty)
        #expect(time.parts(of: Interval(0, 1010)) == [Interval(1000, 1010)])
        #expect([1400.0, 1450, 2000].map { time.seconds(in: Interval($0, $0 + 1)) } == [1, 0, 0])
    }

    @Test("a workout of no length has no active time")
    func empty() {
        let time = ActiveTime(Interval(5, 5), pauses: [])
        #expect(time.activeSeconds == 0 && time.instant(after: 0) == 5)
    }
}
