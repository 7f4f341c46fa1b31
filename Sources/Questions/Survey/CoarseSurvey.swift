internal import Basics
internal import Foundation
internal import HealthModel

extension Survey {
    /// The survey as it may be handed on: without anything that tells of a single day, workout or person.
    ///
    /// Counts become the lower bound of 1, 2, 5, 10, 20, 50, …, shares and quantiles multiples of 0.05. Cells of fewer than
    /// ``fewest`` workouts or days are left out, and so are types that are not shared.
    package func coarse() -> Survey {
        var survey = Survey()
        survey.isExact = false
        survey.exports = exports
        survey.exports.count = Ladder.step(exports.count)
        survey.exports.partial = Ladder.step(exports.partial)
        survey.exports.versions = exports.versions.filter(Self.isVersion)
        var cells: Int64 = 0
        func isShown(_ type: String?, _ size: Int64) -> Bool {
            guard type.map(Self.isShared) ?? true else { return false }
            if size < Self.fewest { cells += 1 }
            return size >= Self.fewest
        }
        survey.condensing = condensing.filter { isShown($0.type, $0.workouts) }.map(\.coarse)
        survey.workoutAge = workoutAge.filter { isShown($0.type, $0.workouts) }.map(\.coarse)
        survey.changes = changes.filter { Self.isShared($0.type) }.map(\.coarse)
        survey.shifts = shifts.filter { isShown($0.isOfDailyMetrics ? nil : $0.type, $0.days) }.map(\.coarse)
        survey.defects = defects.map { defect in
            var defect = defect
            defect.count = Ladder.step(defect.count)
            if !(defect.exportVersion.map(Self.isVersion) ?? true) { defect.exportVersion = nil }
            return defect
        }
        let types = Set(
            condensing.map(\.type) + workoutAge.map(\.type) + changes.map(\.type)
                + shifts.filter { !$0.isOfDailyMetrics }.map(\.type))
        survey.leftOut = LeftOut(
            cells: Ladder.step(cells), types: Ladder.step(Int64(types.count { !Self.isShared($0) })))
        return survey
    }

    /// Workouts or days that a cell must have.
    static let fewest: Int64 = 5

    /// Quantities that tell of reproduction, alcohol, medication or a diagnosis.
    private static let withheld: Set<String> = [
        "BasalBodyTemperature", "BloodAlcoholContent", "NumberOfAlcoholicBeverages", "InsulinDelivery", "InhalerUsage",
        "AtrialFibrillationBurden",
    ]

    /// Whether a type may be named: a quantity of HealthKit's own table that tells of nothing intimate. Clinical records,
    /// symptoms and all else that is about a person's condition are no quantities.
    static func isShared(_ type: String) -> Bool {
        QuantityTypeTable.shared[type].isKnown && !withheld.contains(shortIdentifier(type))
    }

    /// A version of the export's format is a small number; anything else is text out of the file.
    private static func isVersion(_ text: String) -> Bool {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    }
}

/// The steps of a coarse survey.
enum Ladder {
    /// The greatest of 0, 1, 2, 5, 10, 20, 50, … that is not above a count.
    static func step(_ count: Int64) -> Int64 {
        guard count > 0 else { return 0 }
        var unit: Int64 = 1
        while count / unit >= 10 { unit *= 10 }
        let lead = count / unit
        return unit * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1)
    }

    /// The nearest multiple of 0.05.
    static func step(_ share: Double) -> Double {
        let step = (share * 20).rounded()
        return step == 0 ? 0 : step / 20
    }

    /// The counts of a histogram on the ladder; those of its values too, where they are counts themselves.
    static func histogram(
        _ bins: [Int64: Int64], fewest: Int64 = 1, value: (Int64) -> Int64 = { $0 }
    ) -> [Int64: Int64] {
        var joined: [Int64: Int64] = [:]
        for (key, count) in bins { joined[value(key), default: 0] += count }
        return joined.filter { $0.value >= fewest }.mapValues(step)
    }
}

extension Survey.Condensing {
    /// Bars of `lengths` and `censored` that stand for fewer than `Survey.fewest` are left out; the cell's counts include
    /// them.
    fileprivate var coarse: Self {
        var cell = self
        cell.workouts = Ladder.step(workouts)
        cell.series = Ladder.step(series)
        cell.recondensed = Ladder.step(recondensed)
        cell.ages = Ladder.histogram(ages)
        cell.declared = Ladder.histogram(declared, value: Ladder.step)
        cell.lengths = Ladder.histogram(lengths, fewest: Survey.fewest)
        cell.censored = Ladder.histogram(censored, fewest: Survey.fewest)
        return cell
    }
}

extension Survey.WorkoutAge {
    fileprivate var coarse: Self {
        var cell = self
        cell.workouts = Ladder.step(workouts)
        cell.withSeries = Ladder.step(withSeries)
        cell.pointsVisible = Ladder.step(pointsVisible)
        cell.pointsKnown = Ladder.step(pointsKnown)
        cell.shareGone = shareGone.map(Ladder.step)
        return cell
    }
}

extension Survey.Changes {
    fileprivate var coarse: Self {
        var cell = self
        cell.steps = Ladder.step(steps)
        cell.appeared = Ladder.step(appeared)
        cell.disappeared = Ladder.step(disappeared)
        cell.explained = Ladder.step(explained)
        cell.unexplained = Ladder.step(unexplained)
        cell.evidence = evidence.mapValues(Ladder.step)
        cell.fields = fields.mapValues(Ladder.step)
        return cell
    }
}

extension Survey.Shift {
    /// Whether it is of a daily metric, and not of a type that an export calls so.
    fileprivate var isOfDailyMetrics: Bool { type == Survey.dailyMetrics && Survey.Measure(rawValue: measure) == nil }

    fileprivate var coarse: Self {
        var cell = self
        cell.days = Ladder.step(days)
        cell.shifted = Ladder.step(shifted)
        cell.quantiles = quantiles.map { ($0.name, Ladder.step($0.value)) }
        return cell
    }
}
