package import Basics
internal import Days
internal import HealthModel
package import Training

extension ImpactAnswer: JSONConvertible {
    /// The object of `impact --json`, which a report has too.
    package var json: JSON {
        .line(
            "impact",
            [
                "from": from, "to": to, "through": through, "definitionsVersion": Metrics.definitionsVersion,
                "settingsSHA256": settingsSHA256, "rulesVersion": rulesVersion, "zone": zone.name,
                "headline": headline, "summary": summary, "workouts": workouts, "days": days,
                "archiveOnly": JSON.row([
                    "workouts": archiveOnly.workouts, "days": archiveOnly.days, "neverMore": archiveOnly.neverMore,
                ]),
            ])
    }
}

extension WorkoutImpact: JSONConvertible {
    package var json: JSON {
        .row([
            "identity": identity.hex, "startDate": JSON.instant(start), "activity": activity,
            "groups": JSON.row([
                "count": groups.count, "restorable": groups.restorable, "workouts": groups.workouts,
            ]), "metrics": figures,
        ])
    }
}

extension DayImpact: JSONConvertible {
    package var json: JSON { .row(["date": LocalDate.text(day: day), "metrics": figures]) }
}

extension ImpactFigure: JSONConvertible {
    package var json: JSON {
        let row = JSON.row([
            "name": name, "before": rounding.json(before), "after": rounding.json(after),
            "restored": rounding.json(restored), "difference": JSON.optional(difference),
            "byConsolidation": JSON.optional(byConsolidation), "byOther": JSON.optional(byOther),
            "material": isMaterial, "causes": causes.json,
        ])
        return isUncertain ? row.adding(["labels": Set([Label.uncertain]).json]) : row
    }
}

extension ImpactSummary: JSONConvertible {
    package var json: JSON {
        .row([
            "metric": metric, "of": subject.rawValue, "compared": compared, "changed": changed, "material": material,
            "median": Rounding.score.json(median), "p95": Rounding.score.json(p95),
            "meanSigned": Rounding.score.json(meanSigned), "meanRelative": Rounding.ratio.json(meanRelative),
            "verdict": verdict.rawValue,
        ])
    }
}
