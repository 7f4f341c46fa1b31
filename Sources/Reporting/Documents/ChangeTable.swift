internal import Presentation

/// The table of what appeared, is no longer visible and changed its representation, by type.
struct ChangeTable {
    private let sizes: [String]
    private var rows: [(counts: [String], labels: String, reasons: String, link: Document.Link?)] = []
    private var unchanged = 0

    /// - Parameter sizes: the titles of the columns with the sizes of states.
    init(sizes: [String]) { self.sizes = sizes }

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
            (
                [label] + sizes.map { Counts.grouped($0) } + [
                    Wording.cell(appeared), Wording.gone(disappeared, explained: explained), Wording.cell(changed),
                ], labels,
                Wording.reasons(matchRules, fields, changed: changed), link
            ))
    }

    func append(to document: inout Document) {
        let hasLabels = rows.contains { !$0.labels.isEmpty }
        var table = Table(
            [.name("Type")] + sizes.map { .right($0) } + [
                .right("Appeared"), .right("No longer visible"), .right("Changed"),
            ] + (hasLabels ? [.exact("Labels", leftOut: 1)] : []) + [.words("How and in what", leftOut: 2)])
        for row in rows {
            table.addRow(row.counts + (hasLabels ? [row.labels] : []) + [row.reasons], links: [0: row.link])
        }
        if !rows.isEmpty { document.append(.table(table)) }
        if unchanged > 0 { document.paragraph("\(Counts.of(unchanged, "type")) unchanged.", .remark) }
    }
}
