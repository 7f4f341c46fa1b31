internal import Presentation

/// The table of what appeared, is no longer visible and changed its representation, by type.
struct ChangeTable {
    /// The counts of one row.
    struct Counted {
        var appeared: Int64
        var disappeared: Int64
        var changed: Int64

        var isEmpty: Bool { appeared == 0 && disappeared == 0 && changed == 0 }
    }

    private var table: TextTable

    /// - Parameter sizes: the titles of the columns with the sizes of states.
    init(sizes: [String], indent: Int) {
        table = TextTable(
            [.name("Type")] + sizes.map { .right($0) } + [
                .right("Appeared"), .right("No longer visible"), .right("Changed"),
                .left("How and in what", leftOut: 1),
            ], indent: indent)
    }

    mutating func add(_ type: String, sizes: [Int64], _ counts: Counted, reasons: String) {
        func cell(_ count: Int64) -> String { count == 0 ? "·" : Counts.grouped(count) }
        table.addRow(
            [type] + sizes.map { Counts.grouped($0) } + [
                cell(counts.appeared), cell(counts.disappeared), cell(counts.changed), reasons,
            ])
    }

    func render(_ layout: TextLayout) -> String { table.isEmpty ? "" : layout.render(table) }
}
