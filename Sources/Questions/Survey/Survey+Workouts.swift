internal import GRDB
internal import HealthModel
internal import History
internal import Store

extension Survey {
    private static let week: Int64 = 7 * 86_400

    /// What cells of condensing are told apart by.
    private struct Cell: Hashable {
        var type: String
        var version: Int?
        var system: Int?
        var watch: String?
    }

    /// Fills the sections on workouts and their series.
    mutating func addWorkouts(
        _ db: Database, _ chain: Chain, at latest: Observation, _ answer: ConsolidationAnswer, _ devices: ChainDevices
    ) throws {
        var cells: [Cell: Condensing] = [:]
        try Self.addSeries(to: &cells, CondensedSeries.read(db, chain), devices)
        let workouts = try SurveyedWorkout.read(db, chain, at: latest)
        let phone = devices.device(.iPhone, at: chain.finished.count - 1)
        let quantities = try Int64.fetchSet(db, sql: "SELECT id FROM sample_types WHERE category = 'quantity'")
        let points = try WorkoutPoints(db, chain, at: latest, workouts, answer)
        defer { try? WorkoutPoints.drop(db) }
        for type in try SampleTypeNames.sorted(db) where quantities.contains(type.id) {
            let known = try points.read(type: type.id)
            guard !known.bands.isEmpty else { continue }
            let ages = workouts.indices.map { latest.observedAt - workouts[$0].end }
            for band in AgeBand.allCases {
                let inBand = workouts.indices.filter { AgeBand(seconds: ages[$0]) == band }
                guard !inBand.isEmpty else { continue }
                let count = known.bands[band] ?? (0, 0)
                workoutAge.append(
                    WorkoutAge(
                        type: type.identifier, band: band, workouts: Int64(inBand.count),
                        withSeries: Int64(inBand.count { known.withSeries.contains($0) }), pointsVisible: count.visible,
                        pointsKnown: count.known,
                        shareGone: count.known > 0 ? 1 - Double(count.visible) / Double(count.known) : nil))
            }
            for index in workouts.indices where !known.withSeries.contains(index) {
                let cell = Cell(
                    type: type.identifier, version: nil, system: phone?.system,
                    watch: devices.watch(workouts[index].descriptor))
                Self.update(&cells, cell) {
                    $0.workouts += 1
                    $0.censored[Self.wholeWeeks(ages[index]), default: 0] += 1
                }
            }
        }
        condensing = cells.values.sorted(by: Self.precedes)
    }

    private static func addSeries(
        to cells: inout [Cell: Condensing], _ all: [CondensedSeries], _ devices: ChainDevices
    ) {
        let again = CondensedSeries.recondensed(among: all)
        var workouts: [Cell: Set<String>] = [:]
        for (index, series) in all.enumerated() {
            let cell = Cell(
                type: series.type, version: series.mark.version,
                system: series.creation.flatMap { devices.phoneSystem(at: $0) },
                watch: devices.watch(series.descriptor.id))
            workouts[cell, default: []].insert(series.mark.workout.uppercased())
            update(&cells, cell) {
                $0.series += 1
                $0.declared[Int64(series.mark.count), default: 0] += 1
                $0.lengths[series.end - series.start, default: 0] += 1
                if again.contains(index) {
                    $0.recondensed += 1
                } else if let creation = series.creation {
                    $0.ages[wholeWeeks(creation - series.end), default: 0] += 1
                }
            }
        }
        for (cell, workouts) in workouts { cells[cell]?.workouts = Int64(workouts.count) }
    }

    private static func update(
        _ cells: inout [Cell: Condensing], _ cell: Cell, _ change: (inout Condensing) -> Void
    ) {
        var known =
            cells[cell]
            ?? Condensing(
                type: cell.type, condenserVersion: cell.version, phoneOS: cell.system, watch: cell.watch)
        change(&known)
        cells[cell] = known
    }

    /// By type, version (none last), system and watch.
    private static func precedes(_ a: Condensing, _ b: Condensing) -> Bool {
        (a.type, a.condenserVersion ?? .max, a.phoneOS ?? 0, a.watch ?? "")
            < (b.type, b.condenserVersion ?? .max, b.phoneOS ?? 0, b.watch ?? "")
    }

    /// Whole weeks, rounded down.
    private static func wholeWeeks(_ seconds: Int64) -> Int64 {
        seconds >= 0 ? seconds / week : -((-seconds + week - 1) / week)
    }
}
