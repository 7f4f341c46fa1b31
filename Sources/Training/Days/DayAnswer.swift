internal import Basics
package import Days
internal import HealthModel
package import Questions
package import Store

/// What `day` answers: one local day as an observation shows it, and as the first one did that has it.
package struct DayAnswer: Sendable {
    /// Days since 1970-01-01 in the chain's zone.
    package var day: Int64
    package var zone: ChainZone
    /// The day's first instant and the one behind its last, in Unix seconds.
    package var interval: Range<Int64>
    package var settingsSHA256: String
    package var side: Side
    /// As the first observation shows the day that has records of it; nil where that is the same one.
    package var first: Side?
    /// The first and the last day with records of any type; nil without any.
    package var reach: ClosedRange<Int64>?

    /// The day at one observation.
    package struct Side: Sendable {
        package var observation: Observation
        /// Every type with records that start on the day, as `aggregates` has them.
        package var types: [AggregateBucket]
        /// Those that start on the day, in order of time.
        package var workouts: WorkoutPage
        /// The sleep that ends on the day.
        package var night: NightsAnswer.Night?
        package var electrocardiograms: [Electrocardiogram]
        /// The heart rates of the day, in the order of readings.
        package var heartRates: [Reading]

        /// The total of a kind; nil where nothing was recorded.
        package func total(_ kind: DailyTotals.Kind) -> AggregateBucket? {
            types.first { $0.type == kind.type && $0.level == .merged }
        }

        /// Visible records of all types.
        package var recordCount: Int64 {
            types.filter { $0.level == .source }.reduce(0) { $0 + $1.aggregate.count }
        }
    }

    /// Reads a day.
    ///
    /// - Parameter day: in days since 1970-01-01.
    /// - Complexity: the records of the day and those around it, and the stored rows of the day at all observations.
    package static func read(
        _ snapshot: Snapshot, at observation: Observation, day: Int64, _ settings: AthleteSettings
    ) throws -> DayAnswer {
        guard let (zone, clock) = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id) else {
            throw HealthProbeError.damagedRow("chain_zones", snapshot.chain.id)
        }
        let interval = clock.start(of: day)..<clock.start(of: day + 1)
        let first = try Aggregates.firstObservation(snapshot.db, snapshot.chain, with: day)
        func side(_ observation: Observation) throws -> Side {
            try Self.side(snapshot, observation, day, interval, clock, settings)
        }
        return try DayAnswer(
            day: day, zone: zone, interval: interval, settingsSHA256: settings.sha256, side: side(observation),
            first: first.flatMap { $0.id == observation.id ? nil : $0 }.map(side),
            reach: Aggregates.reach(snapshot.db, snapshot.chain))
    }

    private static func side(
        _ snapshot: Snapshot, _ observation: Observation, _ day: Int64, _ interval: Range<Int64>, _ clock: ZoneClock,
        _ settings: AthleteSettings
    ) throws -> Side {
        var question = AggregateQuestion()
        (question.since, question.until) = (interval.lowerBound, interval.upperBound)
        var types: [AggregateBucket] = []
        let order = SourceOrder(settings.sourceOrder)
        _ = try TotalledBuckets.forEach(snapshot, at: observation, question, order: order) { types.append($0) }

        let reader = try WorkoutReader(snapshot, at: observation, settings)
        defer { reader.close() }
        var workouts = WorkoutPage.Question()
        (workouts.since, workouts.until, workouts.limit) = (interval.lowerBound, interval.upperBound, .max)
        var page = try reader.page(workouts)
        page.rows = page.rows.filter { $0.interval.start >= Double(interval.lowerBound) }.reversed()

        let set = RecordSet.visible(snapshot.chain, at: observation)
        let isSleepMissing = try UnreadTypes(snapshot, observation).contains(DailyInputReader.sleep)
        // What hangs together with the night of the day begins less than three days before it.
        let sleep =
            try isSleepMissing
            ? nil
            : DailyInputReader.sleep(
                snapshot, set, clock, within: interval.lowerBound - 3 * 86_400..<interval.upperBound)[day]
        var heartRates: [Reading] = []
        let units = UnitConverter()
        let heartRate = SeriesType.heartRate
        try RecordStream(snapshot, set).forEach(
            heartRate.rawValue, from: interval.lowerBound, below: interval.upperBound
        ) { rows, start, facts in
            guard let number = try rows.number, let unit = facts.unit,
                let value = units.convert(number, from: unit, to: heartRate.unit), value > 0, value <= 300
            else { return }
            heartRates.append(Reading(Double(start), Double(try rows.end ?? start), value))
        }
        return try Side(
            observation: observation, types: types, workouts: page,
            night: sleep.map { NightsAnswer.Night(day: day, sleep: $0, labels: $0.labels) },
            electrocardiograms: ElectrocardiogramReader(snapshot, at: observation, within: interval).all,
            heartRates: heartRates)
    }
}
