internal import ArchiveAggregating
internal import ArchiveReading
internal import ArchiveRows
internal import HealthMetrics
internal import HealthModel
internal import TextFormats

/// What an observation shows of the athlete: sex, date of birth, and the resting heart rates of the days before one.
final class AthleteReader {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let units: UnitConverter
    private let sex: AthleteSettings.Sex?
    private let birthDay: Int?
    private let settings: AthleteSettings
    private var clock: ZoneClock?
    private var thresholdPowers: [(end: Double, watts: Double)]?

    init(
        _ snapshot: Snapshot, at observation: Observation, _ settings: AthleteSettings, _ units: UnitConverter,
        _ clock: ZoneClock?
    ) throws {
        (self.snapshot, self.settings, self.units, self.clock) = (snapshot, settings, units, clock)
        set = .visible(snapshot.chain, at: observation)
        func characteristic(_ name: String) throws -> String? {
            var question = RecordPage.Question()
            question.types = TypeFilter([SampleType.characteristicPrefix + name])
            question.limit = 1
            return try RecordPage.read(snapshot.db, chain: snapshot.chain, at: observation, question).records.first?
                .item?.value?.string
        }
        sex = try characteristic("BiologicalSex").flatMap {
            ["HKBiologicalSexFemale": .female, "HKBiologicalSexMale": .male][$0]
        }
        birthDay = try characteristic("DateOfBirth").flatMap { CivilDate.daysSince1970($0) }
    }

    /// The local day of an instant, in days from 1970-01-01.
    func day(of instant: Double) -> Int {
        let seconds = Int64(instant.rounded(.down))
        return Int(clock?.day(of: seconds) ?? Int64(CivilDate.dayAndSecond(seconds).day))
    }

    /// The athlete on the day on which a workout starts.
    func athlete(on day: Int) throws -> Athlete {
        let rates = settings.period(on: day)?.restingHeartRate == nil ? try restingHeartRates(before: day) : []
        return Athlete(settings, on: day, sex: sex, birthDay: birthDay, restingHeartRates: rates)
    }

    /// The resting heart rates of the days before one: of each day the record of the best device, then the latest.
    private func restingHeartRates(before day: Int) throws -> [Double] {
        guard let type = try snapshot.sampleTypes().first(where: { $0.identifier == Self.restingType })?.id else {
            return []
        }
        func start(of day: Int) -> Int64 { clock?.start(of: Int64(day)) ?? Int64(day * CivilDate.secondsPerDay) }
        let (since, until) = (start(of: day - Athlete.restingDays), start(of: day))
        let rows = try VersionCursor.overlapping(
            snapshot.db, of: set, type: type, since: since, until: until, longest: 0)
        var best: [Int: (key: (Int, Int64, Int64), value: Double)] = [:]
        while try rows.next() {
            guard let begin = try rows.start, begin >= since, let printed = try rows.number, printed.isFinite else {
                continue
            }
            let descriptor = try snapshot.names.descriptor(rows.descriptorID)
            guard let value = descriptor.unit.flatMap({ units.convert(printed, from: $0, to: SeriesType.heartRate.unit) })
            else { continue }
            let hardware = descriptor.device.flatMap { JSON.parse($0) }?["hardware"]?.string
            let kind = SampleSelection.DeviceKind(hardware: hardware)
            let key = try (-kind.rawValue, rows.creation ?? .min, rows.end ?? .min)
            let day = self.day(of: Double(begin))
            if best[day].map({ key >= $0.key }) ?? true { best[day] = (key, value) }
        }
        return best.sorted { $0.key < $1.key }.map(\.value.value)
    }

    /// The latest record of a ride's threshold power that ends before a workout, in W; nil without one.
    func thresholdPower(before start: Double) throws -> Double? {
        let known = try thresholdPowers ?? readThresholdPowers()
        thresholdPowers = known
        let index = known.partitionPoint { $0.end < start }
        return index > 0 ? known[index - 1].watts : nil
    }

    /// The records of a ride's threshold power by their end.
    private func readThresholdPowers() throws -> [(end: Double, watts: Double)] {
        guard let type = try snapshot.sampleTypes().first(where: { $0.identifier == Self.thresholdType })?.id else {
            return []
        }
        let rows = try VersionCursor.page(snapshot.db, of: set, type: type, behind: nil, limit: .max)
        var found: [(end: Double, watts: Double)] = []
        while try rows.next() {
            guard let end = try rows.end ?? rows.start, let printed = try rows.number,
                let unit = try snapshot.names.descriptor(rows.descriptorID).unit,
                let watts = units.convert(printed, from: unit, to: SeriesType.cyclingPower.unit), watts > 0
            else { continue }
            found.append((Double(end), watts))
        }
        // Records of one end stay in their order, of which the last one counts.
        return found.enumerated().sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }.map(\.element)
    }

    private static let thresholdType = "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower"
    private static let restingType = "HKQuantityTypeIdentifierRestingHeartRate"
}
