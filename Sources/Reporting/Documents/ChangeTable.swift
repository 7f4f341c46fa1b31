internal import Presentation

/// The table of what appeared, is no longer visible and changed its representation, by type.
struct ChangeTable {
    private let sizes: [String]
    private struct Row {
        let counts: [String]
        let labels: String
        let reasons: String
        let link: Document.Link?
        /// How many records are no longer visible or changed, and how many appeared.
        let (changes, appeared): (Int64, Int64)
    }

    private var rows: [Row] = []
    private var unchanged = 0
    /// Whether the types come in the order of their changes, and those with new records alone behind them.
    private let isSorted: Bool

    /// - Parameter sizes: the titles of the columns with the sizes of states.
    init(sizes: [String], isSorted: Bool = false) { (self.sizes, self.isSorted) = (sizes, isSorted) }

    /// Adds a type; one without a change is counted, unless it is to be shown.
    mutating func add(
        _ label: String, sizes: [Int64], appeared: Int64, disappeared: Int64, changed: Int64,
        matchRules: [(String, Int64)], fields: [(String, Int64)], labels: String = "", explained: Int64? = nil,
        isAlwaysShown: Bool = false, link: Document.Link? = nil
    ) {
        guard appeared + disappeared + changed > 0 || isAlwaysShown else {
            unchanged += 1
            return
        }
        rows.append(
            Row(
                counts: [label] + sizes.map { Counts.grouped($0) } + [
                    Wording.cell(appeared), Wording.gone(disappeared, explained: explained), Wording.cell(changed),
                ], labels: labels, reasons: Wording.reasons(matchRules, fields, changed: changed), link: link,
                changes: disappeared + changed, appeared: appeared))
    }

    func append(to document: inout Document) {
        guard isSorted else { return append(rows, to: &document) }
        let ordered = rows.enumerated().sorted {
            ($1.element.changes, $1.element.appeared, $0.offset) < ($0.element.changes, $0.element.appeared, $1.offset)
        }.map(\.element)
        let changed = ordered.filter { $0.changes > 0 || !$0.labels.isEmpty }
        guard !changed.isEmpty else { return append(ordered, to: &document) }
        document.append(.table(table(changed)))
        let new = ordered.filter { $0.changes == 0 && $0.labels.isEmpty }
        if !new.isEmpty {
            document.append(.folded("\(Counts.of(new.count, "type")) with new records only", [.table(table(new))]))
        }
        noteUnchanged(&document)
    }

    private func append(_ rows: [Row], to document: inout Document) {
        if !rows.isEmpty { document.append(.table(table(rows))) }
        noteUnchanged(&document)
    }

    private func noteUnchanged(_ document: inout Document) {
        if unchanged > 0 { document.paragraph("\(Counts.of(unchanged, "type")) unchanged.", .remark) }
    }

    private func table(_ rows: [Row]) -> Table {
        let hasLabels = rows.contains { !$0.labels.isEmpty }
        var table = Table(
            [.name("Type")] + sizes.map { .right($0) } + [
                .right("Appeared"), .right("No longer visible"), .right("Changed"),
            ] + (hasLabels ? [.exact("Labels", leftOut: 1)] : []) + [.words("How and in what", leftOut: 2)])
        for row in rows {
            table.addRow(row.counts + (hasLabels ? [row.labels] : []) + [row.reasons], links: [0: row.link])
        }
        return table
    }
}
