package import Basics
package import Days
package import HealthModel
package import Questions
package import Store

/// Which state of an observation is asked of.
package enum WorkoutState: String, Sendable, CaseIterable {
    /// What the export shows.
    case visible
    /// The same with every complete consolidation group replaced by its originals.
    case finest
}

/// The workouts of one observation: what each states, which records belong to it, and what they amount to.
///
/// Not for use beyond the access to the archive that made it; `close` it before another analysis of consolidation.
package final class WorkoutReader {
    package let snapshot: Snapshot
    package let observation: Observation
    package let state: WorkoutState
    package let settings: AthleteSettings
    package let index: WorkoutIndex
    /// The chain's zone; nil before its first observation.
    package let zone: ChainZone?
    private let units = UnitConverter()
    let facts: DescriptorFacts
    private let records: RecordReader
    let candidates: CandidateReader
    private var knownRoutes: RouteReader?
    private let athletes: AthleteReader
    /// The types that the observation does not show (`excluded`), or not whole.
    package let unavailable: [String: TypeStatus]
    var consolidation: ConsolidationAnswer?
    /// The workouts around the one that was asked for last, and of duplicates among them the one that counts; by place.
    private var duplicates: (cluster: Range<Int>, primaries: [Int: Digest256]) = (0..<0, [:])
    /// The places of all workouts by their folded source, once somebody asked.
    private var bySource: [String: [Int]]?
    /// Of the UUIDs of condensed series: the bounds of the series that were found, and the place of their workout.
    private var ownersByUUID: [String: (bounds: [Interval], owner: CondensedWorkouts.Owner)] = [:]
    private let ownsConsolidation: Bool
    var hasLookedForStored = false

    /// A workout's own row with what it states.
    package struct Workout: Sendable {
        /// Its place in the index.
        package var place: Int
        package var row: RecordRow
        package var facts: WorkoutFacts
        /// How many equal rows there are.
        package var copies: Int

        package var identity: Digest256 { row.identity }
        /// The workout's metadata by key; of several values the first.
        package var metadata: JSON { row.metadata.flatMap { JSON.parse($0) } ?? .object([]) }
    }

    /// - Parameter restoring: with the state `finest` the groups that are replaced, open until the reader has answered; nil
    ///   for those of the chain's whole history.
    package init(
        _ snapshot: Snapshot, at observation: Observation, _ settings: AthleteSettings, state: WorkoutState = .visible,
        restoring: ConsolidationAnswer? = nil
    ) throws {
        (consolidation, ownsConsolidation) = (restoring, restoring == nil)
        (self.snapshot, self.observation, self.settings, self.state) = (snapshot, observation, settings, state)
        index = try WorkoutIndex(snapshot, at: observation)
        let recorded = try ChainZone.recorded(snapshot.db, chain: snapshot.chain.id)
        zone = recorded?.zone
        let set = RecordSet.visible(snapshot.chain, at: observation)
        records = try RecordReader(snapshot.db)
        facts = DescriptorFacts(snapshot.names)
        candidates = try CandidateReader(snapshot, set, units, facts)
        athletes = try AthleteReader(snapshot, at: observation, settings, units, facts, recorded?.clock)
        let unverified = try snapshot.unverifiedTypes(of: observation.id).map { ($0.type, $0.status) }
        unavailable = Dictionary(unverified) { first, _ in first }
    }

    /// Removes the temporary tables of an analysis.
    package func close() {
        guard ownsConsolidation else { return }
        consolidation?.close()
        consolidation = nil
    }

    /// The settings, with what the observation shows where they say nothing.
    package var effectiveSettings: AthleteSettings { athletes.effectiveSettings }

    /// The local day on which a workout starts, in days from 1970-01-01.
    package func day(of place: Int) -> Int { athletes.day(of: index.entries[place].interval.start) }

    /// The athlete on the day on which a workout starts.
    package func athlete(of place: Int) throws -> Athlete {
        try athletes.athlete(on: day(of: place), at: index.entries[place].interval.start)
    }

    /// A workout's row and statements; nil where the row is no workout with dates.
    package func workout(_ place: Int) throws -> Workout? {
        let entry = index.entries[place]
        let row = try records.fetch(entry.rowID)
        return FactsReader.facts(of: row, units).map {
            Workout(place: place, row: row, facts: $0, copies: entry.copies)
        }
    }

    /// What a workout amounts to.
    package func truth(
        of workout: Workout, _ question: WorkoutTruth.Question = WorkoutTruth.Question()
    ) throws -> WorkoutTruth {
        try WorkoutTruth(workout.facts, samples(of: workout), athlete(of: workout.place), question)
    }

    /// The records and the route of a workout.
    ///
    /// - Parameter only: these types, without the route; nil for all.
    package func samples(of workout: Workout, only: [SeriesType]? = nil) throws -> WorkoutSamples {
        let facts = workout.facts
        guard facts.interval.seconds > 0 else { return WorkoutSamples() }
        let types = only ?? Self.types(of: facts)
        var samples = try selected(workout, types)
        samples.exclude(Set(types.filter { unavailable[$0.rawValue] != nil }))
        if only == nil {
            let reader = try routeReader()
            let stated = reader.routes(of: workout)
            let route = try reader.points(ofRoutes: stated)
            (samples.routePoints, samples.routePointsLeftOut) = (route.points, route.leftOut)
            samples.untimed = route.untimed
            samples.labels.formUnion(route.labels)
            let status = unavailable[SampleType.workoutRoute]
            if route.points == nil, status == .excluded || status != nil && !stated.isEmpty {
                samples.labels.insert(.typeExcluded)
            }
        }
        return samples
    }

    /// The types whose records belong to a workout or to one of its activities.
    package static func types(of facts: WorkoutFacts) -> [SeriesType] {
        let distances = ([facts] + facts.activities.map(\.facts)).compactMap {
            ActivityTable.shared.distanceType(of: $0)
        }
        return SeriesType.always + Set(distances).sorted { $0.rawValue < $1.rawValue }
    }

    /// The records that belong to a workout, by type.
    private func selected(_ workout: Workout, _ types: [SeriesType]) throws -> WorkoutSamples {
        let facts = workout.facts
        let own = try source(of: workout.place)
        let window = index.span(overlapping: facts.interval)
        // Series of the workouts around, two days far, decide to whom a condensed series belongs.
        let reach = Interval(
            max(window.start, facts.interval.start - Self.longestSeconds) - Self.margin,
            min(window.end, facts.interval.end + Self.longestSeconds) + Self.margin)
        var (found, left) = try candidates.records(of: types, within: reach)
        left.removeAll { !SampleSelection.touches($0.interval, facts.interval) }
        let (owners, isAmbiguous) = try owners(of: found, for: workout)
        let nested = Set(try members(of: workout))
        let shared = found.isEmpty ? [] : index.shared(with: workout.place, among: try places(ofSource: own))
        func choose(_ records: [FoundRecord]) -> SampleSelection.Selected {
            let candidates = records.filter { SampleSelection.touches($0.reading.interval, facts.interval) }.map {
                record in
                SampleSelection.Candidate(
                    type: record.type, reading: record.reading, source: record.source, device: record.device,
                    isNested: nested.contains(record.sampleID), owner: record.uuid.flatMap { owners[$0] } ?? .unknown)
            }
            return SampleSelection.choose(candidates, of: own, shared: shared, order: SourceOrder(settings.sourceOrder))
        }
        var visible: [SeriesType: SampleSelection.Series]?
        if state == .finest {
            visible = choose(found).series
            found = try restored(found)
        }
        let chosen = choose(found)
        var samples = WorkoutSamples(series: chosen.series, labels: chosen.labels.union(left.map(\.label)))
        if isAmbiguous { samples.labels.insert(.uuidAmbiguous) }
        samples.visible = visible
        samples.leftOut = Dictionary(grouping: left, by: \.type).mapValues { $0.map(\.interval) }
        return samples
    }

    /// Seconds around workouts in which their condensed series are looked for.
    private static let margin = 3600.0
    /// How far the workouts around one are looked at.
    private static let longestSeconds = 2 * 86_400.0

    /// A workout's source, folded.
    func source(of place: Int) throws -> String { try facts[index.entries[place].descriptorID].foldedName }

    /// The places of the workouts of a source, folded, in order.
    private func places(ofSource source: String) throws -> [Int] {
        let known = try bySource ?? Dictionary(grouping: index.entries.indices) { try self.source(of: $0) }
        bySource = known
        return known[source] ?? []
    }

    /// The rows with the strict keys of the records that stand in a workout.
    private func members(of workout: Workout) throws -> [Int64] {
        let history = snapshot.chain.ids(through: observation)
        let entry = index.entries[workout.place]
        return try snapshot.relationships(of: entry.rowID, sample: entry.sampleID, by: history)
            .filter { $0.kind == "member" }.map(\.target)
    }

    /// Whether a visible route stands in a workout.
    func hasRoute(_ workout: Workout) throws -> Bool { try !routeReader().routes(of: workout).isEmpty }

    /// The routes, read when they are first asked for: most questions need none.
    private func routeReader() throws -> RouteReader {
        if let knownRoutes { return knownRoutes }
        let set = RecordSet.visible(snapshot.chain, at: observation)
        let reader = try RouteReader(snapshot, set, history: snapshot.chain.ids(through: observation))
        knownRoutes = reader
        return reader
    }

    /// To whom the condensed series among some records belong, by UUID, and whether those of one that touch the workout fit
    /// several.
    private func owners(of records: [FoundRecord], for workout: Workout) throws -> (
        byUUID: [String: SampleSelection.Owner], isAmbiguous: Bool
    ) {
        let series = Dictionary(grouping: records.filter { $0.uuid != nil }) { $0.uuid ?? "" }
        guard !series.isEmpty else { return ([:], false) }
        var owners: [String: SampleSelection.Owner] = [:]
        var isAmbiguous = false
        for (uuid, records) in series {
            let owner = try owner(of: uuid, records.map(\.reading.interval), source: records.first?.source ?? "")
            switch owner {
            case .none: break
            case .ambiguous:
                isAmbiguous =
                    isAmbiguous
                    || records.contains { SampleSelection.touches($0.reading.interval, workout.facts.interval) }
            case .workout(let place): owners[uuid] = place == workout.place ? .this : .another
            }
        }
        return (owners, isAmbiguous)
    }

    /// The place of the workout of condensed series with a UUID.
    private func owner(of uuid: String, _ bounds: [Interval], source: String) throws -> CondensedWorkouts.Owner {
        if let known = ownersByUUID[uuid], known.bounds == bounds { return known.owner }
        let span = bounds.reduce(bounds[0]) { Interval(min($0.start, $1.start), max($0.end, $1.end)) }
        let places = index.overlapping(span)
        let workouts = try places.map {
            CondensedWorkouts.Workout(interval: index.entries[$0].interval, source: try self.source(of: $0))
        }
        var owner = CondensedWorkouts.owner(of: bounds, source: source, among: workouts)
        if case .workout(let place) = owner { owner = .workout(places[place]) }
        if ownersByUUID.count >= Self.mostOwners { ownersByUUID.removeAll() }
        ownersByUUID[uuid] = (bounds, owner)
        return owner
    }

    private static let mostOwners = 10_000

    /// Whether the condensed series with a UUID belong to a workout.
    func owns(_ workout: Workout, _ uuid: String) throws -> Bool {
        let interval = workout.facts.interval
        let reach = Interval(interval.start - Self.margin, interval.end + Self.margin)
        let found = try candidates.records(of: Self.types(of: workout.facts), within: reach).usable
        return try owners(of: found, for: workout).byUUID[uuid] == .this
    }

    // MARK: - Duplicates

    /// The workout that counts in the stead of one; nil where it counts itself.
    package func primary(of workout: Workout) throws -> Digest256? {
        if !duplicates.cluster.contains(workout.place) { duplicates = try cluster(around: workout) }
        return duplicates.primaries[workout.place]
    }

    /// All workouts that are linked with one by overlaps, so that the answer is that of the whole list.
    private func cluster(around workout: Workout) throws -> (cluster: Range<Int>, primaries: [Int: Digest256]) {
        let cluster = index.cluster(around: workout.place)
        guard cluster.count > 1 else { return (cluster, [:]) }
        let found = try cluster.compactMap { place -> (place: Int, workout: Duplicates.Workout)? in
            guard let other = try place == workout.place ? workout : self.workout(place) else { return nil }
            return (place, try duplicate(other))
        }
        var primaries: [Int: Digest256] = [:]
        for (entry, primary) in zip(found, Duplicates.primaries(of: found.map(\.workout))) {
            if let primary { primaries[entry.place] = index.entries[found[primary].place].identity }
        }
        return (cluster, primaries)
    }

    private func duplicate(_ workout: Workout) throws -> Duplicates.Workout {
        let distance = ActivityTable.shared.distanceType(of: workout.facts)
        let types = [SeriesType.heartRate, distance].compactMap { $0 }
        let series = try samples(of: workout, only: types).series
        let hasOwn = types.contains { type in
            series[type]?.readings.contains { $0.evidence != .otherSource } ?? false
        }
        return Duplicates.Workout(
            interval: workout.facts.interval, hasOwnSeries: hasOwn,
            isWatch: try facts[index.entries[workout.place].descriptorID].kind == .watch,
            statisticsCount: workout.facts.statistics.count, identity: workout.identity.hex + workout.row.version.hex)
    }
}
