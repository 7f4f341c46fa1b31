/// The phone's history as each dump shows it: the same pass over the base samples, with the steps applied to each day.
struct History {
    let phone: SimulatedPhone
    let dumps: [Dump]

    /// What a day of a type looks like in a dump and in the one before.
    struct DayState {
        var before: [Sample]
        var after: [Sample]
        var notes = StepNotes()
    }

    func firstDump(showing day: Int) -> Int {
        dumps.firstIndex { day < $0.days } ?? dumps.count
    }

    /// The samples of a type on a day in dump `number` and, for the truth, in the dump before.
    func state(of type: SampleType, day: Int, in number: Int) -> DayState {
        guard phone.canHaveSamples(type, day: day) else { return DayState(before: [], after: []) }
        let first = firstDump(showing: day)
        var samples = phone.samples(of: type, day: day)
        for index in samples.indices { samples[index].epoch = 2 * first }
        var state = DayState(before: [], after: samples)
        for step in first...number {
            if step == number && step > first { state.before = state.after }
            let changes = dumps[step].changes.filter { DayStep.canTouch(type, $0) }
            guard !changes.isEmpty, !state.after.isEmpty else { continue }
            var dayStep = DayStep(phone: phone, dump: dumps[step], type: type, day: day, samples: state.after)
            for change in changes where step > first || step == 0 || change.isBackgroundWork { dayStep.apply(change) }
            state.after = dayStep.samples
            if step == number { state.notes = dayStep.notes }
        }
        return state
    }

    /// The passes over the days that list a type in the order of creation: first the days that each dump added, after
    /// them what was recomputed before that dump.
    func passes(of type: SampleType, in number: Int) -> [Pass] {
        var result: [Pass] = []
        for step in 0...number {
            result.append(Pass(epoch: 2 * step, days: dumps[step].previousDays..<dumps[step].days))
            if dumps[step].changes.contains(where: { DayStep.recreates(type, $0) }) {
                result.append(Pass(epoch: 2 * step + 1, days: 0..<dumps[step].days))
            }
        }
        return result
    }

    /// One pass over days, printing the samples of one epoch.
    struct Pass {
        let epoch: Int
        let days: Range<Int>
        /// Every day is in exactly one base pass.
        var isBase: Bool { epoch % 2 == 0 }
    }
}

extension Change {
    /// Whether HealthKit does it by itself, to days that no dump showed yet as well.
    var isBackgroundWork: Bool {
        switch self {
        case .condense, .condenseLagging, .finishCondensing, .recondense, .coalesce, .restore: true
        default: false
        }
    }
}
