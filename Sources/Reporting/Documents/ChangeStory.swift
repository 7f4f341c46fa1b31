package import Presentation
package import Questions
package import Store

/// What became of the records between exports, in the words of home, imports and comparisons.
package struct ChangeStory: Sendable {
    package enum Kind: Sendable {
        case merged, unexplained, notAnalysed, looksDifferent, added
    }

    /// The records of one fate.
    package struct Part: Sendable {
        package var kind: Kind
        package var count: Int64
        /// What is said of the number: `records were merged`.
        package var name: String
        /// What that means.
        package var meaning: String
        /// Number, name and meaning.
        package var sentence: String
    }

    private let found: ConsolidationStory
    private let appeared: Int64
    private let disappeared: Int64
    private let representationChanged: Int64

    /// - Parameter found: what the kept analyses of the same observations say.
    package init(_ found: ConsolidationStory, appeared: Int64, disappeared: Int64, representationChanged: Int64) {
        (self.found, self.appeared, self.disappeared) = (found, appeared, disappeared)
        self.representationChanged = representationChanged
    }

    /// - Parameter verdicts: nil where the comparison was not analysed.
    package init(_ diff: DiffSummary, _ verdicts: [ConsolidationVerdict]?) {
        var found = ConsolidationStory()
        for verdict in verdicts ?? [] {
            found.merged += verdict.explained
            found.unexplained += verdict.unexplained
            found.replacements += verdict.replacements
            found.groups += verdict.groups
            found.completeGroups += verdict.completeGroups
        }
        self.init(
            found, appeared: diff.sum(\.appeared), disappeared: diff.sum(\.disappeared),
            representationChanged: diff.sum(\.representationChanged))
    }

    /// No longer visible, in comparisons without an analysis that still holds.
    package var notAnalysed: Int64 { max(0, disappeared - found.merged - found.unexplained) }

    /// What there is to say; nothing where nothing changed.
    ///
    /// - Parameter day: of the export that all is since.
    package func parts(since day: String) -> [Part] {
        func part(
            _ kind: Kind, _ count: Int64, _ one: String, _ many: String, _ meaning: String, isNewSentence: Bool = true
        ) -> Part? {
            guard count > 0 else { return nil }
            let name = count == 1 ? one : many
            return Part(
                kind: kind, count: count, name: name, meaning: meaning,
                sentence: "\(Counts.grouped(count)) \(name)\(isNewSentence ? "." : "") \(meaning)")
        }
        let originals =
            found.completeGroups == found.groups
            ? "All originals are here."
            : "The originals of \(Counts.grouped(found.completeGroups)) of \(Counts.of(found.groups, "group")) are all here."
        return [
            part(
                .merged, found.merged, "record was merged", "records were merged",
                "into \(Counts.grouped(found.replacements)). \(originals)", isNewSentence: false),
            part(
                .unexplained, found.unexplained, "is no longer visible", "are no longer visible",
                "No replacement was found. Cause not inferred."),
            part(
                .notAnalysed, notAnalysed, "is no longer visible, not analysed yet",
                "are no longer visible, not analysed yet", "An analysis tells which of them were merged."),
            part(
                .looksDifferent, representationChanged, "only looks different", "only look different",
                "The same records under another name, in another unit or with another date."),
            part(
                .added, appeared, "was added", "were added", "since the export of \(day).",
                isNewSentence: false),
        ].compactMap(\.self)
    }

    /// The sentences under a heading.
    package func document(since day: String) -> Document {
        let parts = parts(since: day)
        guard !parts.isEmpty else {
            return Document([.paragraph("Nothing changed since the export of \(day).", .apart)])
        }
        return Document([
            .heading("What Health did since the export of \(day)"), .list(parts.map { .init($0.sentence) }),
        ])
    }

    /// What became of the records between an observation and the one before it; empty for the first.
    ///
    /// - Complexity: one row for each type.
    package static func document(
        _ db: ArchiveDatabase, _ chain: Chain, of observation: Observation, _ zone: DisplayZone
    ) throws -> Document {
        guard let (story, before) = try read(db, chain, of: observation) else { return Document() }
        return story.document(since: zone.day(before.observedAt))
    }

    /// The same, and the observation before it; nil for the first.
    package static func read(
        _ db: ArchiveDatabase, _ chain: Chain, of observation: Observation
    ) throws -> (story: ChangeStory, before: Observation)? {
        guard let before = chain.previous(of: observation) else { return nil }
        let runs = try ObservationReport.types(db, observation.id)
        func sum(_ count: (ObservationReport.TypeRun) -> Int64) -> Int64 { runs.reduce(0) { $0 + count($1) } }
        let story = ChangeStory(
            try ConsolidationStory.read(db, chain, of: observation), appeared: sum(\.appeared),
            disappeared: sum(\.disappeared), representationChanged: sum(\.representationChanged))
        return (story, before)
    }
}
