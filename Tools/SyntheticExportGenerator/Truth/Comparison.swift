/// Compares a day of a type in two successive dumps: counts what became of it and writes the truth.
///
/// Samples are the same if they have the same id; nothing is inferred from what they look like.
final class Comparison {
    private let before: DumpRenderer?
    private let after: DumpRenderer
    private let truth: TruthWriter?
    /// Counts by type identifier.
    private(set) var types: [String: DumpSummary.TypeCounts] = [:]
    private(set) var groups: [String: DumpSummary.GroupCounts] = [:]
    private(set) var decoys: [String: Int] = [:]

    /// A comparison with the dump before, if there was one.
    init(before: DumpRenderer?, after: DumpRenderer, truth: TruthWriter?) {
        self.before = before
        self.after = after
        self.truth = truth
    }

    func add(_ state: History.DayState, _ type: SampleType) throws {
        guard let before, before.dump.version.number >= type.since else {
            for sample in state.after {
                count(sample, type, after.dump) {
                    $0.after += 1
                    if self.before != nil { $0.appeared["exportVersion", default: 0] += 1 }
                }
            }
            return
        }
        let old = Dictionary(uniqueKeysWithValues: state.before.map { ($0.id, $0) })
        let new = Dictionary(uniqueKeysWithValues: state.after.map { ($0.id, $0) })
        for sample in state.before where new[sample.id] == nil {
            try disappeared(sample, type, cause: state.notes.causes[sample.id] ?? "unknown", from: before)
        }
        for sample in state.after {
            if let former = old[sample.id] {
                try kept(former, sample, type, before)
            } else {
                try appeared(sample, type, cause: state.notes.causes[sample.id] ?? "newDays")
            }
        }
        try addNotes(state.notes, type, old: old, new: new, before)
    }

    private func addNotes(
        _ notes: StepNotes, _ type: SampleType, old: [UInt64: Sample], new: [UInt64: Sample], _ before: DumpRenderer
    ) throws {
        for group in notes.groups {
            guard let id = notes.lastReplacement(of: group), let replacement = new[id] else { continue }
            let constituents = group.constituents.compactMap { old[$0] }
            groups[group.basis, default: .init()].groups += 1
            groups[group.basis, default: .init()].constituents += constituents.count
            groups[group.basis, default: .init()].neverSeen += group.constituents.count - constituents.count
            try truth?.group(
                group, type, replacement: (replacement, after), constituents: constituents.map { ($0, before) })
        }
        for decoy in notes.decoys {
            decoys[decoy.kind, default: 0] += 1
            try truth?.decoy(
                decoy, type, removed: decoy.removed.compactMap { old[$0] }.map { ($0, before) },
                added: decoy.added.compactMap { new[$0] }.map { ($0, after) })
        }
        for revision in notes.revisions {
            guard let first = old[revision.before], let second = new[revision.after] else { continue }
            try truth?.revision(type, before: (first, before), after: (second, after))
        }
    }

    private func appeared(_ sample: Sample, _ type: SampleType, cause: String) throws {
        count(sample, type, after.dump) {
            $0.after += 1
            $0.appeared[cause, default: 0] += 1
        }
        guard cause != "newDays" else { return }
        try truth?.record("appeared", cause: cause, type, before: nil, after: (sample, after))
    }

    private func disappeared(_ sample: Sample, _ type: SampleType, cause: String, from before: DumpRenderer) throws {
        count(sample, type, before.dump) {
            $0.before += 1
            $0.disappeared[cause, default: 0] += 1
        }
        try truth?.record("disappeared", cause: cause, type, before: (sample, before), after: nil)
    }

    private func kept(_ old: Sample, _ new: Sample, _ type: SampleType, _ before: DumpRenderer) throws {
        let causes = RepresentationCauses.causes(
            old, new, type, phone: after.phone, before: before.dump, after: after.dump)
        types[type.identifier, default: .init()].before += 1
        types[type.identifier, default: .init()].after += 1
        if type.element == .workout { keptInside(new, type, causes, before) }
        guard !causes.isEmpty else { return }
        let text = causes.joined(separator: "+")
        types[type.identifier, default: .init()].representationChanged[text, default: 0] += 1
        try truth?.record("representationChanged", cause: text, type, before: (old, before), after: (new, after))
    }

    /// Counts the items inside a workout that both dumps hold; a newer export version can print more of them.
    private func keptInside(_ sample: Sample, _ type: SampleType, _ causes: [String], _ before: DumpRenderer) {
        let former = Set(RepresentationCauses.innerItems(sample, phone: after.phone, dump: before.dump))
        let shared = causes.filter { $0 != "unitConversion" && $0 != "exportVersion" }
        // From version 11 on a route's points are in a file of their own.
        let isMoved = (before.dump.version.number < 11) != (after.dump.version.number < 11)
        for identifier in RepresentationCauses.innerItems(sample, phone: after.phone, dump: after.dump) {
            types[identifier, default: .init()].after += 1
            guard former.contains(identifier) else {
                types[identifier, default: .init()].appeared["exportVersion", default: 0] += 1
                continue
            }
            types[identifier, default: .init()].before += 1
            let isRoute = identifier == "HKWorkoutRouteTypeIdentifier"
            let text = (shared + (isMoved && isRoute ? ["exportVersion"] : [])).joined(separator: "+")
            guard !text.isEmpty else { continue }
            types[identifier, default: .init()].representationChanged[text, default: 0] += 1
        }
    }

    /// Counts a sample, and with a workout the items inside it.
    private func count(
        _ sample: Sample, _ type: SampleType, _ dump: Dump, _ update: (inout DumpSummary.TypeCounts) -> Void
    ) {
        update(&types[type.identifier, default: .init()])
        guard type.element == .workout else { return }
        for identifier in RepresentationCauses.innerItems(sample, phone: after.phone, dump: dump) {
            update(&types[identifier, default: .init()])
        }
    }
}
