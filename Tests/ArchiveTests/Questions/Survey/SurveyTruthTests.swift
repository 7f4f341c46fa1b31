internal import ArchiveTestSupport
internal import Foundation
internal import HealthModel
internal import History
@testable internal import Questions
internal import Store
internal import SyntheticExportGenerator
internal import Testing

/// The survey's series, ages and points against the generator's truth.
@Suite struct SurveyTruthTests {
    /// What condensing made, and what a survey has to say of it.
    private struct Expected: Equatable {
        /// By type: series, those condensed again, ages in weeks, declared counts, lengths.
        var series: [String: Int64] = [:]
        var recondensed: [String: Int64] = [:]
        var ages: [String: [Int64: Int64]] = [:]
        var declared: [String: [Int64: Int64]] = [:]
        var lengths: [String: [Int64: Int64]] = [:]

        init(_ survey: Survey) {
            for cell in survey.condensing where cell.series > 0 {
                series[cell.type, default: 0] += cell.series
                recondensed[cell.type, default: 0] += cell.recondensed
                ages[cell.type, default: [:]].merge(cell.ages, uniquingKeysWith: +)
                declared[cell.type, default: [:]].merge(cell.declared, uniquingKeysWith: +)
                lengths[cell.type, default: [:]].merge(cell.lengths, uniquingKeysWith: +)
            }
        }

        /// The truth: every series that the generator made, at the first dump that shows it.
        init(_ truth: [TruthLine]) throws {
            var first: [String: TruthLine.Record] = [:]
            var again: Set<String> = []
            func key(_ record: TruthLine.Record) -> String { record.type + " " + (record.syncIdentifier ?? "") }
            for line in truth.sorted(by: { $0.to < $1.to }) {
                if line.kind == "group", line.basis == "condenserIdentifier" {
                    for record in line.replacements ?? [] {
                        if first[key(record)] == nil { first[key(record)] = record }
                        if line.constituents?.contains(where: { $0.syncIdentifier != nil }) == true {
                            again.insert(key(record))
                        }
                    }
                } else if line.change == "representationChanged", line.cause?.contains("recondensed") == true,
                    let record = line.after, record.syncIdentifier != nil, first[key(record)] == nil
                {
                    first[key(record)] = record
                    again.insert(key(record))
                }
            }
            for (key, record) in first {
                let end = try Self.seconds(record.endDate)
                let mark = try #require(record.syncIdentifier.flatMap { CondenserIdentifier($0) })
                series[record.type, default: 0] += 1
                recondensed[record.type, default: 0] += again.contains(key) ? 1 : 0
                if !again.contains(key) {
                    let age = try Self.seconds(record.creationDate) - end
                    ages[record.type, default: [:]][age / 604_800, default: 0] += 1
                }
                declared[record.type, default: [:]][Int64(mark.count), default: 0] += 1
                lengths[record.type, default: [:]][end - (try Self.seconds(record.startDate)), default: 0] += 1
            }
        }

        private static func seconds(_ text: String) throws -> Int64 {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            return Int64(try #require(formatter.date(from: text)).timeIntervalSince1970)
        }
    }

    private func phone(_ steps: [[String]], seed: UInt64) throws -> AnalysedPhone {
        let plans = try steps.map { list in DumpPlan(days: 70, changes: try list.map { try Change(parsing: $0) }) }
        let scenario = Scenario(seed: seed, density: 0.006, dumps: [DumpPlan(days: 300)] + plans)
        return try AnalysedPhone(scenario, truthDetail: .full)
    }

    private func survey(_ archive: TestArchive) throws -> Survey {
        try archive.read { db in
            let chain = try #require(try Chain.read(db, name: "default"))
            return try Survey.read(db, chain) { _ in }
        }
    }

    @Test(arguments: [
        [
            ["condense=0.4"], ["condense=0.6", "rename:watch"],
            ["restore", "unit:ActiveEnergyBurned:kJ", "condense=0.7"],
        ],
        [["condense-lagging=0.7", "rename:watch"], ["recondense=0.6", "condense=0.5"], ["restore"]],
        [["condense=0.8", "decoy-total=0.3"], ["recondense", "delete=0.01"]],
    ])
    func seriesAndAgesAreTheGenerators(_ steps: [[String]]) throws {
        let phone = try phone(steps, seed: 11)
        let truth = try Expected(phone.truth)
        #expect(truth.series.values.reduce(0, +) > 50, "too little to judge: \(truth.series)")
        #expect(Expected(try survey(phone.archive)) == truth)
    }

    @Test func seriesCondensedAgainAreTold() throws {
        let truth = try Expected(try phone([["condense=0.8"], ["recondense"]], seed: 11).truth)
        #expect(truth.recondensed.values.reduce(0, +) > 10, "the truth has none")
    }

