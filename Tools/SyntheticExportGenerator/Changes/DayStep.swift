/// Applies the changes of one step (the time between two dumps) to the samples of one type on one day.
///
/// Every decision is a hash of the seed, the purpose, the step and the sample: no list of deleted records exists anywhere.
struct DayStep {
    let phone: SimulatedPhone
    let dump: Dump
    let type: SampleType
    let day: Int
    var samples: [Sample]
    var notes = StepNotes()

    /// Applies one change.
    mutating func apply(_ change: Change) {
        switch change {
        case .delete(let name, let share):
            if concerns(name) { delete(share) }
        case .condense(let share, let marked): condense(share: share, marked: marked)
        case .condenseLagging(let share): condense(share: share, marked: true, isLagging: true)
        case .finishCondensing: finishCondensing()
        case .recondense(let share): recondense(share: share)
        case .coalesce(let share): coalesce(share: share)
        case .restore: restore()
        case .duplicate(let name, let share):
            if concerns(name) { duplicate(share) }
        case .revise(let days): revise(days: days)
        case .rewrite(let share): rewrite(share)
        case .decoyDelete(let share): decoyDelete(share)
        case .decoySource(let share): decoyReplace(share, otherSource: true)
        case .decoyTotal(let share): decoyReplace(share, otherSource: false)
        case .decoyCategory(let share): decoyCategory(share)
        case .rename, .unit, .locale, .offset, .sleepSynonym, .deviceText: break
        }
    }

    /// Whether the change can touch samples of the type at all.
    static func canTouch(_ type: SampleType, _ change: Change) -> Bool {
        switch change {
        case .delete(let name, _), .duplicate(let name, _): Self.concerns(type, name)
        case .condense, .condenseLagging, .finishCondensing, .recondense, .coalesce, .decoyDelete, .decoySource,
            .decoyTotal:
            type.isCondensable
        case .decoyCategory: type.identifier.hasSuffix("SleepAnalysis")
        case .restore: type.isStored
        case .revise: type.isDaily
        case .rewrite: type.metadata == .sync
        case .rename, .unit, .locale, .offset, .sleepSynonym, .deviceText: false
        }
    }

    /// Whether the change makes samples again, so that they are listed after the older ones.
    static func recreates(_ type: SampleType, _ change: Change) -> Bool {
        switch change {
        case .delete, .duplicate, .decoyDelete, .finishCondensing: false
        default: canTouch(type, change)
        }
    }

    private static func concerns(_ type: SampleType, _ name: String?) -> Bool {
        guard let name else { return type.isStored }
        return name == type.identifier || SampleCatalog.type(named: name)?.group == type.group
    }

    private func concerns(_ name: String?) -> Bool { Self.concerns(type, name) }

    /// A number in `0 ..< 1` that belongs to a sample and a purpose in this step. The types of a group share it.
    func chance(_ purpose: String, _ sample: Sample) -> Double {
        let salt = Hashing.salt(purpose) ^ type.salt ^ UInt64(dump.number) &* 0x1_0001
        return Hashing.unit(Hashing.combine(phone.seed, salt, sample.id))
    }

    /// A number in `0 ..< 1` that belongs to a workout and a purpose, in this step or in all.
    func chance(_ purpose: String, _ workout: SimulatedWorkout, everyStep: Bool = false) -> Double {
        let step = everyStep ? 0 : UInt64(dump.number) &* 0x1_0001
        return Hashing.unit(Hashing.combine(phone.seed, Hashing.salt(purpose) ^ step, workout.hash))
    }

    /// The id of what this step makes of a sample.
    func derivedId(_ id: UInt64, kind: UInt64) -> UInt64 {
        id & 0x0000_FFFF_FFFF_FFFF | kind << 48 | UInt64(dump.number + 1) << 56
    }

    /// Marks a sample as recomputed in this step.
    func renew(_ sample: inout Sample) {
        sample.creation = dump.changeInstant(day: day)
        sample.epoch = dump.number * 2 + 1
    }
}

extension SampleType {
    /// Whether HealthKit stores samples of the type (summaries and side files are derived).
    var isStored: Bool {
        switch element {
        case .record, .correlation, .workout: identifier != "HKDataTypeSleepDurationGoal"
        default: false
        }
    }

    /// Whether the type has one value for a whole day, which is revised until it is final.
    var isDaily: Bool {
        if case .daily(_, _, _, _, wholeDay: true) = pattern { return true }
        return false
    }
}
