internal import HealthModel
internal import Presentation

/// The table of what appeared, is no longer visible and changed its representation, by type.
struct ChangeTable {
    private var table: Table
    private var unchanged = 0

    /// - Parameter sizes: the titles of the columns with the sizes of states.
    init(sizes: [String]) {
        table = Table(
            [.name("Type")] + sizes.map { .right($0) } + [
                .right("Appeared"), .right("No longer visible"), .right("Changed"),
                .words("How and in what", leftOut: 1),
            ])
    }

    /// Adds a type; one without a change is counted, unless it is to be shown.
    mutating func add(
        _ label: String, sizes: [Int64], appeared: Int64, disappeared: Int64, changed: Int64,
        matchRules: [(String, Int64)], fields: [(String, Int64)], isAlwaysShown: Bool = false,
        link: Document.Link? = nil
    ) {
        guard appeared + disappeared + changed > 0 || isAlwaysShown else {
            unchanged += 1
            return
        }
        table.addRow(
            [label] + sizes.map { Counts.grouped($0) } + [appeared, disappeared, changed].map(Wording.cell)
                + [Wording.reasons(matchRules, fields, changed: changed)], links: [0: link])
    }

    func append(to document: inout Document) {
        if !table.rows.isEmpty { document.append(.table(table)) }
        if unchanged > 0 { document.paragraph("\(Counts.of(unchanged, "type")) unchanged.", .remark) }
    }
}
