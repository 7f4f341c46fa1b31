internal import ArchiveTestSupport
internal import Foundation
@testable internal import Questions
internal import Store
internal import Testing

/// The survey of small chains, number by number.
@Suite struct SurveyTests {
    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"
    private static let watch = device("Watch", "Watch6,2", "9.4.1")

    private static func device(_ model: String, _ hardware: String, _ software: String) -> String {
        "&lt;&lt;HKDevice: 0x1&gt;, name:Robin, manufacturer:Apple Inc., model:\(model), hardware:\(hardware), "
            + "software:\(software)&gt;"
    }

    /// Seconds count from 2023-01-01 10:00:00 UTC.
    private static func date(_ second: Int) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate, .withSpaceBetweenDateAndTime, .withTime, .withColonSeparatorInTime]
        return formatter.string(from: Date(timeIntervalSince1970: Double(1_672_567_200 + second))) + " +0000"
    }

    private static func record(
        _ start: Int, _ end: Int, _ value: Double = 100, created: Int? = nil, device: String = watch,
        type: String = heartRate, unit: String = "count/min", mark: (count: Int, workout: Int)? = nil, version: Int = 3
    ) -> String {
        let head =
            "<Record type=\"\(type)\" sourceName=\"Robin\" sourceVersion=\"9\" device=\"\(device)\" unit=\"\(unit)\" "
            + "creationDate=\"\(date(created ?? end))\" startDate=\"\(date(start))\" endDate=\"\(date(end))\" "
            + "value=\"\(value)\""
        guard let mark else { return head + "/>" }
        let base = 1_672_567_200.0 - 978_307_200
        let text = String(
            format: "%d:1B17A065-3C55-4D0B-9C5E-0A8F2D4E6B%02d:%.5f:%.5f:%d", version, mark.workout,
            base + Double(start), base + Double(end), mark.count)
        return head + "><MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(text)\"/></Record>"
    }

    private static func workout(_ start: Int, _ end: Int, device: String = watch) -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"10\" durationUnit=\"min\" "
            + "sourceName=\"Robin\" device=\"\(device)\" creationDate=\"\(date(end))\" startDate=\"\(date(start))\" "
            + "endDate=\"\(date(end))\"/>"
    }

    /// Exports so many days after 2023-01-01.
    private func survey(_ exports: [(day: Int, items: [String])]) throws -> Survey {
        let archive = try TestArchive(checksImports: false)
        for (day, items) in exports {
            var export = TestExport(day: 1, items)
            export.date = Self.date(day * 86_400)
            try archive.add(export)
        }
        return try archive.read { db in
            try Survey.read(db, try #require(try Chain.read(db, name: "default"))) { _ in }
        }
    }

    private func points(_ survey: Survey, of type: String = heartRate) -> [String] {
        survey.workoutAge.filter { $0.type == type }
            .map { "\($0.band.rawValue) \($0.workouts) \($0.withSeries) \($0.pointsVisible) of \($0.pointsKnown)" }
    }

    @Test func pointsOfAWorkout() throws {
        // Its first and last second are in it; outside does not count, nor does a second copy.
        let items = [-1, 0, 300, 300, 600, 601].map { Self.record($0, $0) }
        #expect(points(try survey([(10, items + [Self.workout(0, 600)])])) == ["0-3 1 0 3 of 3"])
        // Two workouts at the same time: one point, and both are without a series.
        let two = try survey([(10, items + [Self.workout(0, 600), Self.workout(290, 900)])])
        #expect(points(two) == ["0-3 2 0 4 of 4"])
        #expect(two.condensing.map(\.censored) == [[1: 2]])
        #expect(two.condensing.map(\.watch) == ["Watch6"] && two.condensing[0].condenserVersion == nil)
    }

    @Test func seriesCountForWhatTheyDeclare() throws {
        let plain = (0..<10).map { Self.record($0 * 60, $0 * 60, 100 + Double($0)) }
        let series = Self.record(0, 540, 104.5, created: 130 * 86_400, mark: (10, 1))
        let workout = Self.workout(0, 600)
        let exact = "3-4 1 1 1 of 10"
        // Seen before, or declared alone.
        #expect(points(try survey([(9, plain + [workout]), (120, [series, workout])])) == [exact])
        #expect(points(try survey([(120, [series, workout])])) == [exact])
        // Some of the originals are still there.
        #expect(points(try survey([(120, [series, workout] + plain.prefix(4))])) == ["3-4 1 1 5 of 10"])
        // The originals are known: another visible record is none of them.
        let ten = (0..<10).map { Self.record($0 * 10, $0 * 10, 100 + Double($0)) }
        let other = Self.record(45, 45, 99)
        let condensed = Self.record(0, 90, 104.5, created: 130 * 86_400, mark: (10, 1))
        let known = try survey([(9, ten + [other, workout]), (120, [condensed, other, workout])])
        #expect(points(known) == ["3-4 1 1 2 of 11"])
        #expect(known.workoutAge.compactMap(\.shareGone) == [1 - 2.0 / 11])
        // One of the originals was never seen: the visible record may be it.
        #expect(
            points(try survey([(9, Array(ten.dropLast()) + [workout]), (120, [condensed, other, workout])])) == [
                "3-4 1 1 2 of 10"
            ])
        // Those of another device are no originals.
        let others = [Self.record(10, 10, device: Self.device("iPhone", "iPhone13,2", "16.4"))]
        #expect(points(try survey([(120, [series, workout] + others)])) == ["3-4 1 1 2 of 11"])
        // A record that somebody deleted is gone, too.
        let deleted = Self.record(570, 570, 80)
        #expect(
            points(try survey([(9, plain + [deleted, workout]), (120, [series, workout])])) == ["3-4 1 1 1 of 11"])
        // Without the identifier the constituents count.
        let unmarked = Self.record(0, 540, 104.5, created: 130 * 86_400)
        #expect(points(try survey([(9, plain + [workout]), (120, [unmarked, workout])])) == ["3-4 1 0 1 of 10"])
    }

    /// Pass 4 links it whatever the creation dates, so it is no other sample.
    @Test func aSeriesInAnotherUnitWithAnotherCreationDateCountsOnce() throws {
        let type = "HKQuantityTypeIdentifierActiveEnergyBurned"
        func series(_ value: Double, _ unit: String, created day: Int) -> [String] {
            [
                Self.record(0, 540, value, created: day * 86_400, type: type, unit: unit, mark: (10, 1)),
                Self.workout(0, 600),
            ]
        }
        let chain: [(day: Int, items: [String])] = [
            (125, series(100, "kcal", created: 125)), (130, series(418.4, "kJ", created: 129)),
        ]
        let survey = try survey(chain)
        #expect(survey.changes.first { $0.type == type }?.disappeared ?? 0 == 0)
        #expect(points(survey, of: type) == ["4-6 1 1 1 of 10"])
        // Gone in the end, it counts once, too.
        let gone = try self.survey(chain + [(135, [Self.record(0, 0), Self.workout(0, 600)])])
        #expect(points(gone, of: type) == ["4-6 1 0 0 of 10"])
    }

    @Test func agesCountFromTheFirstSight() throws {
        func series(created days: Int, mark: (Int, Int) = (10, 1), version: Int = 3) -> String {
            Self.record(0, 540, 104.5, created: 540 + days * 86_400, mark: mark, version: version)
        }
        // Restored between the exports: another creation date, the same series.
        let restored = try survey([(200, [series(created: 125)]), (400, [series(created: 390)])])
        #expect(restored.condensing.map(\.ages) == [[17: 1]] && restored.condensing.map(\.series) == [1])
        #expect(try survey([(400, [series(created: 126)])]).condensing.map(\.ages) == [[18: 1]])
        // Condensed again under a new version: the first age counts.
        let again = try survey([(200, [series(created: 125)]), (400, [series(created: 390, version: 4)])])
        #expect(again.condensing.map(\.condenserVersion) == [3, 4])
        #expect(again.condensing.map(\.ages) == [[17: 1], [Int64: Int64]()])
        #expect(again.condensing.map(\.recondensed) == [0, 1] && again.condensing.map(\.series) == [1, 1])
        // The first was never seen: the last condensing is all that is known.
        #expect(try survey([(400, [series(created: 390, version: 4)])]).condensing.map(\.ages) == [[55: 1]])
        // Another workout's series in the same interval is another series.
        let other = try survey([(200, [series(created: 125)]), (400, [series(created: 390, mark: (10, 2))])])
        #expect(other.condensing.map(\.recondensed) == [0] && other.condensing.map(\.workouts) == [2])
    }

    @Test func theSystemIsThatOfTheDayOfCondensing() throws {
        func phone(_ software: String, day: Int) -> String {
            Self.record(
                day * 86_400, day * 86_400 + 60, 10, device: Self.device("iPhone", "iPhone13,2", software),
                type: "HKQuantityTypeIdentifierStepCount", unit: "count")
        }
        let items = [
            phone("15.7", day: 0), phone("16.1", day: 140), phone("17.0", day: 300),
            Self.record(0, 540, created: 130 * 86_400, mark: (10, 1)),
            Self.record(600, 900, created: 150 * 86_400, mark: (5, 1)),
        ]
        let survey = try survey([(310, items)])
        #expect(survey.condensing.map(\.phoneOS) == [15, 16])
        #expect(survey.exports.phones.map { "\($0.family ?? "") \($0.system ?? 0)" } == ["iPhone13 17"])
        #expect(survey.exports.watches.map { "\($0.family ?? "") \($0.system ?? 0)" } == ["Watch6 9"])
        #expect(survey.exports.years == [2023] && survey.exports.count == 1 && survey.exports.partial == 0)
    }

    @Test(arguments: [
        ("Watch6,2", "Watch6"), ("Watch123,4", "Watch123"), ("Watch40722123456,3", nil), ("Watch,1", nil),
    ])
    func aFamilyHasAtMostThreeDigits(_ hardware: String, _ family: String?) throws {
        let survey = try survey([(1, [Self.record(0, 60, device: Self.device("Watch", hardware, "9.4"))])])
        #expect(survey.exports.watches.map(\.family) == [family] && survey.exports.watches.map(\.system) == [9])
    }

    @Test func daysAreThoseOfTheFirstSight() throws {
        func steps(_ day: Int, _ value: Double, unit: String = "count") -> String {
            Self.record(
                day * 86_400, day * 86_400 + 60, value, type: "HKQuantityTypeIdentifierStepCount", unit: unit)
        }
        let survey = try survey([
            (2, [steps(0, 100), steps(1, 100)]), (5, [steps(0, 100), steps(1, 50), steps(3, 10)]),
            (9, [steps(0, 100), steps(1, 50), steps(3, 20), steps(8, 1)]),
        ])
        let sum = try #require(survey.shifts.first { $0.measure == "sum" })
        #expect(sum.days == 3 && sum.shifted == 2 && !sum.isTouched)
        #expect(sum.quantiles.map(\.value)[2] == 0 && sum.quantiles.map(\.value)[1] == -0.25)
        #expect(survey.shifts.map(\.measure) == Survey.Measure.allCases.map(\.rawValue))
        #expect(survey.shifts.last?.shifted == 0, "every day has one record")
        let changes = try #require(survey.changes.first)
        #expect(changes.steps == 2 && changes.appeared == 4 && changes.disappeared == 2 && changes.unexplained == 2)
    }

    @Test func anotherUnitIsNoShift() throws {
        func energy(_ value: Double, _ unit: String) -> String {
            Self.record(0, 60, value, type: "HKQuantityTypeIdentifierActiveEnergyBurned", unit: unit)
        }
        let survey = try survey([(2, [energy(12.3456, "kcal")]), (5, [energy(51.654, "kJ")])])
        #expect(survey.shifts.allSatisfy { $0.days == 1 && $0.shifted == 0 } && survey.shifts.count == 5)
        #expect(survey.changes.first?.evidence["unitConversion"] == 1)
    }

    @Test func defectsHaveNoNames() throws {
        let items = [
            "<Record type=\"\(Self.heartRate)\" value=\"1\"/>", "<Secret name=\"Robin\"/>", "<Other/>",
            Self.record(0, 0),
        ]
        let defects = try survey([(2, items)]).defects.map { "\($0.kind.rawValue) \($0.name ?? "-") \($0.count)" }
        #expect(defects == ["quarantine missing:startDate 1", "unknown - 2"])
    }
}
