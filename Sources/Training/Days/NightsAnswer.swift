package import Days
internal import HealthModel
internal import Questions
package import Store

/// What `metrics nights` answers: the sleep of each day of a chain as an observation shows it.
package struct NightsAnswer: Sendable {
    package var observation: Observation
    package var state: WorkoutState
    /// Whose days they are.
    package var zone: ChainZone
    /// Days with sleep, in order.
    package var nights: [Night]
    /// The first and the last day with sleep; nil without any, also where the export lacks the type.
    package var reach: ClosedRange<Int64>?
    /// Whether the observation did not read sleep, or not whole.
    package var isMissing: Bool
    private let exportDay: Int64

    /// The sleep of one day.
    package struct Night: Sendable {
        /// Days since 1970-01-01: the day on which the sleep ends.
        package var day: Int64
        package var sleep: SleepDay
        package var labels: Set<Label>
    }

    /// - Complexity: one pass over the records of sleep.
    package static func read(_ reader: WorkoutReader) throws -> NightsAnswer {
        let snapshot = reader.snapshot
        guard let (zone, recorded) = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id) else {
            throw HealthProbeError.damagedRow("chain_zones", snapshot.chain.id)
        }
        var clock = recorded
        let exportDay = clock.day(of: reader.observation.observedAt)
        let isMissing = try UnreadTypes(snapshot, reader.observation).contains(DailyInputReader.sleep)
        // HealthKit condenses no sleep: its states are one.
        let sleep =
            try isMissing
            ? [:] : DailyInputReader.sleep(snapshot, .visible(snapshot.chain, at: reader.observation), clock)
        let nights = sleep.sorted { $0.key < $1.key }.map { day, sleep in
            Night(day: day, sleep: sleep, labels: sleep.labels.union(day > exportDay ? [.afterExport] : []))
        }
        return NightsAnswer(
            observation: reader.observation, state: reader.state, zone: zone, nights: nights,
            reach: nights.first.flatMap { first in nights.last.map { first.day...$0.day } }, isMissing: isMissing,
            exportDay: exportDay)
    }

    /// The nights that an interval of instants, or the number of the last days up to the export's, leaves.
    package func cut(_ db: ArchiveDatabase, since: Int64?, until: Int64?, last: Int?) throws -> NightsAnswer {
        guard let clock = try ChainZone.recorded(db, chain: observation.chainID)?.clock else { return self }
        var answer = self
        answer.nights = nights.filter { night in
            (since.map { clock.start(of: night.day + 1) > $0 } ?? true)
                && (until.map { clock.start(of: night.day) < $0 } ?? true)
                && (last.map { (exportDay - Int64($0) + 1...exportDay).contains(night.day) } ?? true)
        }
        return answer
    }

    /// Between which days there is sleep, where none is in the range; nil where there is nothing to say.
    package var remark: String? {
        guard nights.isEmpty, let reach else { return nil }
        return "No nights in this range; sleep reaches from \(LocalDate.text(day: reach.lowerBound)) to "
            + "\(LocalDate.text(day: reach.upperBound))."
    }
}
