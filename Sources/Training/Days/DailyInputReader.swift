internal import Basics
package import Days
internal import HealthModel
package import Questions
package import Store

/// Reads what days are made of: heart rate variability, resting heart rates and sleep.
///
/// Memory grows with these records, some dozens a day, and not with the archive.
package final class DailyInputReader {
    package static let variability = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
    package static let nativeVariability = "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD"
    package static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

    private let stream: RecordStream
    private var clock: ZoneClock
    private let units = UnitConverter()
    private var inputs: DailyInputs

    private init(_ snapshot: Snapshot, _ set: RecordSet, _ clock: ZoneClock, exportDay: Int64) throws {
        stream = try RecordStream(snapshot, set)
        self.clock = clock
        inputs = DailyInputs(exportDay: exportDay)
    }

    /// The types that are read.
    package static let types = [variability, nativeVariability, RestingHeartRate.type, sleep]

    /// The inputs of all days.
    ///
    /// - Parameters:
    ///   - set: the state that is asked about.
    ///   - clock: the chain's days.
    ///   - workouts: those that count; none where they are added later.
    package static func read(
        _ snapshot: Snapshot, at observation: Observation, _ set: RecordSet, _ clock: ZoneClock,
        workouts: [DailyWorkout] = []
    ) throws -> DailyInputs {
        var clock = clock
        let exportDay = clock.day(of: observation.observedAt)
        let reader = try DailyInputReader(snapshot, set, clock, exportDay: exportDay)
        try reader.readVariability()
        try reader.readRestingHeartRates()
        try reader.readSleep()
        let heartRates = SeriesType.heartRate.rawValue
        for day in try Aggregates.days(snapshot.db, snapshot.chain, type: heartRates, at: observation) {
            reader.inputs.include(day)
        }
        reader.inputs.missing = try UnreadTypes(snapshot, observation).kinds
        reader.inputs.add(workouts)
        return reader.inputs
    }

    /// The sleep of each day.
    ///
    /// - Parameter interval: of the records that start in it; nil for all.
    static func sleep(
        _ snapshot: Snapshot, _ set: RecordSet, _ clock: ZoneClock, within interval: Range<Int64>? = nil
    ) throws -> [Int64: SleepDay] {
        let reader = try DailyInputReader(snapshot, set, clock, exportDay: 0)
        try reader.readSleep(within: interval)
        return reader.inputs.sleep
    }

    /// The day of a record, which has a row; nil with a label where its value cannot be used.
    private func value(
        _ rows: VersionCursor, _ start: Int64, _ facts: DescriptorFacts.Facts, in unit: String
    ) throws -> (day: Int64, value: Double)? {
        let day = clock.day(of: start)
        inputs.include(day)
        guard let number = try rows.number else { return nil }
        guard let value = units.convert(number, from: facts.unit ?? "", to: unit) else {
            inputs.labels[day, default: []].insert(.unitUnknown)
            return nil
        }
        return (day, value)
    }

    private func note(_ kind: DailyInputs.Kind, _ rows: VersionCursor, _ start: Int64, _ value: Double) throws {
        try inputs.readings[kind, default: []].append(Reading(Double(start), Double(rows.end ?? start), value))
    }

    private func readVariability() throws {
        try stream.forEach(Self.variability) { rows, start, facts in
            guard let (day, value) = try value(rows, start, facts, in: "ms") else { return }
            try note(.variability, rows, start, value)
            let beats = try rows.extras.map(BeatList.beats) ?? []
            inputs.variability.append(
                .init(
                    start: Double(start), day: day, value: value, rmssd: BeatIntervals.rmssd(beats),
                    disagrees: BeatIntervals.disagrees(beats, with: value)))
        }
        try stream.forEach(Self.nativeVariability) { rows, start, facts in
            guard let (day, value) = try value(rows, start, facts, in: "ms") else { return }
            inputs.nativeVariability.append(.init(start: Double(start), day: day, value: value))
        }
    }

    private func readRestingHeartRates() throws {
        var records: [RestingHeartRate.Record] = []
        try stream.forEach(RestingHeartRate.type) { rows, start, facts in
            guard let (day, value) = try value(rows, start, facts, in: SeriesType.heartRate.unit) else { return }
            try note(.restingHeartRate, rows, start, value)
            try records.append(
                .init(
                    day: day, value: value, kind: facts.kind, creation: rows.creation.map(Double.init),
                    end: Double(rows.end ?? start)))
        }
        inputs.restingHeartRates = RestingHeartRate.byDay(records)
    }

    private func readSleep(within interval: Range<Int64>? = nil) throws {
        /// By name and kind: two watches of one name are one source.
        var sources: [ExactText: SleepEpisode.Source] = [:]
        try stream.forEach(
            Self.sleep, from: interval?.lowerBound ?? .min, below: interval?.upperBound ?? .max
        ) { rows, start, facts in
            inputs.include(clock.day(of: start))
            guard case .text(let text) = try rows.value, let stage = SleepSegment.Stage(value: text.string),
                let end = try rows.end, end > start
            else { return }
            try note(.sleep, rows, start, Double(SleepSegment.Stage.allCases.firstIndex(of: stage) ?? 0))
            let name = ExactText(facts.sourceName)
            var source =
                sources.removeValue(forKey: name)
                ?? SleepEpisode.Source(name: facts.sourceName, kind: facts.kind, segments: [])
            source.kind = min(source.kind, facts.kind)
            source.segments.append(SleepSegment(Double(start), Double(end), stage))
            sources[name] = source
        }
        let ordered = sources.sorted { $0.key < $1.key }.map(\.value)
        inputs.sleep = SleepDay.byDay(SleepEpisode.find(ordered)) {
            clock.day(of: Int64($0))
        } daytime: {
            let (start, end) = clock.daytime(of: $0)
            return Interval(Double(start), Double(end))
        }
        for day in inputs.sleep.keys { inputs.include(day) }
    }
}

/// The beats of a stored heart rate variability record.
enum BeatList {
    /// The lists of a record's further members as one, in order; empty where they have another form.
    static func beats(_ extras: ByteView) -> [BeatIntervals.Beat] {
        guard let json = JSON.parse(extras) else { return [] }
        return (json["beats"]?.elements ?? []).compactMap { beat in
            let pair = beat.elements
            guard pair.count == 2, let rate = pair[0].string.flatMap({ Double($0) }), let distance = pair[1].int else {
                return nil
            }
            return BeatIntervals.Beat(microseconds: Double(distance), beatsPerMinute: rate)
        }
    }
}
