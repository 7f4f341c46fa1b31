internal import Analysis
internal import ArchiveFile
internal import ArchiveReading
internal import ArchiveRows
internal import Caching
internal import Presentation
internal import Reporting
internal import TextFormats

/// The records in which two observations differ, page by page.
struct ChangesPage: SitePage {
    let visit: Visit
    private let question: ConsolidationQuestion
    private let source: SourceFilter?
    private let kinds: Set<DiffChange.Kind>
    private let part: ListPart
    /// Changes that a stream reads from the cache at once.
    private static let streamed = 4096

    var commandWithStatements: String? { get throws { try visit.diffCommand } }

    init(_ visit: Visit) throws {
        self.visit = visit
        question = try visit.comparison
        source = try visit.source
        guard let chosen: [DiffChange.Kind] = try? visit.values(.change) else {
            throw WebError(.usage, "change takes appeared, disappeared and representationChanged.")
        }
        kinds = Set(chosen.isEmpty ? DiffChange.Kind.allCases : chosen)
        part = try ListPart(visit, of: "changes")
    }

    /// Where the next page begins behind so many changes of this one; nil behind the last.
    private func next(after count: Int, of total: Int) -> String? {
        let end = part.after + count
        return end < total ? "\(end)" : nil
    }

    /// One page of changes, and how many there are of the kinds asked for.
    private func changes(_ limit: Int) throws -> (changes: [RecordChange], total: Int) {
        let skipped = part.after
        let rows = try RecordReader(visit.db)
        var changes: [RecordChange] = []
        var total = 0
        if source == nil,
            let cached = visit.site.cache?.changes(
                visit.db, visit.chain, question, kinds: kinds, skipped: skipped, limit: limit)
        {
            return (try cached.changes.compactMap { try RecordChange($0, of: kinds, rows) }, cached.total)
        }
        _ = try Diff.run(
            visit.db, chain: visit.chain, from: question.from, to: question.to, through: question.through,
            types: question.types, source: source
        ) { change in
            guard kinds.contains(change.kind) else { return }
            if total >= skipped, total - skipped < limit, let change = try RecordChange(change, of: kinds, rows) {
                changes.append(change)
            }
            total += 1
        }
        if source == nil { visit.site.cache?.wantChanges(visit.chain, question, count: total) }
        return (changes, total)
    }

    func content() throws -> PageContent {
        let page = try changes(part.limit ?? visit.pageSize)
        var document = question.document(visit.zone)
        document.append(
            .paragraph(place(of: page.changes.count, page.total)), .paragraph(Self.legend, .remark))
        let remark = Self.remark(total: page.total).map { text in
            HTML.element(
                "p", [:], HTML(text), " ",
                .element("a", ["href": visit.twin(.ndjson).text], "All of them as JSON lines"))
        }
        let blocks = shown(page.changes)
        let kinds = [("All", nil)] + DiffChange.Kind.allCases.map { (Self.name($0), Optional($0)) }
        let links = kinds.map { name, kind in
            (name: name, address: visit.address.with(.change, kind?.rawValue).with(.after, nil))
        }
        return PageContent(
            "Records that differ between \(try visit.sidesTitle)",
            try visit.comparisonHead() + [Steps.links(links)] + visit.html(document) + [remark].compactMap(\.self)
                + blocks.joined() + [Steps.pages(visit, next: next(after: blocks.count, of: page.total))])
    }

    /// Whether all differences are asked for.
    private var isWhole: Bool {
        source == nil && question.types == nil && kinds.count == DiffChange.Kind.allCases.count
    }

    /// Where so many changes of a page stand among all that were asked for.
    private func place(of count: Int, _ total: Int) -> String {
        let all = Counts.of(total, "change")
        if count > 0 { return "\(all), from number \(Counts.grouped(part.after + 1)) on." }
        if total > 0 { return "\(all), none of them behind number \(Counts.grouped(part.after))." }
        return isWhole ? "No records differ." : "Of what was asked for, no records differ."
    }

    /// What there is to say of so many changes; nil of fewer.
    static func remark(total: Int) -> String? {
        guard total > PageCache.mostChanges else { return nil }
        return
            "More than \(Counts.grouped(PageCache.mostChanges)) changes are not kept: each page of them is computed anew."
    }

    /// The changes that a page of no chosen length has room for, at least one.
    private func shown(_ changes: [RecordChange]) -> [[HTML]] {
        var shown: [[HTML]] = []
        var left = part.limit == nil ? visit.isSimple ? Self.shortRoom : Self.room : .max
        for change in changes {
            let parts = visit.html(Document(change.blocks(visit.zone)))
            left -= parts.reduce(0) { $0 + $1.text.utf8.count }
            guard left >= 0 || shown.isEmpty else { break }
            shown.append(parts)
        }
        return shown
    }

    /// Bytes of changes on a page; what has no room is on the next one.
    private static let (room, shortRoom) = (200_000, 40_000)

    private static let legend = """
        + appeared; - no longer visible, cause not inferred; ~ changed its representation, with what links the two.
        """

    private static func name(_ kind: DiffChange.Kind) -> String {
        switch kind {
        case .appeared: "Appeared"
        case .disappeared: "No longer visible"
        case .representationChanged: "Changed representation"
        }
    }

    func twin(_ form: Page.Form) throws -> Answer {
        guard form == .json else {
            let (archive, chain, question, source, kinds) = (visit.site.archive, visit.chain, question, source, kinds)
            let cache = isWhole ? visit.site.cache : nil
            return .stream(form, named: "changes") { write in
                try withoutActuallyEscaping(write) { write in
                    try archive().read { db in
                        let rows = try RecordReader(db)
                        var sent = 0
                        while let page = cache?.changes(
                            db, chain, question, kinds: kinds, skipped: sent, limit: Self.streamed)
                        {
                            for change in page.changes {
                                guard let change = try RecordChange(change, of: kinds, rows) else { continue }
                                try write(Array((change.json.line + "\n").utf8))
                            }
                            sent += page.changes.count
                            guard sent < page.total, !page.changes.isEmpty else { return }
                        }
                        // A cache that ends in the middle is no cache; what was sent cannot be taken back.
                        guard sent == 0 else { throw WebError(.internal) }
                        _ = try Diff.run(
                            db, chain: chain, from: question.from, to: question.to, through: question.through,
                            types: question.types, source: source
                        ) { change in
                            guard let change = try RecordChange(change, of: kinds, rows) else { return }
                            sent += 1
                            try write(Array((change.json.line + "\n").utf8))
                        }
                        cache?.wantChanges(chain, question, count: sent)
                    }
                }
            }
        }
        let page = try changes(part.limit ?? 100)
        return visit.listAnswer(
            "changes",
            [
                "from": question.from, "to": question.to, "through": question.through, "total": page.total,
                "changes": page.changes,
            ], next: next(after: page.changes.count, of: page.total))
    }
}
