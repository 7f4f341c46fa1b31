internal import ArchiveRows
internal import HealthMetrics
internal import HealthModel
package import Presentation
internal import TextFormats
package import WorkoutReading

extension WorkoutPage {
    /// The lines of `workouts --json`: a workout each, and one for the next page where there is one.
    package var lines: [UInt8] {
        let out = ByteBuffer()
        for row in rows { out.append(line: row.json(observation.id, settingsSHA256)) }
        if let next { out.append(line: .row(["next": next])) }
        return out.view.array
    }

    /// The rows of `workouts --csv`.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] {
        var writer = CSVWriter(guardsFormulas: true)
        let columns =
            [
                "startDate", "endDate", "activity", "durationSeconds", "distance", "activeEnergy", "heartRateAverage",
                "heartRateMaximum", "heartRatePointsPerMinute", "distancePointsPerMinute",
            ] + (state == .finest ? ["visibleHeartRatePointsPerMinute", "visibleDistancePointsPerMinute"] : [])
            + ["sourceName", "route", "consolidated", "identity", "copies"]
        writer.appendRow(columns)
        for row in rows {
            writer.append(row.json(observation.id, settingsSHA256), columns, forTerminal: forTerminal)
        }
        return writer.bytes
    }

    /// A page of workouts as a table.
    package func document(_ zone: DisplayZone, _ units: DisplayUnits = .metric) -> Document {
        var table = Table(
            [
                .exact("Start"), .left("Activity"), .right("Duration"), .right(units.distanceName),
                .right("kcal", leftOut: 5), .right("HR avg/max"), .right("HR/min"), .right("Distance/min", leftOut: 4),
            ] + (state == .finest ? [.right("HR/min visible"), .right("Distance/min visible", leftOut: 1)] : [])
                + [
                    .left("Source", leftOut: 2), .left("Route", leftOut: 3), .left("Consolidated"),
                    .exact("Identity", leftOut: 6),
                ])
        for row in rows {
            let heart = [row.heartRate?.average, row.heartRate?.maximum].map { WorkoutText.whole($0) }
            var cells = [
                zone.time(Int64(row.interval.start)), WorkoutText.activity(row.activity),
                WorkoutText.clock(row.durationSeconds), units.distance(row.distance),
                WorkoutText.whole(row.activeEnergy), heart == ["-", "-"] ? "-" : heart.joined(separator: "/"),
            ]
            for points in [row.points, row.visiblePoints].compactMap(\.self) {
                cells += [Wording.fixed(points.heartRate), Wording.fixed(points.distance)]
            }
            cells += [
                row.sourceName ?? "", row.hasRoute.map { $0 ? "yes" : "" } ?? "-", row.consolidated?.rawValue ?? "-",
                row.identity.prefix,
            ]
            table.addRow(
                cells,
                links: [0: .workout(row.identity, at: observation.id), cells.count - 1: .sample(row.identity)],
                instants: [0: Int64(row.interval.start)])
        }
        return Document([
            .title("Workouts of observation \(observation.id). Times in \(zone.name)"),
            rows.isEmpty ? .paragraph("No workouts match.") : .table(table),
        ])
    }
}

extension WorkoutRow {
    func json(_ observation: Int64, _ settingsSHA256: String) -> JSON {
        let line = JSON.line(
            "workouts",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "observationId": observation, "identity": identity, "version": version, "copies": copies,
                "startDate": JSON.instant(interval.start), "endDate": JSON.instant(interval.end), "activity": activity,
                "durationSeconds": Rounding.measure.json(durationSeconds), "distance": Rounding.measure.json(distance),
                "activeEnergy": Rounding.measure.json(activeEnergy),
                "heartRateAverage": Rounding.measure.json(heartRate?.average),
                "heartRateMaximum": Rounding.measure.json(heartRate?.maximum),
                "heartRatePointsPerMinute": Rounding.measure.json(points.heartRate),
                "distancePointsPerMinute": Rounding.measure.json(points.distance),
                "sourceName": sourceName, "route": hasRoute, "consolidated": consolidated?.rawValue,
                "labels": labels.json,
            ])
        guard let visiblePoints else { return line }
        return line.adding([
            "visibleHeartRatePointsPerMinute": Rounding.measure.json(visiblePoints.heartRate),
            "visibleDistancePointsPerMinute": Rounding.measure.json(visiblePoints.distance),
        ])
    }
}

extension Document.Link {
    /// One workout at an observation.
    static func workout(_ identity: Digest256, at id: Int64) -> Document.Link {
        .init("workout", ["workout": identity.hex, "at": "\(id)"])
    }
}
