package import Basics
internal import HealthModel
package import Presentation
internal import Store
package import Training

extension WorkoutPage {
    /// What `workouts` says of a workout. CSV and the table have the key of a workout at their end.
    package static let columns = Columns<WorkoutRow, WorkoutPage>("workouts") {
        Figure("definitionsVersion", .count, "Version of the formulas.", csv: "") { _ in Metrics.definitionsVersion }
        Figure("settingsSHA256", .digest, "SHA-256 of the athlete's settings.", csv: "") { $0.answer.settingsSHA256 }
        Figure("observationId", .count, "The observation.", csv: "") { $0.answer.observation.id }
        Figure("identity", .digest, "Which workout it is.", .last) { $0.row.identity }
            .shown(.exact("Identity", leftOut: 6), link: { .sample($0.row.identity) }) { $0.row.name.prefix }
        Figure("version", .digest, "Which representation of it.", csv: "") { $0.row.version }
        Figure("copies", .count, "How many equal workouts the export has.", .last) { $0.row.copies }
        Figure("duplicateOf", .digest.optional, "The workout that counts in place of it.", .last) { $0.row.duplicateOf }
        Figure("startDate", .instant, "When it starts.") { JSON.instant($0.row.interval.start) }
            .shown(
                .exact("Start"), link: { .workout($0.row.name, at: $0.answer.observation.id) },
                instant: { Int64($0.row.interval.start) }
            ) { $0.looks.zone.time(Int64($0.row.interval.start)) }
        Figure("endDate", .instant, "When it ends.") { JSON.instant($0.row.interval.end) }
        Figure("activity", .text.optional, "The activity in HealthKit's words.") { $0.row.activity }
            .shown(.left("Activity")) { WorkoutText.activity($0.row.activity) }
        Figure("durationSeconds", .number(.measure, in: "s"), "Its own duration, else its active time.") {
            $0.row.durationSeconds
        }
        .shown(.right("Duration")) { WorkoutText.clock($0.row.durationSeconds) }
        Figure("distance", .number(.measure, in: "m").optional, "Its own distance.") { $0.row.distance }
            .shown(under: { .right($1.units.distanceName) }) { $0.looks.units.distance($0.row.distance) }
        Figure("activeEnergy", .number(.measure, in: "kcal").optional, "Its own active energy.") { $0.row.activeEnergy }
            .shown(.right("kcal", leftOut: 5)) { WorkoutText.whole($0.row.activeEnergy) }
        Figure("heartRateAverage", .number(.measure, in: "bpm").optional, "Its own mean heart rate.") {
            $0.row.heartRate?.average
        }
        .shown(.right("HR avg/max")) { shown in
            let heart = [shown.row.heartRate?.average, shown.row.heartRate?.maximum].map { WorkoutText.whole($0) }
            return heart == ["-", "-"] ? "-" : heart.joined(separator: "/")
        }
        Figure("heartRateMaximum", .number(.measure, in: "bpm").optional, "Its own highest heart rate.") {
            $0.row.heartRate?.maximum
        }
        Figure("heartRatePointsPerMinute", .density, "Records of heart rate that belong to it, per minute.") {
            $0.row.points.heartRate
        }
        .shown(.right("HR/min")) { Wording.fixed($0.row.points.heartRate) }
        Figure("distancePointsPerMinute", .density, "Records of distance that belong to it, per minute.") {
            $0.row.points.distance
        }
        .shown(.right("Distance/min", leftOut: 4)) { Wording.fixed($0.row.points.distance) }
        Figure("sourceName", .text.optional, "The source.") { $0.row.sourceName }
            .shown(.left("Source", leftOut: 2)) {
                ($0.row.sourceName ?? "") + ($0.row.duplicateOf == nil ? "" : " (an app’s copy)")
            }
        Figure("route", .flag.optional, "Whether it has a route; null where routes were excluded.") { $0.row.hasRoute }
            .shown(.left("Route", leftOut: 3)) { $0.row.hasRoute.map { $0 ? "yes" : "" } ?? "-" }
        Figure(
            "consolidated", .choice(["no", "partly", "yes"]).optional,
            "How many of its records of heart rate and distance Health has merged."
        ) { $0.row.consolidated?.rawValue }
        .shown(.left("Consolidated")) { $0.row.consolidated?.rawValue ?? "-" }
        Figure("labels", .labels, "Remarks on its figures.", csv: "") { $0.row.labels.json }
        Figure(
            "visibleHeartRatePointsPerMinute", .density, "The same of the visible records alone.",
            .before("sourceName"), when: restored
        ) { $0.row.visiblePoints?.heartRate }
        .shown(.right("HR/min visible")) { Wording.fixed($0.row.visiblePoints?.heartRate) }
        Figure(
            "visibleDistancePointsPerMinute", .density, "The same of the visible records alone.",
            .before("sourceName"), when: restored
        ) { $0.row.visiblePoints?.distance }
        .shown(.right("Distance/min visible", leftOut: 1)) { Wording.fixed($0.row.visiblePoints?.distance) }
    }

    private typealias Figure = Column<WorkoutRow, WorkoutPage>

    /// Answers in which merged records are replaced by their originals.
    private static let restored = Figure.Condition("with `--state finest`") { $0.state == .finest }

    /// The workouts as `workouts --json` prints them.
    package var jsonRows: [JSON] { rows.map { Self.columns.json($0, of: self) } }

    /// The lines of `workouts --json`: a workout each, and one for the next page where there is one.
    package var lines: [UInt8] { Self.columns.lines(rows, of: self, next: next) }

    /// The rows of `workouts --csv`.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] { Self.columns.csv(rows, of: self, forTerminal: forTerminal) }

    /// A page of workouts as a table.
    package func document(_ zone: DisplayZone, _ units: DisplayUnits = .metric) -> Document {
        Document([
            .title("Workouts of observation \(observation.id). Times in \(zone.name)"),
            rows.isEmpty
                ? .paragraph("No workouts match.") : .table(Self.columns.table(rows, of: self, Looks(zone, units))),
        ])
    }
}

extension WorkoutRow {
    /// What the workout was, in a line.
    package func title(_ zone: DisplayZone, _ units: DisplayUnits) -> String {
        let isOnFoot = ["Running", "Walking", "Hiking"].contains(activity.map(shortValue) ?? "")
        let metres = distance.flatMap { isOnFoot && $0 > 0 ? $0 : nil }
        return WorkoutText.title(
            activity, metres: distance, start: interval.start, pace: metres.map { durationSeconds / $0 * 1000 }, zone,
            units)
    }
}

extension Document.Link {
    /// One workout at an observation.
    static func workout(_ identity: Digest256, at id: Int64) -> Document.Link {
        .init("workout", ["workout": identity.hex, "at": "\(id)"])
    }
}
