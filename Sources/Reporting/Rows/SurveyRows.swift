package import Basics
package import Questions

extension Survey: JSONConvertible {
    /// The line of `survey --json`.
    package var json: JSON {
        .line(
            "survey",
            [
                "exact": isExact, "rulesVersion": Consolidation.rulesVersion, "exports": exports,
                "condensing": condensing, "workoutAge": workoutAge, "changes": changes, "shifts": shifts,
                "defects": defects, "leftOut": JSON.row(["cells": leftOut.cells, "types": leftOut.types]),
            ])
    }
}

extension Survey.Exports: JSONConvertible {
    package var json: JSON {
        .row([
            "count": count, "partial": partial, "years": years, "versions": versions,
            "phones": phones.map { JSON.row(["phone": $0.family, "phoneOS": $0.system]) },
            "watches": watches.map { JSON.row(["watch": $0.family, "watchOS": $0.system]) },
        ])
    }
}

extension Survey.Condensing: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "condenserVersion": condenserVersion, "phoneOS": phoneOS, "watch": watch,
            "workouts": workouts, "series": series, "recondensed": recondensed,
            "ages": JSON.histogram(ages, "weeks", "series"), "declared": JSON.histogram(declared, "count", "series"),
            "lengths": JSON.histogram(lengths, "seconds", "series"),
            "censored": JSON.histogram(censored, "weeks", "workouts"),
        ])
    }
}

extension Survey.WorkoutAge: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "band": band.rawValue, "workouts": workouts, "withSeries": withSeries,
            "pointsVisible": pointsVisible, "pointsKnown": pointsKnown, "shareGone": shareGone,
        ])
    }
}

extension Survey.Changes: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "steps": steps, "appeared": appeared, "disappeared": disappeared, "explained": explained,
            "unexplained": unexplained, "evidence": JSON.sorted(evidence), "fields": JSON.sorted(fields),
        ])
    }
}

extension Survey.Shift: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "measure": measure, "touched": isTouched, "days": days, "shifted": shifted,
            "quantiles": JSON.object(quantiles.map { ($0.name, .double($0.value)) }),
        ])
    }
}

extension Survey.Defect: JSONConvertible {
    package var json: JSON {
        .row(["exportVersion": exportVersion, "kind": kind.rawValue, "name": name, "count": count])
    }
}

extension JSON {
    /// Values with how often they occur, in their order.
    fileprivate static func histogram(_ bins: [Int64: Int64], _ value: String, _ count: String) -> JSON {
        bins.sorted { $0.key < $1.key }.map { JSON.row([value: $0.key, count: $0.value]) }.json
    }

    /// An object of counts in the order of their names.
    fileprivate static func sorted(_ counts: [String: Int64]) -> JSON {
        .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) })
    }
}
