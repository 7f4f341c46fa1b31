internal import Basics
internal import Days
internal import HealthModel
internal import Questions
internal import Store

/// What an observation shows of the athlete: sex, date of birth, and the resting heart rates of the days before one.
final class AthleteReader {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let units: UnitConverter
    private let facts: DescriptorFacts
    private let sex: AthleteSettings.Sex?
    private let birthDay: Int?
    /// The types of what is unknown because the observation did not read them, or not whole.
    private let unread: UnreadTypes
    private let settings: AthleteSettings
    private var clock: ZoneClock?
    private let types: [String: Int64]
    /// The resting heart rates that were read, of some days or of all (nil); nil before the first question.
    private var restingHeartRates: (days: Range<Int64>?, values: [Int64: Double])?
    /// The records of functional threshold power, once they were read.
    private var thresholdPowers: [(end: Double, value: Double)]?

    init(
        _ snapshot: Snapshot, at observation: Observation, _ settings: AthleteSettings, _ units: UnitConverter,
        _ facts: DescriptorFacts, _ clock: ZoneClock?
    ) throws {
        (self.snapshot, self.settings, self.units, self.facts, self.clock) = (snapshot, settings, units, facts, clock)
        set = .visible(snapshot.chain, at: observation)
        let unread = try UnreadTypes(snapshot, observation)
        self.unread = unread
        types = try snapshot.sampleTypeIDs().filter { !unread.contains($0.key) }
        func characteristic(_ type: String) throws -> String? {
            guard !unread.contains(type) else { return nil }
            var question = RecordPage.Question()
            question.types = TypeFilter([type])
            question.limit = 1
            return try RecordPage.read(snapshot.db, chain: snapshot.chain, at: observation, question).records.first?
                .item?.value?.string
        }
        sex = try characteristic(Self.sexType).flatMap {
            ["HKBiologicalSexFemale": .female, "HKBiologicalSexMale": .male][$0]
        }
        birthDay = try characteristic(Self.birthDateType).flatMap { CivilDate.daysSince1970($0) }
    }

    /// The settings, with the characteristics that the observation shows where they state none.
    var effectiveSettings: AthleteSettings {
        var effective = settings
        effective.sex = settings.sex ?? sex
        effective.birthDay = settings.birthDay ?? birthDay
        return effective
    }

    /// The local day of an instant, in days from 1970-01-01.
    func day(of instant: Double) -> Int {
        let seconds = Int64(instant.rounded(.down))
        return Int(clock?.day(of: seconds) ?? Int64(CivilDate.dayAndSecond(seconds).day))
    }

    /// The athlete on the day on which a workout starts.
    func athlete(on day: Int, at start: Double) throws -> Athlete {
        let period = settings.period(on: day)
        var athlete = try Athlete(
            settings, on: day, sex: sex, birthDay: birthDay,
            recordedRestingHeartRate: period?.restingHeartRate == nil ? restingHeartRate(before: day) : nil,
            recordedThresholdPower: period?.ftpWatts == nil ? thresholdPower(before: start) : nil)
        athlete.isHeartRateUnread =
            settings.sex == nil && unread.contains(Self.sexType)
            || athlete.maxHeartRate == nil && unread.contains(Self.birthDateType)
            || period?.restingHeartRate == nil && unread.contains(RestingHeartRate.type)
        athlete.isThresholdPowerUnread = period?.ftpWatts == nil && unread.contains(Self.thresholdPowerType)
        return athlete
    }

    private static let sexType = SampleType.characteristicPrefix + "BiologicalSex"
    private static let birthDateType = SampleType.characteristicPrefix + "DateOfBirth"
    private static let thresholdPowerType = "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower"

    /// The median of the resting heart rates of the days before one.
    private func restingHeartRate(before day: Int) throws -> Double? {
        let days = Int64(day) - RestingHeartRate.medianDays..<Int64(day)
        // One workout asks for its own days; who asks again goes through all workouts.
        if restingHeartRates.map({ $0.days != nil && $0.days != days }) ?? true {
            let wanted = restingHeartRates == nil ? days : nil
            restingHeartRates = try (wanted, readRestingHeartRates(of: wanted))
        }
        return restingHeartRates.flatMap { RestingHeartRate.median(before: Int64(day), $0.values) }
    }

    /// The resting heart rates of some days, by day; nil for all.
    private func readRestingHeartRates(of days: Range<Int64>?) throws -> [Int64: Double] {
        guard let type = types[RestingHeartRate.type] else { return [:] }
        func start(of day: Int64) -> Int64 { clock?.start(of: day) ?? day * Int64(CivilDate.secondsPerDay) }
        let rows = try VersionCursor.starting(snapshot.db, of: set, type: type)
        rows.restart(
            from: days.map { start(of: $0.lowerBound) } ?? .min, below: days.map { start(of: $0.upperBound) } ?? .max)
        var records: [RestingHeartRate.Record] = []
        while try rows.next() {
            guard let begin = try rows.start, let value = try value(rows, in: SeriesType.heartRate.unit) else {
                continue
            }
            try records.append(
                RestingHeartRate.Record(
                    day: Int64(self.day(of: Double(begin))), value: value,
                    kind: facts[rows.descriptorID].kind, creation: rows.creation.map(Double.init),
                    end: Double(rows.end ?? begin)))
        }
        return RestingHeartRate.byDay(records)
    }

    /// The latest functional threshold power of cycling that ends before an instant.
    private func thresholdPower(before instant: Double) throws -> Double? {
        if thresholdPowers == nil {
            var found: [(end: Double, value: Double)] = []
            if let type = types[Self.thresholdPowerType] {
                let rows = try VersionCursor.page(snapshot.db, of: set, type: type, behind: nil, limit: .max)
                while try rows.next() {
                    guard let end = try rows.end, let value = try value(rows, in: SeriesType.cyclingPower.unit) else {
                        continue
                    }
                    found.append((Double(end), value))
                }
            }
            thresholdPowers = found
        }
        return thresholdPowers?.filter { $0.end < instant }.max { $0.end < $1.end }?.value
    }

    private func value(_ row: VersionCursor, in unit: String) throws -> Double? {
        guard let printed = try row.number, printed.isFinite, let own = try facts[row.descriptorID].unit else {
            return nil
        }
        return units.convert(printed, from: own, to: unit)
    }
}
