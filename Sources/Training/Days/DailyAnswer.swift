// Days: from the archive to the arrays that days are computed from, and the answer of `metrics`.
//
// `DailyAnswer` is the way in. `DailyInputReader` reads each type once, in the order of its records; no formula is here.

package import Days
internal import HealthModel
internal import Questions
package import Store

/// What `metrics` answers: the days of a chain as an observation shows them.
package struct DailyAnswer: Sendable {
    package var observation: Observation
    package var state: WorkoutState
    /// Whose days they are.
    package var zone: ChainZone
    package var settingsSHA256: String
    package var archive: ArchiveIdentity
    package var days: [DailyMetrics]
    /// Days with records far outside of the data's span, in order; `cut` adds those that are asked for.
    package var isolated: [DailyMetrics]
    /// The first and the last day with a record; nil without records.
    package var reach: ClosedRange<Int64>?
    /// The export's day.
    package var exportDay: Int64
    /// By day; nil where nobody asked for them.
    package var totals: [Int64: DailyTotals]?
    /// The settings without which workouts have no stress, by name.
    package var missingSettings: [String]
    /// Labels that a table has no need to repeat in every row.
    package var labelsToldOnce: Set<Label> = []

    /// Computes all days.
    ///
    /// - Parameter withTotals: read the totals of steps, distance and energy as well; the first row is that of their first
    ///   day then, if it is earlier.
    /// - Complexity: one pass over the records of the types, the heart rates and powers of all workouts, and the days.
    package static func read(_ reader: WorkoutReader, withTotals: Bool = false) throws -> DailyAnswer {
        let (snapshot, observation, settings) = (reader.snapshot, reader.observation, reader.settings)
        guard let (zone, clock) = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id) else {
            throw HealthProbeError.damagedRow("chain_zones", snapshot.chain.id)
        }
        let types = DailyInputReader.types + (withTotals ? DailyTotals.Kind.allCases.map(\.type) : [])
        let set = try set(reader, types)
        // The records of days come first: the restored ones of workouts use the same temporary tables.
        var inputs = try DailyInputReader.read(snapshot, at: observation, set, clock)
        var totals: [Int64: DailyTotals]?
        if withTotals {
            let unread = try UnreadTypes(snapshot, observation)
            let found = try DailyTotals.read(
                RecordStream(snapshot, set), clock, order: SourceOrder(settings.sourceOrder), unread)
            if DailyTotals.types.contains(where: unread.contains) { inputs.missing.insert(.totals) }
            totals = found
        }
        inputs.add(try WorkoutLoads.read(reader))
        let more = Set(totals.map { Array($0.keys) } ?? [])
        let all = inputs.days.union(more)
        let wanted = inputs.workouts.reduce(into: Set<String>()) { $0.formUnion($1.stress.missingSettings) }
        return DailyAnswer(
            observation: observation, state: reader.state, zone: zone, settingsSHA256: settings.sha256,
            archive: try snapshot.identity(),
            days: DailyMetrics.series(inputs, settings, and: more),
            isolated: DailyMetrics.isolated(inputs, settings, and: more),
            reach: all.min().flatMap { first in all.max().map { first...$0 } }, exportDay: inputs.exportDay,
            totals: totals, missingSettings: wanted.sorted())
    }

    /// The rows of some types in the reader's state.
    private static func set(_ reader: WorkoutReader, _ types: [String]) throws -> RecordSet {
        let visible = RecordSet.visible(reader.snapshot.chain, at: reader.observation)
        guard reader.state == .finest else { return visible }
        return try FinestState.replaced(
            reader.snapshot, in: visible, to: reader.observation, types: TypeFilter(types)
        ).set
    }

    /// The days that an interval of instants, or the number of the last ones up to the export's, leaves. An interval with a
    /// beginning has single days far before the others, and one with an end those far behind.
    ///
    /// Loads and baselines are those of all days.
    package func cut(_ db: ArchiveDatabase, since: Int64?, until: Int64?, last: Int?) throws -> DailyAnswer {
        guard let clock = try ChainZone.recorded(db, chain: observation.chainID)?.clock else { return self }
        var answer = self
        let first = days.first?.day ?? .max
        let more = isolated.filter { $0.day < first ? since != nil : until != nil }
        let all = more.filter { $0.day < first } + days + more.filter { $0.day >= first }
        answer.days = all.filter { day in
            (since.map { clock.start(of: day.day + 1) > $0 } ?? true)
                && (until.map { clock.start(of: day.day) < $0 } ?? true)
        }
        let shown = Set(answer.days.map(\.day))
        answer.isolated = isolated.filter { !shown.contains($0.day) }
        if let last { answer.days = answer.days.filter { $0.day <= exportDay }.suffix(last) }
        return answer
    }

    /// What the rows do not show: that there are none, or days far from the others; nil where there is nothing to say.
    package var remark: String? {
        guard let reach else { return nil }
        guard !days.isEmpty else {
            return "No days in this range; records reach from \(LocalDate.text(day: reach.lowerBound)) to "
                + "\(LocalDate.text(day: reach.upperBound))."
        }
        guard let first = isolated.first, let last = isolated.last else { return nil }
        let dates = Set([first.day, last.day]).sorted().map { LocalDate.text(day: $0) }.joined(separator: " to ")
        return "\(isolated.count) more \(isolated.count == 1 ? "day" : "days") with records far from the others "
            + "(\(dates)): --since and --until with those days show them."
    }

    /// The identifier of a day's features: a UUID of version 8 (RFC 9562) from the SHA-256 of archive, chain and date.
    package func featureID(date: String) -> String {
        var digits = Array(Digest256(hashing: "hp:metrics:\(archive.uuid):\(observation.chain):\(date)").hex.prefix(32))
        digits[12] = "8"
        // The variant: binary 10 in the two highest bits.
        digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3]
        for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
        return String(digits)
    }
}

extension UnreadTypes {
    /// The kinds of records among them.
    var kinds: Set<DailyInputs.Kind> {
        let known: [(String, DailyInputs.Kind)] = [
            (DailyInputReader.variability, .variability), (RestingHeartRate.type, .restingHeartRate),
            (DailyInputReader.sleep, .sleep), (SampleType.workout, .workouts),
        ]
        let series = WorkoutStress.types.map { ($0.rawValue, DailyInputs.Kind.workoutSeries) }
        return Set((known + series).filter { contains($0.0) }.map(\.1))
    }
}
