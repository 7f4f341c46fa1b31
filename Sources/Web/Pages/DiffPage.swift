internal import Presentation
internal import Questions
internal import Reporting
internal import Store

extension Visit {
    /// The question of a page that compares two observations.
    var comparison: ConsolidationQuestion {
        get throws {
            let sides = try sides
            return ConsolidationQuestion(from: sides.from, to: sides.to, through: isThrough, types: types)
        }
    }

    /// The pages about the same comparison, and the choice of another one.
    func comparisonHead() throws -> [HTML] {
        let pages: [(String, Page)] = [
            ("Summary", .diff), ("Records", .changes), ("Consolidation", .consolidation),
            ("Groups", .groups), ("Impact", .impact), ("Report to send", .report),
        ]
        let links = pages.filter { $0.1 != address.page }.map { name, page in
            (name: name, address: address.to(page).with(.after, nil).with(.limit, nil))
        }
        let sides = try sides
        let observations = Form.observations(self)
        let form = Form.html(
            self, Address(address.page), keeping: [.type], button: "Compare",
            [
                Form.choice(Parameter.from, "From", observations, chosen: "\(sides.from.id)"),
                Form.choice(Parameter.to, "to", observations, chosen: "\(sides.to.id)"),
                Form.check(Parameter.through, "With all between", isOn: isThrough),
            ])
        return [Steps.links(links), form]
    }

    /// `observations 2 and 3`, for titles.
    var sidesTitle: String {
        get throws {
            let sides = try sides
            return "observations \(sides.from.id) and \(sides.to.id)"
        }
    }
}

/// What differs between two observations, by type.
struct DiffPage: SitePage {
    let visit: Visit

    /// The comparison, and what is explained of it; nothing is where one source alone is asked for.
    private func read() throws -> (diff: DiffSummary, verdicts: [ConsolidationVerdict]?) {
        let question = try visit.comparison
        guard let source = try visit.source else {
            let found = try LabelledDiff.readWithVerdicts(visit.db, chain: visit.chain, question)
            return (found.diff, found.verdicts)
        }
        let diff = try Diff.run(
            visit.db, chain: visit.chain, from: question.from, to: question.to, through: question.through,
            types: question.types, source: source, forEach: nil)
        return (diff, nil)
    }

    /// What the import of the later of two neighbours stored of their comparison.
    func knownPart() throws -> [HTML] {
        let question = try visit.comparison
        guard try visit.source == nil, !question.through, question.types == nil,
            let diff = try StoredDiff.read(visit.db, visit.chain, at: question.to, days: [:]),
            diff.from.id == question.from.id
        else { return [] }
        return visit.html(diff.document(visit.zone))
    }

    func content() throws -> PageContent {
        let (diff, verdicts) = try read()
        var parts = try visit.comparisonHead()
        if let verdicts, !diff.isEmpty {
            let sentences = ConsolidationVerdict.sentences(verdicts, in: diff.to.id)
            parts += visit.html(Document(sentences.map { .paragraph($0) }))
        }
        let drawn = visit.html(Document([.charts(visit.isSimple ? [] : diff.charts(mostDays: 3))]))
        let explained = verdicts.map { Dictionary($0.map { ($0.type, $0.explained) }) { first, _ in first } }
        let document = diff.document(
            visit.zone, mostDays: visit.isSimple ? 25 : .max, explained: explained, isSorted: true)
        return PageContent("Comparison of \(try visit.sidesTitle)", parts + drawn + visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try read().diff.json) }
}
