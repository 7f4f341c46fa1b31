internal import ArchiveRows
internal import HealthMetrics
internal import HealthModel
package import Presentation
internal import TextFormats
package import WorkoutReading

extension WorkoutPage {
    /// The lines of `workouts --json`: a workout each, and one for the next page where there is one.
    package var lines: [UInt8] {
        var writer = JSONWriter()
        for row in rows { writer.appendLine(row.json(observation.id, settingsSHA256)) }
        if let next { writer.appendLine(.row(["next": next])) }
        return writer.bytes
    }

    /// The rows of `workouts --csv`.
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(Self.columns)
        for row in rows {
            writer.append(row.json(observation.id, settingsSHA256), Self.columns, forTerminal: forTerminal)
        }
        return writer.bytes
    }

    private static let columns = [
        "startDate", "endDate", "activity", "durationSeconds", "distance", "activeEnergy", "heartRateAverage",
        "heartRateMaximum", "heartRatePointsPerMinute", "distancePointsPerMinute", "sourceName", "route",
        "consolidated",
        "identity", "copies",
    ]

    /// A page of workouts as a table.
    package func document(_ zone: DisplayZone, _ units: DisplayUnits = .metric) -> Document {
        var table = Table([
            .exact("Start"), .left("Activity"), .right("Duration"), .right(units.distanceName),
            .right("kcal", leftOut: 5),
            .right("HR avg/max"), .right("HR/min"), .right("Distance/min", leftOut: 4), .left("Source", leftOut: 2),
            .left("Route", leftOut: 3), .left("Consolidated"), .exact("Identity", leftOut: 6),
        ])
        for row in rows {
            let heart = [row.heartRate?.average, row.heartRate?.maximum].map { WorkoutText.whole($0) }
            table.addRow(
                [
                    zone.time(Int64(row.interval.start)), WorkoutText.activity(row.activity),
                    WorkoutText.clock(row.durationSeconds), units.distance(row.distance),
                    WorkoutText.whole(row.activeEnergy), heart == ["-", "-"] ? "-" : heart.joined(separator: "/"),
                    Wording.fixed(row.heartRatePointsPerMinute),
                    Wording.fixed(row.distancePointsPerMinute), row.sourceName ?? "",
                    row.hasRoute ? "yes" : "", row.consolidated.rawValue, row.identity.prefix,
                ], links: [0: .workout(row.identity, at: observation.id), 11: .sample(row.identity)])
        }
        return Document([
            .title("Workouts of observation \(observation.id). Times in \(zone.name)"),
            rows.isEmpty ? .paragraph("No workouts match.") : .table(table),
        ])
    }
}

extension WorkoutRow {
    func json(_ observation: Int64, _ settingsSHA256: String) -> JSON {
        .line(
            "workouts",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "observationId": observation, "identity": identity, "version": version, "copies": copies,
                "startDate": JSON.instant(interval.start), "endDate": JSON.instant(interval.end), "activity": activity,
                "durationSeconds": Rounding.measure.json(durationSeconds), "distance": Rounding.measure.json(distance),
                "activeEnergy": Rounding.measure.json(activeEnergy),
                "heartRateAverage": Rounding.measure.json(heartRate?.average),
                "heartRateMaximum": Rounding.measure.json(heartRate?.maximum),
                "heartRatePointsPerMinute": Rounding.measure.json(heartRatePointsPerMinute),
                "distancePointsPerMinute": Rounding.measure.json(distancePointsPerMinute),
                "sourceName": sourceName, "route": hasRoute, "consolidated": consolidated.rawValue,
                "labels": labels.json,
            ])
    }
}

extension Document.Link {
    /// One workout at an observation.
    static func workout(_ identity: Digest256, at id: Int64) -> Document.Link {
        .init("workout", ["workout": identity.hex, "at": "\(id)"])
    }
}
