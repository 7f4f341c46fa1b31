/// What a step did to the samples of one type on one day: the part of the truth that a comparison of before and after
/// cannot tell.
struct StepNotes {
    /// A replacement and its samples.
    struct Group {
        let basis: String
        let workout: UniqueIdentifier
        let replacement: UInt64
        let constituents: [UInt64]
        let declaredCount: Int?
        /// True if only some of the samples of the replacement are deleted in this step.
        var isPartial = false
    }

    /// What looks like a consolidation and is none.
    struct Decoy {
        let kind: String
        let removed: [UInt64]
        let added: [UInt64]
    }

    /// The replacement of a group at the end of the step: where it was replaced in turn in the same step, no
    /// dump shows the group's own one.
    func lastReplacement(of group: Group) -> UInt64? {
        var id = group.replacement
        for _ in groups {
            guard let next = groups.first(where: { $0.constituents.contains(id) }) else { return id }
            id = next.replacement
        }
        return nil
    }

    /// Why a sample is gone or new, by id.
    var causes: [UInt64: String] = [:]
    var groups: [Group] = []
    var decoys: [Decoy] = []
    /// A revised value's new id by its old one.
    var revisions: [(before: UInt64, after: UInt64)] = []
}
