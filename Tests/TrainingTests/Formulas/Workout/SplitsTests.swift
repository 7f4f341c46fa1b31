import Testing
import Training

@Suite struct SplitsTests {
    let paused = ActiveTime(Interval(0, 1000), pauses: [Interval(420, 480)])
    let fine = [Reading(0, 300, 1000), Reading(300, 420, 300), Reading(480, 760, 700), Reading(760, 1000, 600)]

    func rounded(_ rows: [Splits.Row]) -> [[Double]] {
        rows.map {
            [
                Rounding.measure($0.elapsedSeconds), Rounding.measure($0.activeSeconds),
                Rounding.measure($0.metres ?? -1),
            ]
        }
    }

    @Test("S1: kilometres around a pause")
    func kilometres() {
        let rows = Splits.rows(of: DistanceCurve(fine, paused), paused, .km)
        #expect(rounded(rows) == [[300, 300, 1000], [460, 400, 1000], [240, 240, 600]])
        #expect(rows.map(\.isPartial) == [false, false, true])
        #expect(rows.map(\.secondsPerKilometre) == [300, 400, 400])
        #expect(rows.map(\.uncertaintySeconds) == [300, 280, nil])
    }

    @Test("S1: miles around a pause")
    func miles() {
        let rows = Splits.rows(of: DistanceCurve(fine, paused), paused, .mile)
        #expect(rounded(rows) == [[603.738, 543.738, 1609.344], [396.262, 396.262, 990.656]])
    }

    @Test("S2: the same run condensed to one record")
    func condensed() {
        let rows = Splits.rows(of: DistanceCurve([Reading(0, 1000, 2600)], paused), paused, .km)
        #expect(rounded(rows) == [[361.538, 361.538, 1000], [421.538, 361.538, 1000], [216.923, 216.923, 600]])
        #expect(rows.map { $0.precision } == [.unusable, .unusable, nil])
        #expect(Rounding.measure(rows[0].uncertaintySeconds ?? 0) == 638.462)
    }

    @Test("S3: a constant pace in records of 30 s gives equal splits")
    func constant() {
        let active = ActiveTime(Interval(0, 1800))
        let curve = DistanceCurve(stride(from: 0.0, to: 1800, by: 30).map { Reading($0, $0 + 30, 100) }, active)
        let rows = Splits.rows(of: curve, active, .km)
        #expect(rounded(rows) == Array(repeating: [300, 300, 1000], count: 6))
    }

    @Test("an endless distance has no endless rows")
    func endless() {
        let active = ActiveTime(Interval(0, 600))
        let rows = Splits.rows(of: DistanceCurve([Reading(0, 600, 1e300)], active), active, .km)
        #expect(rows.count == 10_001 && rows.last?.isPartial == true)
        #expect(rows.reduce(0) { $0 + $1.activeSeconds } == 600)
    }

    @Test("S3 with a third of a metre: sums of doubles do not lose the last split")
    func thirds() {
        let active = ActiveTime(Interval(0, 1800))
        let curve = DistanceCurve(stride(from: 0.0, to: 1800, by: 10).map { Reading($0, $0 + 10, 100 / 3) }, active)
        #expect(rounded(Splits.rows(of: curve, active, .km)) == Array(repeating: [300, 300, 1000], count: 6))
    }

    @Test("S4: a real run by Apple's segments, in elapsed and active time")
    func segments() {
        func at(_ minutes: Double, _ seconds: Double) -> Double { minutes * 60 + seconds }
        let workout = Interval(at(44, 41), at(73, 58))
        let active = ActiveTime(
            workout,
            pauses: [
                Interval(at(44, 41), at(44, 46)), Interval(at(48, 37), at(49, 17)), Interval(at(52, 21), at(52, 47)),
                Interval(at(52, 47), at(52, 48)),
            ])
        #expect(active.activeSeconds == 1685)
        var start = workout.start
        let segments = [439.93, 436.62, 421.19, 413.48].map { seconds in
            defer { start += seconds }
            return Interval(start, start + seconds)
        }
        let rows = Splits.rows(ofSegments: segments, nil, active)
        #expect(rows.map { Rounding.measure($0.elapsedSeconds) } == [439.93, 436.62, 421.19, 413.48])
        #expect(rows.map { Rounding.pace($0.activeSeconds) } == [394.9, 409.6, 421.2, 413.5])
    }

    @Test("S5: one record for the whole workout gives rows without precision")
    func oneRecord() {
        let active = ActiveTime(Interval(0, 3600))
        let rows = Splits.rows(of: DistanceCurve([Reading(0, 3600, 10_500)], active), active, .km)
        #expect(rows.count == 11 && rows.dropLast().allSatisfy { $0.precision == .unusable })
    }

    @Test("a record that jumps several kilometres gives rows with equal times")
    func jump() {
        let active = ActiveTime(Interval(0, 600))
        let curve = DistanceCurve([Reading(0, 300, 900), Reading(300, 300, 3000), Reading(300, 600, 100)], active)
        let rows = Splits.rows(of: curve, active, .km)
        #expect(rows.map(\.elapsedSeconds) == [300, 0, 0, 300])
        #expect(rows.map(\.uncertaintySeconds) == [0, 0, 0, 300])
    }

    @Test("a rest below a metre belongs to the row before, and below 50 m there is no pace")
    func rests() {
        let active = ActiveTime(Interval(0, 400))
        func rows(_ metres: Double) -> [Splits.Row] {
            Splits.rows(of: DistanceCurve([Reading(0, 400, metres)], active), active, .km)
        }
        #expect(rounded(rows(1000.5)) == [[400, 400, 1000.5]])
        #expect(rows(1049).map { $0.secondsPerKilometre == nil } == [false, true])
        #expect(rows(1050).map { $0.secondsPerKilometre == nil } == [false, false])
        #expect(rows(0.5).map(\.isPartial) == [true])
    }

    @Test("the rows' time and distance add up to the workout's", arguments: 1...40)
    func invariants(seed: UInt64) {
        var random = SeededNumbers(seed)
        let workout = Interval(0, 600 + random.below(3000))
        let pauses = (0..<3).map { _ in
            let start = random.below(3000)
            return Interval(start, start + random.below(200))
        }
        let active = ActiveTime(workout, pauses: pauses)
        var readings: [Reading] = []
        var start = 0.0
        while start < workout.end {
            let seconds = 1 + random.below(60)
            readings.append(Reading(start, start + seconds, seconds * (1 + random.below(4))))
            start += seconds + (random.below(5) < 1 ? random.below(30) : 0)
        }
        let curve = DistanceCurve(readings, active)
        for length in Splits.Length.allCases {
            let rows = Splits.rows(of: curve, active, length)
            #expect(abs(rows.reduce(0) { $0 + $1.activeSeconds } - active.activeSeconds) < 0.001)
            #expect(abs(rows.reduce(0) { $0 + ($1.metres ?? 0) } - curve.total) < 0.001)
        }
    }
}

/// Numbers that look random and follow from a seed.
struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ limit: Double) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(UInt64(1) << 53) * limit
    }
}
