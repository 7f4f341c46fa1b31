internal import HealthModel
package import Presentation
internal import Store
package import Training

extension JoinReport {
    /// Which workout each run is.
    package func document(_ zone: DisplayZone) -> Document {
        var document = Document(
            title: "Runs of the companion file in observation \(observation.id), times in \(zone.name)")
        var table = Table([
            .hash("Run"), .left("Link"), .exact("Start"), .right("Distance"), .right("Active"),
            .left("Remarks", leftOut: 1), .hash("Workout", leftOut: 2),
        ])
        for (linked, truth) in runs {
            let link = linked.link
            let candidates = link.candidates.isEmpty ? [] : ["\(link.candidates.count) candidates"]
            table.addRow([
                link.run.id, Self.words(link.kind), zone.time(linked.workout.map { Int64($0.facts.interval.start) }),
                WorkoutText.metres(truth?.distance),
                truth.map { ReplayReport.clock($0.activeSeconds) } ?? "-",
                (candidates + link.labels.ordered.map(Self.words)).joined(separator: ", "),
                link.workout.map { String($0.identity.prefix(Digest256.shownDigits)) } ?? "-",
            ])
        }
        if runs.isEmpty { document.paragraph("The file has no runs.") } else { document.append(.table(table)) }
        if !withoutRun.isEmpty {
            document.paragraph(
                "The link key of \(Counts.of(withoutRun.count, "workout")) names no run of the file.", .apart)
        }
        return document
    }

    private static func words(_ kind: RunLink.Kind) -> String {
        switch kind {
        case .metadataKey: "metadata"
        case .condenserUUID: "condenser UUID"
        case .time: "time"
        case .ambiguous: "ambiguous"
        case .none: "none"
        }
    }

    private static func words(_ label: Label) -> String {
        switch label {
        case .runTypeDisagrees: "indoor in one, outdoor in the other"
        case .playedOutsideWorkout: "messages played outside the workout"
        default: label.rawValue
        }
    }
}

extension DriftReport {
    /// The runs whose cached values differ in the last observation that shows them.
    ///
    /// - Parameter all: the others, too.
    package func document(all: Bool) -> Document {
        var document = Document(title: "Cached values of the companion file against each observation")
        var table = Table([
            .hash("Run"), .right("Stale since"), .right("Observation"), .left("Value"), .right("Cached"),
            .right("Shown"), .left("Verdict"), .left("Cause", leftOut: 1),
        ])
        for (run, rows) in runs {
            let since = Self.staleSince(rows)
            guard all || since != nil else { continue }
            for row in rows {
                for (value, cause) in row.values where all || value.verdict == .differs {
                    table.addRow([
                        run.id, since.map { "\($0)" } ?? "-", "\(row.observation)", value.name.rawValue,
                        Wording.rounded(value.cached), Wording.rounded(value.shown.map { value.rounding($0) }),
                        value.verdict.rawValue,
                        cause.map { $0 == .notInferred ? "not inferred" : "consolidated in the export" } ?? "",
                    ])
                }
            }
        }
        let stale = runs.count { Self.staleSince($0.rows) != nil }
        document.paragraph(
            "Runs that differ in the last observation that shows them: \(stale) of \(Counts.grouped(runs.count)).")
        if !table.rows.isEmpty { document.append(.table(table)) }
        return document
    }
}
