internal import Basics
internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// A workout that the latest export shows.
struct SurveyedWorkout {
    /// Unix seconds.
    let start: Int64
    let end: Int64
    let descriptor: Int64

    /// Reads the workouts visible at an observation in the order of their starts, each sample once.
    static func read(_ db: Database, _ chain: Chain, at observation: Observation) throws -> [SurveyedWorkout] {
        guard let type = try SampleTypeNames.id(db, of: SampleType.workout) else { return [] }
        let rows = try VersionCursor(db, RecordSet.visible(chain, at: observation).along(types: [type]))
        var found: [Int64: SurveyedWorkout] = [:]
        while try rows.next() {
            guard let start = try rows.start, let end = try rows.end, start <= end else { continue }
            let sample = try rows.sampleID
            if found[sample] == nil {
                found[sample] = SurveyedWorkout(start: start, end: end, descriptor: try rows.descriptorID)
            }
        }
        return found.sorted { ($0.value.start, $0.value.end, $0.key) < ($1.value.start, $1.value.end, $1.key) }
            .map(\.value)
    }
}

/// What is known of the quantities inside workouts: the points that the latest export shows, those that it no longer shows,
/// and those that condensed series stand for.
///
/// A point is a sample that starts in a workout, its last second included; one in several workouts counts for each of their
/// ages. A condensed series, one condenser identifier, counts once for the samples that it declares. As long as some of
/// them are not known to be gone, visible samples of its device inside its interval may be these, and count once.
/// Another replacement counts for its constituents. A sample that is gone counts unless it is the constituent of a group:
/// then its replacement counts for it.
final class WorkoutPoints {
    /// What is known of one type.
    struct TypePoints {
        /// Samples by age: visible ones, and all that are known.
        var bands: [Survey.AgeBand: (visible: Int64, known: Int64)] = [:]
        /// The workouts that have a series, by index.
        var withSeries: Set<Int> = []
    }

    private let workouts: [SurveyedWorkout]
    private let bands: [Survey.AgeBand]
    /// The latest end of each workout and those before it.
    private var latestEnds: [Int64] = []
    private let rows: PreparedStatement
    private let names: ArchiveNames
    /// How many samples the replacement of a group stands for, by its row.
    private var constituents: [Int64: Int64] = [:]

    /// - Parameter workouts: in the order of their starts.
    init(
        _ db: Database, _ chain: Chain, at observation: Observation, _ workouts: [SurveyedWorkout],
        _ answer: ConsolidationAnswer
    ) throws {
        self.workouts = workouts
        bands = workouts.map { .init(seconds: observation.observedAt - $0.end) }
        names = ArchiveNames(db)
        for workout in workouts { latestEnds.append(max(workout.end, latestEnds.last ?? .min)) }
        try Self.createSpans(db, workouts)
        let ids = chain.ids(through: observation)
        let list = ids.sqlList
        let metadata = VersionColumns.payload("metadata", "c")
        rows = try PreparedStatement(
            db,
            """
            SELECT c.id, s.id, s.start_seconds, ifnull(s.start_seconds + s.duration, s.start_seconds), c.descriptor_id,
                \(Visibility.sql("c", through: ids)),
                c.closed_observation_id IN (\(list)) AND c.superseded = 0 AND \(Visibility.isShown("c"))
                    AND NOT \(answer.reader.isConstituent("c.id")),
                CASE WHEN typeof(\(metadata)) = 'text' AND instr(\(metadata), '"HKMetadataKeySyncIdentifier":"') > 0
                    THEN \(metadata) END
            FROM temp.survey_spans w CROSS JOIN record_versions s INDEXED BY record_versions_timeline
                ON s.sample_type_id = ?1 AND s.sample_id IS NULL AND s.start_seconds BETWEEN w.first AND w.last
            CROSS JOIN record_versions c ON (c.id = s.id OR c.sample_id = s.id)
            LEFT JOIN record_versions p ON p.id = c.payload_id
            WHERE s.device_chain_id = \(chain.id)
            """)
        try answer.forEachGroup { group in
            let found = group.completeness == .complete ? .max : group.evidence.foundCount
            switch group.basis {
            case .condenserIdentifier: for row in group.replacements { constituents[row] = found }
            case .intervalAndSum where group.replacements.count == 1:
                constituents[group.replacements[0]] = group.evidence.foundCount
            case .intervalAndSum: break
            }
        }
    }

