package import Basics
internal import HealthModel
package import Training

/// The members that a workout and its nested activities share.
extension WorkoutTruth {
    var timeJSON: JSON {
        JSON.row([
            "elapsedSeconds": Rounding.measure.json(active.elapsedSeconds),
            "activeSeconds": Rounding.measure.json(active.activeSeconds),
            "appleDurationSeconds": Rounding.measure.json(facts.appleDuration),
            "pauses": pauses.list.map { pause in
                JSON.row([
                    "startDate": JSON.instant(pause.interval.start), "endDate": JSON.instant(pause.interval.end),
                    "kind": pause.isExplicit ? "pause" : "motionPause",
                ])
            },
        ])
    }

    var distanceJSON: JSON {
        let series = distanceType.flatMap { samples.series[$0] }
        return JSON.row([
            "value": Rounding.measure.json(distance.value), "samples": Rounding.measure.json(distance.samples),
            "apple": Rounding.measure.json(distance.apple), "route": Rounding.measure.json(distance.route),
            "ratio": Rounding.ratio.json(distance.ratio), "unit": "m", "type": distanceType?.rawValue,
            "recordCount": series?.readings.count ?? 0, "evidence": series.evidenceJSON,
        ])
    }

    var heartRateJSON: JSON {
        guard let heart = heartRate else { return .null }
        return JSON.row([
            "average": Rounding.measure.json(heart.average), "minimum": Rounding.measure.json(heart.minimum),
            "maximum": Rounding.measure.json(heart.maximum),
            "apple": heart.apple.map {
                JSON.row([
                    "average": Rounding.measure.json($0.average), "minimum": Rounding.measure.json($0.minimum),
                    "maximum": Rounding.measure.json($0.maximum),
                ])
            },
            "coveredSeconds": Rounding.measure.json(heart.coveredSeconds),
            "unknownSeconds": Rounding.measure.json(heart.unknownSeconds), "recordCount": heart.spacing.recordCount,
            "pointsPerMinute": Rounding.measure.json(heart.spacing.pointsPerMinute),
            "medianSpacingSeconds": Rounding.measure.json(heart.spacing.medianSeconds),
            "resolution": heart.spacing.resolution?.rawValue, "evidence": samples.series[.heartRate].evidenceJSON,
            "leftOut": samples.leftOut[.heartRate]?.count ?? 0,
        ])
    }

    var zonesJSON: JSON {
        Self.json(zones, zoneSeconds, unknown: zoneSeconds == nil ? nil : heartRate?.unknownSeconds)
    }

    /// The zones of cycling power that the export prints, in W.
    var powerZonesJSON: JSON {
        Self.json(
            powerZones, powerZoneSeconds,
            unknown: powerZoneSeconds.map { active.activeSeconds - $0.reduce(0, +) })
    }

    /// Zones without records are those that the export prints; zones of the settings say nothing then.
    private static func json(_ zones: HeartRateZones?, _ seconds: [Double]?, unknown: Double?) -> JSON {
        guard let zones, seconds != nil || zones.printedSeconds != nil else { return .null }
        let json = JSON.row([
            "origin": zones.origin.rawValue, "bounds": zones.bounds,
            "seconds": seconds.map { $0.map { Rounding.measure($0) } },
            "unknownSeconds": Rounding.measure.json(unknown),
        ])
        guard let printed = zones.printedSeconds else { return json }
        return json.adding(["appleSeconds": printed.map { Rounding.measure($0) }])
    }

    var energyJSON: JSON {
        JSON.row([
            "active": Rounding.measure.json(energy.active), "basal": Rounding.measure.json(energy.basal),
            "unit": "kcal",
        ])
    }

    var paceJSON: JSON {
        JSON.row([
            "secondsPerKilometre": Rounding.pace.json(secondsPerKilometre),
            "metresPerSecond": Rounding.measure.json(metresPerSecond),
        ])
    }

    var cadenceJSON: JSON {
        cadence.map { .row(["average": Rounding.measure.json($0.average), "unit": "count/min"]) } ?? .null
    }

    var powerJSON: JSON {
        guard let power else { return .null }
        return JSON.row([
            "average": Rounding.measure.json(power.average), "maximum": Rounding.measure.json(power.maximum),
            "normalized": Rounding.measure.json(power.normalized),
            "intensityFactor": Rounding.score.json(stress.intensityFactor),
            "activeSeconds": power.watts.count, "coveredSeconds": Rounding.measure.json(power.coveredSeconds),
            "measuredAverage": Rounding.measure.json(power.measuredAverage), "unit": "W",
        ])
    }

    /// A nested activity.
    func activityJSON(_ activity: NestedActivity) -> JSON {
        JSON.row([
            "uuid": activity.uuid, "startDate": JSON.instant(facts.interval.start),
            "endDate": JSON.instant(facts.interval.end), "stepKeyPath": activity.stepKeyPath, "time": timeJSON,
            "distance": distanceJSON, "heartRate": heartRateJSON, "zones": zonesJSON, "powerZones": powerZonesJSON,
            "energy": energyJSON,
            "pace": paceJSON, "cadence": cadenceJSON, "power": powerJSON, "splits": splits.rows?.json ?? .null,
            "labels": labels.json,
        ])
    }
}

extension SampleSelection.Series? {
    /// How many records have each evidence; the members add up to the number of records.
    fileprivate var evidenceJSON: JSON {
        JSON.row([
            "sameSource": self?.count(.sameSource) ?? 0, "condenser": self?.count(.condenser) ?? 0,
            "nested": self?.count(.nested) ?? 0, "otherSource": self?.count(.otherSource) ?? 0,
        ])
    }
}

extension [SplitFigures.Row] {
    /// The contract's rows of splits.
    var json: JSON {
        .array(
            enumerated().map { index, row in
                let split = row.split
                return JSON.row([
                    "index": index + 1, "distance": Rounding.measure.json(split.metres),
                    "elapsedSeconds": Rounding.measure.json(split.elapsedSeconds),
                    "activeSeconds": Rounding.measure.json(split.activeSeconds),
                    "secondsPerKilometre": Rounding.pace.json(split.secondsPerKilometre),
                    "heartRateAverage": Rounding.measure.json(row.heartRateAverage),
                    "heartRateMaximum": Rounding.measure.json(row.heartRateMaximum),
                    "cadence": Rounding.measure.json(row.cadence),
                    "elevationChange": Rounding.measure.json(row.elevationChange),
                    "uncertaintySeconds": Rounding.measure.json(split.uncertaintySeconds),
                    "class": split.precision?.rawValue, "partial": split.isPartial,
                    "appleDeltaSeconds": Rounding.measure.json(split.appleDelta),
                ])
            })
    }
}

extension WorkoutEvent: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "startDate": JSON.instant(interval.start), "endDate": JSON.instant(interval.end),
        ])
    }
}
