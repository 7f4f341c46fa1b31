@testable internal import Questions
internal import Testing

/// What a coarse survey keeps, and what it does not.
@Suite struct CoarseSurveyTests {
    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    private static let counts: [(Int64, Int64)] = [
        (0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (5, 5), (9, 5), (10, 10), (19, 10), (20, 20), (49, 20), (50, 50),
        (99, 50), (100, 100), (4_999, 2_000), (.max, 5_000_000_000_000_000_000),
    ]
    private static let shares: [(Double, Double)] = [
        (0, 0), (0.024, 0), (0.026, 0.05), (0.149, 0.15), (-0.013, 0), (-0.93, -0.95), (1, 1), (3.02, 3),
    ]

    @Test(arguments: counts)
    func countsAreLowerBounds(_ count: Int64, _ step: Int64) { #expect(Ladder.step(count) == step) }

    @Test(arguments: shares)
    func sharesAreRounded(_ share: Double, _ step: Double) {
        #expect(Ladder.step(share) == step)
        #expect(Ladder.step(share).sign == .plus || share < -0.02, "minus zero")
    }

    @Test func smallCellsAreLeftOutAndCounted() {
        var survey = Survey()
        survey.condensing = [4, 5, 12].map {
            Survey.Condensing(type: Self.heartRate, condenserVersion: 3, workouts: $0)
        }
        survey.workoutAge = [3, 50].map {
            Survey.WorkoutAge(
                type: Self.heartRate, band: .older, workouts: $0, withSeries: 2, pointsVisible: 10, pointsKnown: 70,
                shareGone: 6 / 7.0)
        }
        survey.shifts = [1, 5].map {
            Survey.Shift(
                type: Self.heartRate, measure: "mean", isTouched: true, days: $0, shifted: 1,
                quantiles: [("p50", 0.1234)])
        }
        let coarse = survey.coarse()
        #expect(!coarse.isExact)
        #expect(coarse.condensing.map(\.workouts) == [5, 10])
        #expect(coarse.workoutAge.map(\.workouts) == [50])
        #expect(coarse.workoutAge.map(\.pointsKnown) == [50] && coarse.workoutAge.map(\.shareGone) == [0.85])
        #expect(coarse.shifts.map(\.days) == [5] && coarse.shifts.first?.quantiles.first?.value == 0.1)
        #expect(coarse.leftOut.cells == 2 && coarse.leftOut.types == 0, "three, as 2")
    }

    @Test func barsThatTellOfOneWorkoutAreLeftOut() throws {
        var cell = Survey.Condensing(type: Self.heartRate, condenserVersion: 3, workouts: 20)
        cell.series = 33
        cell.ages = [17: 1, 20: 7]
        cell.declared = [101: 1, 120: 1, 199: 5]
        cell.lengths = [600: 4, 601: 6]
        cell.censored = [9: 1, 10: 11]
        var survey = Survey()
        survey.condensing = [cell]
        let coarse = try #require(survey.coarse().condensing.first)
        #expect(coarse.series == 20)
        #expect(coarse.ages == [17: 1, 20: 5])
        #expect(coarse.declared == [100: 5])
        #expect(coarse.lengths == [601: 5])
        #expect(coarse.censored == [10: 10])
    }

    @Test(arguments: [
        "HKQuantityTypeIdentifierBloodAlcoholContent", "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages",
        "HKQuantityTypeIdentifierInsulinDelivery", "HKQuantityTypeIdentifierInhalerUsage",
        "HKQuantityTypeIdentifierBasalBodyTemperature", "HKQuantityTypeIdentifierAtrialFibrillationBurden",
        "HKCategoryTypeIdentifierMenstrualFlow", "HKCategoryTypeIdentifierHeadache", "HKDataTypeIdentifierStateOfMind",
        "HKCategoryTypeIdentifierMindfulSession", "ClinicalRecord/LabResult", "Element/Anything",
        "HKQuantityTypeIdentifierOfSomebodysOwn",
    ])
    func intimateAndUnknownTypesAreNotNamed(_ type: String) {
        var survey = Survey()
        survey.changes = [type, Self.heartRate].map { Survey.Changes(type: $0, steps: 3, appeared: 1_234) }
        survey.condensing = [Survey.Condensing(type: type, workouts: 100)]
        survey.shifts = [
            Survey.Shift(type: type, measure: "sum", isTouched: false, days: 100, shifted: 0, quantiles: [])
        ]
        let coarse = survey.coarse()
        #expect(coarse.changes.map(\.type) == [Self.heartRate] && coarse.changes.first?.appeared == 1_000)
        #expect(coarse.condensing.isEmpty && coarse.shifts.isEmpty)
        #expect(coarse.leftOut.types == 1 && coarse.leftOut.cells == 0)
    }

    @Test func dailyMetricsAreNamed() {
        var survey = Survey()
        survey.shifts = [("hrv", 100), ("hrv", 4), ("sum", 100)].map {
            Survey.Shift(
                type: Survey.dailyMetrics, measure: $0, isTouched: false, days: $1, shifted: 0, quantiles: [])
        }
        let coarse = survey.coarse()
        #expect(coarse.shifts.map(\.measure) == ["hrv"], "a type of somebody's own has sums, daily metrics have none")
        #expect(coarse.leftOut.cells == 1 && coarse.leftOut.types == 1)
    }

    @Test func textOutOfTheFileIsNotPrinted() {
        var survey = Survey()
        survey.exports.versions = ["14", "Robin's version"]
        survey.defects = [Survey.Defect(exportVersion: "Robin's", kind: .unknown, name: nil, count: 7)]
        let coarse = survey.coarse()
        #expect(coarse.exports.versions == ["14"])
        #expect(coarse.defects.allSatisfy { $0.exportVersion == nil && $0.count == 5 })
    }

    @Test func bandsBeginWithTheirLowerBound() {
        let month = Int64(30.4375 * 86_400)
        for (band, months) in [(Survey.AgeBand.upTo4, 3), (.upTo6, 4), (.upTo12, 6), (.upTo24, 12), (.older, 24)] {
            #expect(Survey.AgeBand(seconds: Int64(months) * month) == band)
            #expect(Survey.AgeBand(seconds: Int64(months) * month - 1) != band)
        }
        #expect(Survey.AgeBand(seconds: -5) == .upTo3)
    }

    @Test func spansThatMeetDoNotOverlap() {
        var spans = DisjointSpans()
        for span in [10..<20, 30..<40, 20..<30] as [Range<Int64>] {
            #expect(!spans.overlaps(span))
            spans.insert(span)
        }
        #expect(spans.spans.count == 3)
        #expect(spans.overlaps(39..<50) && !spans.overlaps(40..<50) && spans.overlaps(0..<100))
        spans.insert(15..<35)
        #expect(spans.spans == [10..<40])
    }
}
