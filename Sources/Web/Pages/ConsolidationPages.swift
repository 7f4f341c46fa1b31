internal import Basics
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// Which records that are no longer visible were consolidated, by type.
struct ConsolidationPage: SitePage {
    let visit: Visit

    func content() throws -> PageContent {
        let answer = try Consolidation.answer(visit.db, chain: visit.chain, visit.comparison)
        defer { answer.close() }
        var document = answer.document(try answer.printedUnits(), visit.zone)
        if !visit.isSimple { document.append(.charts(answer.charts)) }
        let site = visit.site
        let canKeep = site.jobs != nil && !site.isReadOnly && site.isArchiveWritable
        let offered = !answer.wasStored && visit.types == nil && canKeep
        return PageContent(
            "Consolidation between \(try visit.sidesTitle)",
            try visit.comparisonHead() + (offered ? [analyseForm(visit.comparison)] : []) + visit.html(document))
    }

    /// Keeps the analysis in the archive, so that later pages need not compute it.
    private func analyseForm(_ question: ConsolidationQuestion) -> HTML {
        let fields =
            [("kind", Job.Kind.analyse.rawValue), ("from", "\(question.from.id)"), ("to", "\(question.to.id)")]
            + (question.through ? [("through", "1")] : [])
        return .element(
            "form", ["method": "post", "action": "/jobs"],
            fields.map { Form.hidden($0.0, $0.1) } + [
                .element("span", [:], "This was computed for this page and is not kept."),
                .element("button", [:], "Analyse and keep it"),
            ])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let answer = try Consolidation.answer(visit.db, chain: visit.chain, visit.comparison)
        defer { answer.close() }
        return .json(answer.line)
    }
}

/// The groups of a consolidation: replacements, and the records that they stand for.
struct GroupsPage: SitePage {
    let visit: Visit
    private let part: ListPart

    init(_ visit: Visit) throws {
        self.visit = visit
        part = try ListPart(visit, of: "groups")
    }

    /// Constituents shown of a group.
    private var mostListed: Int { visit.isSimple ? 5 : 20 }

    /// Calls `body` with the groups of the page.
    /// - Returns: where the next page begins; nil behind the last group.
    private func forEachGroup(
        of answer: ConsolidationAnswer, limit: Int, _ body: (ConsolidationGroup) throws -> Void
    ) throws -> String? {
        var count = 0
        try answer.forEachGroup { group in
            if count >= part.after, count - part.after < limit { try body(group) }
            count += 1
        }
        return count - part.after > limit ? "\(part.after + limit)" : nil
    }

    func content() throws -> PageContent {
        let answer = try Consolidation.answer(visit.db, chain: visit.chain, visit.comparison)
        defer { answer.close() }
        var document = answer.question.document(visit.zone)
        let head = document.blocks.count
        let units = try answer.printedUnits()
        let rows = try RecordReader(visit.db)
        let next = try forEachGroup(of: answer, limit: part.limit ?? (visit.isSimple ? 10 : 25)) { group in
            document.append(group.document(try rows.fetch(group.replacements), units, visit.zone).asSection)
            var constituents: [Document.Block] = []
            var left = 0
            try answer.forEachConstituent(of: group) { constituent in
                guard constituents.count < mostListed else { return left += 1 }
                constituents += constituent.document(try rows.fetch(constituent.rowID), visit.zone).blocks
            }
            if left > 0 { constituents.append(.paragraph("And \(Counts.of(left, "record")) more.", .remark)) }
            document.append(constituents)
        }
        if document.blocks.count == head {
            document.paragraph(part.after == 0 ? "No groups were found." : "No groups are that far down the list.")
        }
        return PageContent(
            "Groups of consolidated records between \(try visit.sidesTitle)",
            try visit.comparisonHead() + visit.html(document) + [Steps.pages(visit, next: next)])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let question = try visit.comparison
        guard form == .json else {
            let (archive, chain) = (visit.site.archive, visit.chain)
            return .stream(form, named: "groups") { write in
                try archive().read { db in
                    let answer = try Consolidation.answer(db, chain: chain, question)
                    defer { answer.close() }
                    let rows = try RecordReader(db)
                    try answer.forEachGroup { try $0.writeLine(of: answer, rows, to: write) }
                }
            }
        }
        let answer = try Consolidation.answer(visit.db, chain: visit.chain, question)
        defer { answer.close() }
        let rows = try RecordReader(visit.db)
        var lines: [JSON] = []
        let next = try forEachGroup(of: answer, limit: part.limit ?? 25) { group in
            var line: [UInt8] = []
            try group.writeLine(of: answer, rows) { line += $0 }
            lines.append(.canonical(String(decoding: line.dropLast(), as: UTF8.self)))
        }
        return visit.listAnswer(
            "groups",
            ["from": question.from, "to": question.to, "through": question.through, "groups": lines], next: next)
    }
}

extension Document {
    /// The blocks of a document that is a part of another one.
    fileprivate var asSection: [Block] {
        blocks.map { block in
            if case .title(let title) = block { .heading(title) } else { block }
        }
    }
}