    /// The spans of time that the workouts cover, as a temporary table.
    private static func createSpans(_ db: Database, _ workouts: [SurveyedWorkout]) throws {
        try drop(db)
        try db.execute(sql: "CREATE TEMP TABLE survey_spans (first INTEGER PRIMARY KEY, last INTEGER NOT NULL)")
        var spans = DisjointSpans()
        for workout in workouts { spans.insert(workout.start..<workout.end + 1) }
        let insert = try PreparedStatement(db, "INSERT INTO temp.survey_spans VALUES (?, ?)")
        for span in spans.spans {
            insert.bind(1, span.lowerBound)
            insert.bind(2, span.upperBound - 1)
            try insert.run()
        }
    }

    /// Removes the temporary table.
    static func drop(_ db: Database) throws { try db.execute(sql: "DROP TABLE IF EXISTS temp.survey_spans") }

    /// A sample as its rows show it.
    private struct Point {
        var sample: Int64
        var start: Int64
        var end: Int64
        var device: Int64
        var isVisible = false
        /// Where it is a condensed series.
        var mark: CondenserIdentifier?
        /// How many samples the series stands for.
        var declared: Int64? { mark.map { Int64($0.count) } }
        /// How many of the samples that it stands for are known to be gone.
        var found: Int64?
        /// How many of the declared samples may still be visible.
        var missing: Int64 { max(0, (declared ?? 0) - (found ?? 0)) }
    }

    /// Reads the points of a type.
    ///
    /// - Complexity: grows with the samples of the type in workouts; memory for each of them.
    func read(type: Int64) throws -> TypePoints {
        var points: [Point] = []
        var places: [CondenserIdentifier: Int] = [:]
        rows.bind(1, type)
        defer { rows.reset() }
        while try rows.step() {
            let (row, sample) = (rows.int(0), rows.int(1))
            let (isVisible, isGone) = (rows.int(5) != 0, rows.int(6) != 0)
            guard isVisible || isGone, let start = try rows.instant(2) else { continue }
            var point = Point(
                sample: sample, start: start, end: try rows.instant(3) ?? start,
                device: try names.descriptor(rows.int(4)).deviceID, isVisible: isVisible)
            point.mark = rows.text(7).flatMap { CondenserIdentifier.mark(in: $0) }
            point.found = constituents[row]
            // Another representation or an equal row of the same sample, or a series that became another sample because
            // more than one of its fields changed at once: what is visible counts.
            let known = point.mark.flatMap { places[$0] } ?? (points.last?.sample == sample ? points.count - 1 : nil)
            if let known {
                if !points[known].isVisible { points[known] = point }
            } else {
                points.append(point)
            }
            if let mark = point.mark { places[mark] = known ?? points.count - 1 }
        }
        return count(points)
    }

    private func count(_ points: [Point]) -> TypePoints {
        var result = TypePoints()
        // In the order of their starts, as the workouts are.
        let plain = Dictionary(grouping: points.filter { $0.isVisible && $0.declared == nil }, by: \.device)
        for point in points {
            let inside = workouts(at: point.start)
            if point.isVisible, point.declared != nil { result.withSeries.formUnion(inside) }
            var known = point.declared ?? point.found ?? 1
            if point.missing > 0 { known -= min(point.missing, Self.count(plain[point.device] ?? [], inside: point)) }
            for band in Set(inside.map { bands[$0] }) {
                result.bands[band, default: (0, 0)].visible += point.isVisible ? 1 : 0
                result.bands[band, default: (0, 0)].known += max(1, known)
            }
        }
        return result
    }

    /// How many of the points are inside the interval of a series.
    private static func count(_ points: [Point], inside series: Point) -> Int64 {
        let first = points.partitionPoint { $0.start < series.start }
        return Int64(points[first...].prefix { $0.start <= series.end }.count { $0.end <= series.end })
    }

    /// The workouts in which an instant lies, by index.
    private func workouts(at instant: Int64) -> [Int] {
        var index = workouts.partitionPoint { $0.start <= instant }
        var found: [Int] = []
        while index > 0, latestEnds[index - 1] >= instant {
            index -= 1
            if workouts[index].end >= instant { found.append(index) }
        }
        return found
    }
}
