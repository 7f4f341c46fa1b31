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

    /// Applies one change that can touch the type.
    mutating func apply(_ change: Change) {
        switch change {
        case .delete(_, let share): delete(share)
        case .condense(let share, let marked): condense(share: share, marked: marked)
        case .condenseLagging(let share): condense(share: share, marked: true, isLagging: true)
        case .finishCondensing: finishCondensing()
        case .recondense(let share): recondense(share: share)
        case .coalesce(let share): coalesce(share: share)
        case .restore: restore()
        case .duplicate(_, let share): duplicate(share)
        case .revise(let days): revise(days: days)
        case .rewrite(let share): rewrite(share)
        case .decoyDelete(let share): decoyDelete(share)
        case .decoySource(let share): decoyReplace(share, otherSource: true)
        case .decoyTotal(let share): decoyReplace(share, otherSource: false)
        case .decoyCategory(let share): decoyCategory(share)
        case .rename, .unit, .locale, .offset, .sleepSynonym, .deviceText: break
        }
    }

    static func canTouch(_ type: SampleType, _ change: Change) -> Bool {
        switch change {
        case .delete(let name, _), .duplicate(let name, _): Self.concerns(type, name)
        case .condense, .condenseLagging, .finishCondensing, .recondense, .coalesce, .decoyDelete, .decoySource,
            .decoyTotal:
            type.isCondensable
        case .decoyCategory: type.isSleep
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

    /// The id of what this step makes of a sample; where a sample of the day has that already, the next free one.
    ///
    /// - Parameter kind: below 16.
    func derivedId(_ id: UInt64, kind: UInt64, besides taken: Set<UInt64>) -> UInt64 {
        var derived = id & 0x0000_FFFF_FFFF_FFFF | kind << 48 | UInt64(dump.number + 1) << 56
        while taken.contains(derived) { derived += 16 << 48 }
        return derived
    }

    var ids: Set<UInt64> { Set(samples.map(\.id)) }

    /// The samples of a workout as they were recorded, in order of time.
    func members(of workout: SimulatedWorkout) -> [Sample] {
        samples.filter { $0.workout == workout.number && $0.series == nil && !$0.isFrozen }.byStart
    }

    /// What this step makes of several samples: it has the beginning of the first and the latest end; nil for none.
    func merged(_ members: [Sample], kind: UInt64) -> Sample? {
        guard var result = members.first else { return nil }
        result.id = derivedId(result.id, kind: kind, besides: ids)
        result.end = members.reduce(result.end) { max($0, $1.end) }
        renew(&result)
        return result
    }

    mutating func put(_ result: Sample, inPlaceOf ids: [UInt64], cause: String) {
        remove(ids, cause: cause)
        notes.causes[result.id] = cause
        samples.append(result)
    }

    /// Marks a sample as recomputed in this step.
    func renew(_ sample: inout Sample) {
        sample.creation = dump.changeInstant(day: day)
        sample.epoch = dump.number * 2 + 1
    }
}

extension [Sample] {
    var byStart: [Sample] { sorted { ($0.start, $0.id) < ($1.start, $1.id) } }
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
