package import Archive
internal import HealthModel

/// What a Health export is asked to hold, and how it is written.
package struct HealthExportRequest: Sendable {
    /// Which samples.
    package enum Question: Sendable {
        /// What was visible at the observation.
        case visible
        /// Every sample that was ever visible up to the observation, once, in its last representation.
        case ever
        /// What was visible, with every complete consolidation group replaced by its stored constituents.
        case finest
        /// What changed from another observation to this one.
        case changes(from: Observation, kinds: Set<ChangeKind>)
    }

    /// The changes that can be chosen.
    package enum ChangeKind: String, Sendable, CaseIterable {
        case appeared
        case disappeared
        /// In their later representation.
        case representationChanged
        /// What consolidation groups stand for: their constituents as they were last visible.
        case consolidated
        /// What disappeared and belongs to no consolidation group.
        case unexplained
    }

    package var chain: Chain
    package var observation: Observation
    package var question: Question
    /// Full identifiers of sample types; nil for all.
    package var typeIdentifiers: [String]?
    /// Unix seconds; only what overlaps this interval.
    package var since: Int64?
    package var until: Int64?
    /// The offset of all dates, in seconds; nil for the observation's own.
    package var offsetSeconds: Int32?
    /// Whether a whole export with its side files is written instead of the XML alone.
    package var isZip = false
    /// Whether records without a creation date get their start as one.
    package var fillsCreationDates = false
    package var provenance = Provenance.full
    /// What `hashed` and `none` leave out otherwise.
    package var include: [Provenance.Part] = []

    package init(chain: Chain, observation: Observation, question: Question) {
        self.chain = chain
        self.observation = observation
        self.question = question
    }

    /// The types asked for; nil for all.
    var types: TypeFilter? { typeIdentifiers.map { TypeFilter($0, matchesWhenEmpty: false) } }

    /// The observations asked of, the earlier one first.
    var observations: [Observation] {
        if case .changes(let from, _) = question { [from, observation] } else { [observation] }
    }

    /// The ids of the chain's observations up to the one asked of.
    var history: [Int64] { chain.ids(through: observation) }

    /// Whether the whole state of the observation is asked for.
    var isWhole: Bool {
        if case .visible = question { types == nil && since == nil && until == nil } else { false }
    }
}
