import Testing
import Training

@Suite struct HeldValuesTests {
    func held(_ readings: [Reading], end: Double) -> HeldValues {
        HeldValues(readings, hold: HeldValues.heartRateHold, within: Interval(0, end))
    }

    @Test("readings before and after they are condensed have one average")
    func average() {
        let fine = [0.0, 5, 10, 15].map { Reading($0, $0, 80) } + [Reading(20, 20, 120)]
        let condensed = [Reading(0, 15, 80, isCondensed: true), Reading(20, 25, 120, isCondensed: true)]
        for readings in [fine, condensed] {
            let summary = held(readings, end: 25).summary(in: Interval(0, 25), ActiveTime(Interval(0, 25)))
            #expect(summary.average == 88 && summary.coveredSeconds == 25)
            #expect(summary.minimum == 80 && summary.maximum == 120)
        }
    }

    @Test("an instant holds for 30 s, an interval for its length and 30 s more")
    func holding() {
        let held = held([Reading(10, 10, 100), Reading(100, 200, 150)], end: 1000)
        #expect(held.value(at: 9) == nil)
        #expect(held.value(at: 10) == 100 && held.value(at: 39.9) == 100 && held.value(at: 40) == nil)
        #expect(held.value(at: 229.9) == 150 && held.value(at: 230) == nil)
    }

    @Test("an instant inside an interval takes its place for 30 s")
    func instantInside() {
        let held = held([Reading(0, 900, 150), Reading(300, 300, 180), Reading(900, 1800, 140)], end: 1800)
        #expect(held.value(at: 299) == 150 && held.value(at: 300) == 180 && held.value(at: 330) == 150)
        #expect(held.value(at: 900) == 140)
        #expect(held.segments.map(\.reading) == [0, 1, 0, 2])
    }

    @Test("of readings with one start the shorter counts, then the first")
    func ties() {
        let held = held([Reading(0, 10, 1), Reading(0, 10, 2), Reading(0, 100, 3)], end: 500)
        #expect(held.value(at: 39) == 1 && held.value(at: 40) == 3 && held.value(at: 130) == nil)
        #expect(held.segments.count == 2)
    }

    @Test("what lies outside the workout is cut, and pauses have no weight")
    func cut() {
        let held = held([Reading(-50, 20, 100), Reading(60, 300, 200)], end: 100)
        #expect(held.segments.map(\.interval) == [Interval(0, 50), Interval(60, 100)])
        let active = ActiveTime(Interval(0, 100), pauses: [Interval(50, 90)])
        let summary = held.summary(in: Interval(0, 100), active)
        #expect(summary.coveredSeconds == 60)
        #expect(abs((summary.average ?? 0) - 7000 / 60) < 1e-9)
    }

    @Test("a walk through all instants by the rule finds the same values")
    func naive() {
        var state: UInt64 = 7
        func random(_ limit: UInt64) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double((state >> 33) % limit)
        }
        for _ in 0..<50 {
            let readings = (0..<40).map { _ in
                let start = random(900) - 50
                return Reading(start, start + (random(3) == 0 ? random(200) : 0), random(200))
            }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            let held = held(readings, end: 800)
            for instant in stride(from: 0.5, to: 800, by: 3) {
                let candidates = readings.filter { $0.start <= instant && instant < $0.end + 30 }
                let latest = candidates.map(\.start).max()
                #expect(held.value(at: instant) == candidates.first { $0.start == latest }?.value)
            }
        }
    }
}
