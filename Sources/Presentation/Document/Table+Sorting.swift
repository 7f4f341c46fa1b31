extension Document {
    /// The same with the rows of its tables in the order of a column: those of tables that have it.
    ///
    /// - Parameter order: the column's title, after a hyphen where the largest comes first.
    package func sorted(by order: String) -> Document {
        Document(
            blocks.map { block in
                switch block {
                case .table(let table): .table(table.sorted(by: order))
                case .folded(let title, let blocks): .folded(title, Document(blocks).sorted(by: order).blocks)
                default: block
                }
            })
    }
}

extension Table {
    /// Whether people may choose the order of the rows: what stands between two of them has its place there.
    package var isSortable: Bool { rows.count > 1 && rows.allSatisfy { $0.between == nil } }

    func sorted(by order: String) -> Table {
        let isDescending = order.hasPrefix("-")
        let title = isDescending ? String(order.dropFirst()) : order
        guard isSortable, let column = columns.firstIndex(where: { $0.title == title }) else { return self }
        var table = self
        let keys = rows.map { Key($0.cells[column], isNumber: columns[column].kind == .number) }
        table.rows = rows.indices.sorted { a, b in
            if keys[a] == keys[b] { return a < b }
            return (keys[a] < keys[b]) != isDescending
        }.map { rows[$0] }
        return table
    }

    /// What a cell is compared by: of a number its value, a time on a clock in seconds; what has none comes first.
    private struct Key: Comparable {
        let number: Double
        let text: String

        init(_ cell: String, isNumber: Bool) {
            (number, text) = (isNumber ? Self.number(cell) : 0, isNumber ? "" : cell.lowercased())
        }

        private static func number(_ cell: String) -> Double {
            let digits = cell.prefix { $0.isASCII && $0.isNumber || ".:,-".contains($0) }.filter { $0 != "," }
            let parts = digits.split(separator: ":").map { Double($0) }
            guard !parts.isEmpty, parts.allSatisfy({ $0 != nil }) else { return -.infinity }
            return parts.reduce(0) { $0 * 60 + ($1 ?? 0) }
        }

        static func < (a: Key, b: Key) -> Bool { (a.number, a.text) < (b.number, b.text) }
    }
}
