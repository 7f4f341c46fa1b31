internal import Basics
internal import Caching
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The records in which two observations differ, page by page.
struct ChangesPage: SitePage {
    let visit: Visit
    private let question: ConsolidationQuestion
    private let source: SourceFilter?
    private let kinds: Set<DiffChange.Kind>
    private let part: ListPart

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
        let rows = try RecordReader(visit.db)
        let list = try list
        return try (list.changes(from: part.after, limit).map { try row($0, rows) }, list.total)
    }

    /// All changes of the kinds asked for, by the ids of their rows; compared once for all pages of the list.
    private var list: ChangeList {
        get throws {
            let parts =
                [try ArchiveStamp.read(visit.db, hasKey: true), "\(question.from.id)", "\(question.to.id)"]
                + ["\(question.through)", visit.address[.source] ?? ""] + visit.address.list(.type).sorted()
                + kinds.map(\.rawValue).sorted() + ArchiveStamp.files(ofDatabase: visit.reader.path).map { $0 ?? "" }
            return try visit.site.changeLists.list(parts, besideArchive: visit.reader.path) { add in
                try withoutActuallyEscaping(add) { add in
                    _ = try Diff.run(
                        visit.db, chain: visit.chain, from: question.from, to: question.to, through: question.through,
                        types: question.types, source: source
                    ) { if kinds.contains($0.kind) { try add($0) } }
                }
            }
        }
    }

    private func row(_ change: DiffChange, _ rows: RecordReader) throws -> RecordChange {
        guard let row = try RecordChange(change, of: kinds, rows) else { throw HealthProbeError.unreadableValue }
        return row
    }

    func content() throws -> PageContent {
        let page = try changes(part.limit ?? visit.pageSize)
        var document = question.document(visit.zone)
        document.append(
            .paragraph(place(of: page.changes.count, page.total)), .paragraph(Self.legend, .remark))
        let blocks = shown(page.changes)
        let kinds = [("All", nil)] + DiffChange.Kind.allCases.map { (Self.name($0), Optional($0)) }
        let links = kinds.map { name, kind in
            (name: name, address: visit.address.with(.change, kind?.rawValue).with(.after, nil))
        }
        return PageContent(
            "Records that differ between \(try visit.sidesTitle)",
            try visit.comparisonHead() + [Steps.links(links)] + visit.html(document) + blocks.joined() + [
                Steps.pages(visit, next: next(after: blocks.count, of: page.total))
            ])
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
            return .stream(form, named: "changes") { write in
                try withoutActuallyEscaping(write) { write in
                    try archive().read { db in
                        let rows = try RecordReader(db)
                        _ = try Diff.run(
                            db, chain: chain, from: question.from, to: question.to, through: question.through,
                            types: question.types, source: source
                        ) { change in
                            guard let change = try RecordChange(change, of: kinds, rows) else { return }
                            try write(Array((change.json.line + "\n").utf8))
                        }
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
