package import Basics
internal import HealthModel
internal import Store
package import Training

extension WorkoutFinding {
    /// The line of `workout --json`, and one side of a comparison.
    package func json(withSeries: Bool) -> JSON {
        let facts = truth.facts
        let isValid = truth.isValid
        func value(_ json: @autoclosure () -> JSON) -> JSON { isValid ? json() : .null }
        let line = JSON.line(
            "workout",
            [
                "definitionsVersion": Metrics.definitionsVersion, "settingsSHA256": settingsSHA256,
                "observation": observation, "state": state.rawValue, "workout": workoutJSON,
                "time": value(truth.timeJSON), "distance": value(truth.distanceJSON),
                "heartRate": value(truth.heartRateJSON), "zones": value(truth.zonesJSON),
                "powerZones": value(truth.powerZonesJSON),
                "energy": value(truth.energyJSON), "pace": value(truth.paceJSON),
                "cadence": value(truth.cadenceJSON), "power": value(truth.powerJSON),
                "stress": value(
                    .row([
                        "value": Rounding.score.json(truth.stress.value), "method": truth.stress.method?.rawValue,
                        "trimp": Rounding.score.json(truth.stress.trimp),
                    ])), "elevation": value(elevationJSON), "route": value(routeJSON),
                "splits": value(truth.splits.rows?.json ?? .null), "splitSource": truth.splits.source?.rawValue,
                "bestEfforts": value(bestEffortsJSON),
                "activities": value(.array(truth.activities.map { $1.activityJSON($0) })),
                "events": facts.events, "companion": JSON.null,
            ])
        return withSeries ? line.adding(["series": value(seriesJSON)]) : line
    }

    private var workoutJSON: JSON {
        let row = workout.row
        return JSON.row([
            "identity": row.identity, "version": row.version, "copies": workout.copies,
            "activity": truth.facts.activity, "startDate": JSON.instant(truth.facts.interval.start),
            "endDate": JSON.instant(truth.facts.interval.end), "timeZone": zoneName,
            "indoor": truth.facts.isIndoor, "sourceName": row.sourceName, "sourceVersion": row.sourceVersion,
            "device": row.device.map { JSON.canonical($0) }, "metadata": row.metadata.map { JSON.canonical($0) },
            "duplicateOf": duplicateOf, "consolidated": truth.consolidated?.rawValue, "labels": labels.json,
        ])
    }

    private var elevationJSON: JSON {
        let climb = truth.route?.climb
        return JSON.row([
            "apple": Rounding.measure.json(truth.facts.elevationAscended), "gain": Rounding.measure.json(climb?.gain),
            "loss": Rounding.measure.json(climb?.loss), "unit": "m",
        ])
    }

    private var routeJSON: JSON {
        guard let route = truth.route else { return .null }
        return JSON.row([
            "pointCount": route.count, "pointsLeftOut": truth.samples.routePointsLeftOut,
            "distance": Rounding.measure.json(route.metres),
            "gaps": route.gaps.map { gap in
                JSON.row([
                    "startDate": JSON.instant(gap.interval.start), "endDate": JSON.instant(gap.interval.end),
                    "seconds": Rounding.measure.json(gap.interval.seconds),
                    "distance": Rounding.measure.json(gap.metres),
                ])
            },
            "medianAccuracy": Rounding.measure.json(route.medianAccuracy),
        ])
    }

    private var bestEffortsJSON: JSON {
        JSON.row([
            "distances": truth.bestEfforts.distances.map {
                JSON.row(["distance": $0.metres, "activeSeconds": Rounding.measure.json($0.seconds)])
            },
            "powers": truth.bestEfforts.powers.map {
                JSON.row(["seconds": $0.seconds, "average": Rounding.measure.json($0.watts)])
            },
        ])
    }

    /// Per type the records as they are used, and the points of the route; nothing resampled.
    private var seriesJSON: JSON {
        let types = truth.samples.series.sorted { $0.key.rawValue < $1.key.rawValue }
        let series = types.map { type, series in
            JSON.row([
                "type": type.rawValue, "unit": type.unit,
                "records": series.readings.map { reading in
                    JSON.row([
                        "startDate": JSON.instant(reading.start), "endDate": JSON.instant(reading.end),
                        "value": reading.value, "evidence": reading.evidence.rawValue,
                        "condensed": reading.isCondensed, "declaredCount": reading.declaredCount,
                    ])
                },
            ])
        }
        return .row(["types": series, "route": truth.route.map { JSON.row(["points": $0.points.map(\.json)]) }])
    }
}

extension Route.Point {
    fileprivate var json: JSON {
        JSON.row([
            "date": JSON.instant(instant), "latitude": latitude, "longitude": longitude, "elevation": elevation,
            "horizontalAccuracy": horizontalAccuracy, "verticalAccuracy": verticalAccuracy,
        ])
    }
}

extension WorkoutComparison {
    /// The line of `workout --from --to --json`.
    package func json(withSeries: Bool) -> JSON {
        .line(
            "workout",
            [
                "definitionsVersion": Metrics.definitionsVersion,
                "settingsSHA256": (to ?? from)?.settingsSHA256, "from": from?.json(withSeries: withSeries),
                "to": to?.json(withSeries: withSeries),
                "differences": differences.map { difference in
                    let rounding = difference.metric.rounding
                    return JSON.row([
                        "metric": difference.metric.rawValue, "before": rounding.json(difference.before),
                        "after": rounding.json(difference.after),
                        "difference": rounding.json(difference.difference), "material": difference.isMaterial,
                    ])
                },
            ])
    }
}
