internal import Basics
package import GRDB
package import HealthModel
package import Store

/// One page of the rows visible at an observation.
///
/// The order is sample type identifier, start (absent first), end (absent first), identity, version, ordinal. Types
/// are read one after the other, each along the index `record_versions_timeline`, from the place where the last page ended:
/// page 10,000 costs what page 1 costs.
package struct RecordPage: Sendable {
    /// What to list.
    package struct Question: Sendable {
        /// Which types; nil for all.
        package var types: TypeFilter?
        /// Only records that end at or after this instant (Unix seconds); one without an end counts with its start.
        package var since: Int64?
        /// Only records that start before this instant (Unix seconds).
        package var until: Int64?
        /// Only records of these sources; nil for all.
        package var source: SourceFilter?
        package var limit = 100
        /// Where the page before ended.
        package var after: PageCursor?

        package init() {}

        /// The interval, where it is bounded on both sides.
        package var interval: ClosedRange<Int64>? {
            guard let since, let until, since <= until else { return nil }
            return since...until
        }
    }

    package var records: [RecordRow]
    /// Where to go on; nil behind the last record.
    package var next: PageCursor?

    /// Reads one page.
    ///
    /// A record belongs to an interval when it overlaps it: it starts before `until` and ends at or after `since`.
    /// Records without a start belong to no interval.
    /// - Complexity: O(limit) along the index; rows that are not visible, or not of the source, are stepped over, and
    ///   so are, on the first page, those of a type that start before `since`.
    package static func read(
        _ db: Database, chain: Chain, at observation: Observation, _ question: Question
    ) throws -> RecordPage {
        try read(db, of: .visible(chain, at: observation), question)
    }

    /// Reads one page of a set of rows.
    package static func read(_ db: Database, of set: RecordSet, _ question: Question) throws -> RecordPage {
        // One more than asked for shows whether there is a next page.
        let most = max(1, question.limit) + 1
        var set = set.filtered(since: question.since, until: question.until)
        if let source = question.source { set = try set.ofSources(db, source) }
        let reader = try RecordReader(db)
        var records: [RecordRow] = []
        var types = try SampleTypeNames.sorted(db).filter { question.types?.matches($0.identifier) ?? true }
        if let after = question.after {
            types.removeAll { $0.identifier.utf8.lexicographicallyPrecedes(after.type.utf8) }
        }
        for type in types where records.count < most {
            let after = question.after.flatMap { $0.type.hasBytes(of: type.identifier) ? $0 : nil }
            let rows = try VersionCursor.page(
                db, of: set, type: type.id, behind: after, limit: most - records.count)
            while try rows.next() { records.append(try reader.record(rows)) }
        }
        let hasMore = records.count == most
        if hasMore { records.removeLast() }
        return RecordPage(records: records, next: hasMore ? records.last.map(PageCursor.init) : nil)
    }

    /// The archive's sample types in byte order of their identifiers.
    package static func typeIdentifiers(_ db: Database) throws -> [String] {
        try SampleTypeNames.sorted(db).map(\.identifier)
    }
}
