internal import TextFormats

/// Reads rows of CSV back into the canonical JSON of their items.
final class CSVItems {
    private let columns: [(name: String, kind: ExportColumn.Kind)]
    /// The columns in the order of their names, which is that of canonical JSON.
    private let order: [Int]
    private let isGuarded: Bool
    private let cells = ByteBuffer(capacity: 4096)
    private var ranges: [Range<Int>] = []
    private let item = ByteBuffer(capacity: 4096)
    private var checked = 0
    private var isQuoted = false

    init(_ columns: [(name: String, kind: ExportColumn.Kind)], isGuarded: Bool) {
        self.columns = columns
        self.isGuarded = isGuarded
        order = columns.indices.sorted { columns[$0].name.utf16.lexicographicallyPrecedes(columns[$1].name.utf16) }
    }

    /// Whether a row goes on behind the line feed that follows: it has begun a quoted cell. Asked once for each line
    /// feed of a row, it looks only at what is new.
    func isOpen(_ row: ByteView) -> Bool {
        for index in checked..<row.count where row[index] == 0x22 { isQuoted.toggle() }
        checked = isQuoted ? row.count : 0
        return isQuoted
    }

    /// Whether the row has the titles of the columns.
    func isHeader(_ row: ByteView) -> Bool {
        row.string == columns.map(\.name).joined(separator: ",") + "\r"
    }

    /// The item of a row, valid until the next call.
    /// - Throws: `VerificationFailure` without a place.
    func item(_ row: ByteView) throws -> ByteView {
        guard split(row), ranges.count == columns.count else {
            throw VerificationFailure("is not a row of \(columns.count) cells")
        }
        item.removeAll()
        item.append(0x7B)
        for index in order {
            let (name, kind) = columns[index]
            var cell = cells.view[ranges[index]]
            if isGuarded { cell = FormulaGuard.unguarded(cell) }
            if cell.count == 0, kind == .optional { continue }
            if item.count > 1 { item.append(0x2C) }
            item.append(json: name)
            item.append(0x3A)
            if cell.count == 0 {
                item.append("null")
            } else if kind == .text, cell[0] != 0x22 {
                item.append(json: cell)
            } else {
                item.append(cell)
            }
        }
        item.append(0x7D)
        return item.view
    }

    /// Splits a row, which ends with a carriage return, into cells without their quotation marks.
    private func split(_ row: ByteView) -> Bool {
        cells.removeAll()
        cells.reserve(row.count)
        ranges.removeAll(keepingCapacity: true)
        guard row.count > 0, row[row.count - 1] == 0x0D else { return false }
        let end = row.count - 1
        var at = 0
        while true {
            let from = cells.count
            if at < end, row[at] == 0x22 {
                at += 1
                while true {
                    guard at < end else { return false }
                    let byte = row[at]
                    at += 1
                    if byte != 0x22 {
                        cells.append(byte)
                    } else if at < end, row[at] == 0x22 {
                        cells.append(byte)
                        at += 1
                    } else {
                        break
                    }
                }
            } else {
                while at < end, row[at] != 0x2C {
                    if row[at] == 0x22 { return false }
                    cells.append(row[at])
                    at += 1
                }
            }
            ranges.append(from..<cells.count)
            if at == end { return true }
            guard row[at] == 0x2C else { return false }
            at += 1
        }
    }
}
