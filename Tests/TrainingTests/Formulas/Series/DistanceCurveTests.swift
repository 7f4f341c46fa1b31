import Testing
import Training

@Suite struct DistanceCurveTests {
    let active = ActiveTime(Interval(0, 1000), pauses: [Interval(420, 480)])
    let records = [Reading(0, 300, 1000), Reading(300, 420, 300), Reading(480, 760, 700), Reading(760, 1000, 600)]

    @Test("a record is spread evenly over its interval")
    func curve() {
        let curve = DistanceCurve(records, active)
        #expect(curve.total == 2600)
        #expect(curve.value(at: 150) == 500)
        #expect(curve.value(at: 450) == 1300)
        #expect(curve.value(at: 620) == 1650)
        #expect(curve.crossing(of: 2000) == DistanceCurve.Crossing(instant: 760, uncertaintySeconds: 280))
        #expect(curve.crossing(of: 2601) == nil)
        #expect(!curve.isEdgeProrated)
    }

    @Test("a record over a pause is spread over its active part")
    func overPause() {
        let curve = DistanceCurve([Reading(0, 1000, 2600)], active)
        #expect(curve.total == 2600)
        #expect(curve.value(at: 420) == curve.value(at: 480))
        let crossing = curve.crossing(of: 1000)
        #expect(abs((crossing?.instant ?? 0) - 361.538) < 0.001)
        #expect(abs((crossing?.uncertaintySeconds ?? 0) - 638.462) < 0.001)
    }

    @Test("a record within a pause is a step at its end")
    func withinPause() {
        let curve = DistanceCurve([Reading(430, 440, 50)], active)
        #expect(curve.value(at: 439) == 0 && curve.value(at: 440) == 50)
        #expect(curve.crossing(of: 10) == DistanceCurve.Crossing(instant: 440, uncertaintySeconds: 0))
    }

    @Test("overlapping records count once, each on what no earlier one covers")
    func overlaps() {
        let curve = DistanceCurve([Reading(0, 100, 100), Reading(50, 150, 200), Reading(60, 140, 800)], active)
        #expect(curve.total == 200)
        #expect(curve.value(at: 125) == 150)
    }

    @Test("an instant counts unless it lies inside covered time")
    func instants() {
        let curve = DistanceCurve(
            [Reading(0, 0, 1), Reading(0, 10, 10), Reading(5, 5, 100), Reading(10, 10, 4)], active)
        #expect(curve.total == 15)
        #expect(curve.value(at: 0) == 1)
        #expect(curve.value(at: 10) == 15)
    }

    @Test("a step at the workout's start belongs to what begins there")
    func stepAtTheStart() {
        let curve = DistanceCurve([Reading(0, 0, 8), Reading(100, 100, 2)], active)
        #expect(curve.value(in: active.workout) == curve.total && curve.value(in: Interval(0, 50)) == 8)
        #expect(curve.value(in: Interval(0, 100)) == 10 && curve.value(in: Interval(100, 200)) == 0)
    }

    @Test("what lies outside the workout is left out")
    func edges() {
        let curve = DistanceCurve([Reading(-50, 50, 100), Reading(950, 1050, 100), Reading(1100, 1200, 9)], active)
        #expect(curve.total == 100 && curve.isEdgeProrated)
        #expect(curve.value(at: 50) == 50)
    }

    @Test("splitting a record at equal rate changes nothing")
    func splitting() {
        let whole = DistanceCurve([Reading(100, 700, 1234.5)], active)
        let seconds = 540.0
        let rate = 1234.5 / seconds
        let parts = DistanceCurve(
            [Reading(100, 300, 200 * rate), Reading(300, 450, 120 * rate), Reading(450, 700, 220 * rate)], active)
        for instant in stride(from: 0.0, through: 1000, by: 7.3) {
            #expect(abs(whole.value(at: instant) - parts.value(at: instant)) < 1e-6)
        }
    }
}
