extension Scenario {
    /// Follows the plans from dump to dump.
    func resolvedDumps() -> [Dump] {
        var result: [Dump] = []
        var state = State(locale: locale)
        var days = 0
        for (number, plan) in dumps.enumerated() {
            let previousDays = days
            days += plan.days
            state.version = plan.version ?? state.version
            plan.changes.forEach { state.apply($0) }
            let firstDay = Self.firstDumpDay - (dumps.first?.days ?? 0)
            let exportDate = HomeZone.midnight(dayNumber: firstDay + days) + 9 * 3600 + 25 * 60 + number * 3600
            let later = dumps.dropFirst(number + 1).flatMap(\.changes)
            result.append(
                Dump(
                    number: number, days: days, previousDays: previousDays, exportDate: exportDate,
                    offsetSeconds: state.offset(plan, at: exportDate), locale: state.locale, version: state.version,
                    names: Source.allCases.map { $0.name(renames: state.renames[$0.rawValue], locale: state.locale) },
                    units: state.units,
                    hasOldSleepNames: later.contains(.sleepSynonym)
                        || (state.version.number < 12 && !state.hasNewSleepNames),
                    hasDeviceDates: state.version.number >= 14 && !later.contains(.deviceText),
                    changes: Self.effective(plan.changes, after: number > 0 ? dumps[number - 1].changes : []),
                    malformations: plan.malformations))
        }
        return result
    }

    func phone() -> SimulatedPhone {
        let days = dumps.first?.days ?? 0
        return SimulatedPhone(
            seed: seed, firstDayNumber: Self.firstDumpDay - days, density: density, days: days,
            athleteDays: athleteDays)
    }

    /// The changes of a plan, after what the changes before left to be finished.
    private static func effective(_ changes: [Change], after earlier: [Change]) -> [Change] {
        let isUnfinished = earlier.contains {
            if case .condenseLagging = $0 { true } else { false }
        }
        return (isUnfinished ? [.finishCondensing] : []) + changes
    }

    /// What lasts from dump to dump.
    private struct State {
        var locale: String
        var version = ExportVersion.v14
        var renames = Source.allCases.map { _ in 0 }
        var units = SampleCatalog.types.map { UnitChoice.alternatives(base: $0.unit).first }
        var hasNewSleepNames = false

        mutating func apply(_ change: Change) {
            switch change {
            case .rename(let source): renames[source.rawValue] += 1
            case .locale(let name): locale = name
            case .sleepSynonym: hasNewSleepNames = true
            case .unit(let identifier, let name):
                guard let type = SampleCatalog.type(named: identifier) else { return }
                let choices = UnitChoice.alternatives(base: type.unit)
                let next = ((choices.firstIndex { $0 == units[type.number] } ?? 0) + 1) % choices.count
                units[type.number] = choices.first { $0.name == name } ?? choices[next]
            default: break
            }
        }

        /// The zone at export: home, unless this dump was made elsewhere.
        func offset(_ plan: DumpPlan, at exportDate: Int) -> Int {
            for case .offset(let seconds) in plan.changes { return seconds }
            return HomeZone.offsetSeconds(at: exportDate)
        }
    }
}
