internal import Basics
internal import HealthModel
package import Presentation
internal import Store
package import Training

/// One workout for people: a terminal, Markdown or a page to show to a friend.
package struct WorkoutDocument {
    /// What a document has on request alone.
    package enum Part: String, CaseIterable, Sendable {
        /// The outline of the route.
        case routes
    }

    /// The sides in order of time: one, or two of which one may be missing.
    let sides: [(name: String, finding: WorkoutFinding)]
    private let missing: String?
    private let comparison: WorkoutComparison?
    private let parts: Set<Part>
    let units: DisplayUnits
    let standing: WorkoutStanding?

    /// - Parameter standing: the workout among others of its activity; nil where nobody asked.
    package init(
        _ finding: WorkoutFinding, parts: Set<Part> = [], _ units: DisplayUnits = .metric,
        standing: WorkoutStanding? = nil
    ) {
        (sides, missing, comparison, self.parts, self.units) = ([("", finding)], nil, nil, parts, units)
        self.standing = standing
    }

    package init(_ comparison: WorkoutComparison, parts: Set<Part> = [], _ units: DisplayUnits = .metric) {
        let all = [("before", comparison.from), ("after", comparison.to)]
        sides = all.compactMap { name, finding in finding.map { (name, $0) } }
        missing = all.first { $0.1 == nil }?.0
        self.comparison = comparison
        self.parts = parts
        self.units = units
        standing = nil
    }

    /// The page's title.
    package var title: String {
        guard let finding = sides.last?.finding else { return "Workout" }
        let truth = finding.truth
        let isRide = truth.distanceType?.rawValue.hasSuffix("Cycling") == true
        return WorkoutText.title(
            truth.facts.activity, metres: truth.distance.value, start: truth.facts.interval.start,
            pace: isRide || truth.activities.count > 1 ? nil : truth.secondsPerKilometre, DisplayZone(finding.zone),
            units)
    }

    package var document: Document {
        guard let finding = sides.last?.finding else { return Document(title: "No workout") }
        var document = Document(title: title)
        document.paragraph(introduction(finding))
        if let missing {
            document.paragraph(
                "The \(missing == "before" ? "earlier" : "later") observation does not show this workout.", .apart)
        }
        // What anybody wants to see first: the heart rate.
        let charts = WorkoutCharts(sides, parts, units)
        let drawn = charts.all.map { Document.Block.charts([$0]) }
        document.append(Array(drawn.prefix(1)))
        document.append(.sides(sides.map { Document.Side(sideTitle($0.name, $0.finding), facts($0.finding)) }))
        document.append(Array(drawn.dropFirst()))
        if !charts.routes.isEmpty { document.append([.charts(charts.routes)]) }
        if let comparison { document.section("Differences", differences(comparison)) }
        for side in sides {
            activities(side.name, side.finding, &document)
            splits(side.name, side.finding, &document)
        }
        zones(&document)
        efforts(&document)
        document.section(
            "What the export states, and what its records come to", WorkoutStatements(finding, units).table)
        remarks(finding, &document)
        return document
    }

    private func introduction(_ finding: WorkoutFinding) -> String {
        let zone = DisplayZone(finding.zone)
        let interval = finding.truth.facts.interval
        let start = zone.time(Int64(interval.start))
        let end = zone.time(Int64(interval.end))
        return "\(start) to \(end) (\(finding.zoneName))."
    }

    private func sideTitle(_ name: String, _ finding: WorkoutFinding) -> String {
        let zone = DisplayZone(finding.zone)
        let observation = "Observation \(finding.observation.id), \(zone.day(finding.observation.observedAt))"
        let state = finding.state == .finest ? ", consolidated records restored" : ""
        return observation + state
    }

    private func facts(_ finding: WorkoutFinding) -> [Document.Fact] {
        let truth = finding.truth
        guard truth.isValid else { return [] }
        let heart = truth.heartRate
        let isRide = truth.distanceType?.rawValue.hasSuffix("Cycling") == true
        let climb = truth.facts.elevationAscended ?? truth.route?.climb?.gain
        return [
            .init("Source", finding.workout.row.sourceName?.quoted),
            .init("Distance", truth.distance.value.map { "\(units.distance($0)) \(units.distanceName)" }),
            .init("Active time", WorkoutText.clock(truth.active.activeSeconds)),
            .init("Elapsed time", truth.pauses.list.isEmpty ? nil : WorkoutText.clock(truth.active.elapsedSeconds)),
            .init(
                "Pace", isRide ? nil : truth.secondsPerKilometre.map { "\(units.pace($0)) /\(units.distanceName)" }),
            .init("Speed", isRide ? units.speed(truth.metresPerSecond) : nil),
            .init("Heart rate, average", WorkoutText.value(heart?.average, "bpm")),
            .init("Heart rate, maximum", WorkoutText.value(heart?.maximum, "bpm")),
            .init(
                "Heart-rate records",
                heart.map { "\($0.spacing.recordCount), \(Wording.fixed($0.spacing.pointsPerMinute)) per minute" }),
            .init("Active energy", WorkoutText.value(truth.energy.active, "kcal")),
            .init("Cadence", WorkoutText.value(truth.cadence?.average, "per minute")),
            .init("Power, average", truth.power.flatMap(WorkoutText.averagePower)),
            .init("Power, normalized", WorkoutText.value(truth.power?.normalized, "W")),
            .init(
                "Stress",
                truth.stress.value.map {
                    "\(WorkoutText.whole($0)) by \(truth.stress.method == .power ? "power" : "heart rate")"
                }),
            .init("Climb", climb.map { "\(units.height($0)) \(units.heightName)" }),
            .init("Route", truth.route.map { "\(Counts.of($0.count, "point"))" }),
            .init("Weather as the export states it", WorkoutStatements.weather(finding)),
            .init("Consolidated in the export", truth.consolidated?.rawValue ?? "-"),
        ]
    }

    private func differences(_ comparison: WorkoutComparison) -> Table {
        var table = Table([
            .left("Figure"), .right("Before"), .right("After"), .right("Difference"), .left("Larger than rounding"),
        ])
        for difference in comparison.differences {
            let name = difference.metric.rawValue
            let values = [difference.before, difference.after, difference.difference]
            table.addRow(
                [FigureWords.name(name) + (difference.number.map { ", number \($0)" } ?? "")]
                    + values.map { FigureWords.text(name, $0) }
                    + [difference.isMaterial ? "yes" : "no"])
        }
        return table
    }

    /// The legs of a workout of several activities.
    private func activities(_ name: String, _ finding: WorkoutFinding, _ document: inout Document) {
        let activities = finding.truth.activities
        guard activities.count > 1 else { return }
        var table = Table([
            .left("Activity"), .exact("Start"), .right("Active"), .right("Distance"), .right("kcal"), .right("HR avg"),
        ])
        let zone = DisplayZone(finding.zone)
        for (_, leg) in activities {
            table.addRow([
                leg.facts.activity.map { WorkoutText.activity($0) } ?? leg.distanceType.map {
                    shortIdentifier($0.rawValue)
                }
                    ?? "-",
                zone.time(Int64(leg.facts.interval.start)), WorkoutText.clock(leg.active.activeSeconds),
                leg.distance.value.map { "\(units.distance($0)) \(units.distanceName)" } ?? "-",
                WorkoutText.whole(leg.energy.active), WorkoutText.whole(leg.heartRate?.average),
            ])
        }
        document.append(.heading("Activities\(name.isEmpty ? "" : ", \(name)")"), .table(table))
    }

    private func splits(_ name: String, _ finding: WorkoutFinding, _ document: inout Document) {
        guard let rows = finding.truth.splits.rows, !rows.isEmpty else { return }
        var table = Table([
            .right("Split"), .right(units.distanceName), .right("Time"), .right("Active"), .right("±"), .right("Pace"),
            .right("HR avg"), .right("HR max"), .right("Cadence", leftOut: 1),
            .right("Climb \(units.heightName)", leftOut: 2),
        ])
        /// Whether the moment at which a split begins or ends is known no better than by a minute.
        func isUnusable(_ index: Int) -> Bool { index >= 0 && rows[index].split.precision == .unusable }
        let printed = rows.indices.filter { !isUnusable($0) && !isUnusable($0 - 1) }
        for index in printed {
            let row = rows[index]
            let split = row.split
            let isVague = split.precision.map { !$0.isGood } ?? false
            table.addRow([
                split.isPartial ? "remaining" : "\(index + 1)", units.distance(split.metres),
                WorkoutText.clock(split.elapsedSeconds), WorkoutText.clock(split.activeSeconds),
                isVague ? "±" + WorkoutText.clock(split.uncertaintySeconds) : "",
                units.pace(split.secondsPerKilometre), WorkoutText.whole(row.heartRateAverage),
                WorkoutText.whole(row.heartRateMaximum), WorkoutText.whole(row.cadence),
                units.height(row.elevationChange),
            ])
        }
        let side = name.isEmpty ? "" : ", \(name)"
        document.append(.heading("Splits\(side)"))
        if !printed.isEmpty { document.append(.table(table)) }
        if printed.count < rows.count {
            document.paragraph(
                "\(Counts.of(rows.count - printed.count, "split")) of \(rows.count) unusable and not printed: a merged record of the distance "
                    + "covers more than a minute around its beginning or end.")
        }
    }

    private func remarks(_ finding: WorkoutFinding, _ document: inout Document) {
        let labels = sides.reduce(Set<Label>()) { $0.union($1.finding.labels) }
        let isValid = sides.allSatisfy { $0.finding.truth.isValid }
        document.section("Remarks", labels.ordered.map { WorkoutText.sentence($0, isValid: isValid) })
        let missing = finding.truth.missingSettings.sorted()
        if !missing.isEmpty {
            let lacking = [
                finding.truth.zones == nil ? "no zones" : nil, finding.truth.stress.value == nil ? "no stress" : nil,
            ]
            document.paragraph(
                "The workout has \(lacking.compactMap(\.self).joined(separator: " and ")); settings needed: "
                    + DailyDocument.settings(missing), .apart)
        }
        let isScored = sides.contains { $0.finding.truth.stress.value != nil }
        document.paragraph(
            "Derived by HealthProbe (definitions \(Metrics.definitionsVersion)). "
                + (isScored ? DailyDocument.notice : "Not medical advice."), .apart)
    }
}