    /// Nothing is deleted but by condensing, so every point was seen.
    @Test func knownPointsAreThoseEverSeen() throws {
        let phone = try phone([["condense=0.5"], ["condense-lagging=0.6"]], seed: 5)
        let survey = try survey(phone.archive)
        let heartRate = "HKQuantityTypeIdentifierHeartRate"
        let cells = survey.workoutAge.filter { $0.type == heartRate }
        let counts = try phone.archive.row(
            """
            WITH workouts AS (SELECT start_date AS a, end_date AS b FROM visible_records
                WHERE type_identifier = 'HKWorkoutTypeIdentifier' AND observation_id = 3),
            points AS (SELECT DISTINCT k.id, k.start_seconds, k.metadata LIKE '%HKMetadataKeySyncIdentifier%' AS marked,
                    EXISTS (SELECT 1 FROM record_versions c
                        WHERE (c.id = k.id OR c.sample_id = k.id) AND c.closed_observation_id = -1) AS visible
                FROM record_versions k JOIN sample_types t ON t.id = k.sample_type_id
                JOIN workouts w ON k.start_seconds BETWEEN w.a AND w.b
                WHERE t.type_identifier = '\(heartRate)' AND k.sample_id IS NULL)
            SELECT count(*) FILTER (WHERE visible), count(*) FILTER (WHERE marked IS NOT 1),
                count(*) FILTER (WHERE visible AND marked IS NOT 1) FROM points
            """)
        #expect(cells.reduce(0) { $0 + $1.pointsVisible } == counts[0])
        #expect(cells.reduce(0) { $0 + $1.pointsKnown } == counts[1])
        #expect(counts[2] < counts[1] && counts[2] > 0, "too little was condensed: \(counts)")
        let workouts = try phone.archive.row(
            "SELECT count(*) FROM visible_records WHERE type_identifier = 'HKWorkoutTypeIdentifier' AND observation_id = 3"
        )
        let uncondensed = survey.condensing.filter { $0.type == heartRate && $0.condenserVersion == nil }
        #expect(cells.reduce(0) { $0 + $1.workouts } == workouts[0])
        #expect(
            uncondensed.reduce(0) { $0 + $1.workouts } == workouts[0] - cells.reduce(0) { $0 + $1.withSeries })
        #expect(uncondensed.allSatisfy { $0.censored.values.reduce(0, +) == $0.workouts })
    }

    /// The condenser's identifiers tell a single export what a chain saw.
    @Test func oneExportTellsAsMuchOfSeriesAsTheChain() throws {
        let phone = try phone([["condense=0.5"], ["condense=0.5"]], seed: 6)
        let alone = try TestArchive(checksImports: false)
        try alone.add(path: phone.archive.folder + "/dumps/dump-3.xml")
        let (chain, last) = (try survey(phone.archive), try survey(alone))
        #expect(Expected(chain) == Expected(last))
        let condensed = ["HeartRate", "ActiveEnergyBurned", "BasalEnergyBurned", "DistanceWalkingRunning"]
        for type in condensed.map({ "HKQuantityTypeIdentifier" + $0 }) {
            let (all, one) = (chain.workoutAge.filter { $0.type == type }, last.workoutAge.filter { $0.type == type })
            #expect(all.map(\.pointsKnown) == one.map(\.pointsKnown), "\(type)")
            #expect(all.map(\.shareGone) == one.map(\.shareGone) && all.contains { $0.shareGone ?? 0 > 0.5 }, "\(type)")
        }
        #expect(last.changes.isEmpty && last.shifts.isEmpty)
    }

    @Test func changesAndDaysAddUp() throws {
        let phone = try phone([["condense=0.5", "delete:HeartRate=0.01"], ["condense=0.6", "rename:watch"]], seed: 8)
        let survey = try survey(phone.archive)
        for changes in survey.changes {
            #expect(changes.explained + changes.unexplained == changes.disappeared && changes.steps == 2)
        }
        let heartRate = try #require(survey.changes.first { $0.type == "HKQuantityTypeIdentifierHeartRate" })
        let gone = phone.truth.filter {
            $0.change == "disappeared" && $0.before?.type == "HKQuantityTypeIdentifierHeartRate"
        }
        #expect(heartRate.disappeared == Int64(gone.count))
        #expect(heartRate.unexplained > 0 && heartRate.explained > heartRate.unexplained)
        #expect(heartRate.fields["sourceName"] == heartRate.evidence["strictKey"])
        let shifts = survey.shifts.filter { $0.type == heartRate.type }
        let count = shifts.filter { $0.measure == "count" && $0.isTouched }
        #expect(count.count == 1 && count[0].shifted == count[0].days)
        #expect(count[0].quantiles.map(\.name) == ["p5", "p25", "p50", "p75", "p95"])
        #expect(count[0].quantiles.allSatisfy { -1 < $0.value && $0.value <= 0 })
        // Condensing keeps a day's mean, unless somebody deleted a record or the series crosses midnight.
        let mean = try #require(shifts.first { $0.measure == "mean" && $0.isTouched })
        #expect(mean.shifted < mean.days && mean.quantiles.allSatisfy { abs($0.value) < 0.05 })
    }
}
