internal import HealthModel
internal import TextFormats

/// Turns canonical JSON items into rows of CSV from which the same items can be read again.
struct CSVRows {
    private let columns: [ExportColumn]
    private let places: [String: Int]
    private var writer: CSVWriter
    private let cell = ByteBuffer(capacity: 1024)
    private var members: [JSONScanner.Member] = []
    private var values: [Range<Int>?] = []

    /// How many cells got an apostrophe.
    var guardedCount: Int64 { writer.guardedCellCount }

    init(_ columns: [ExportColumn], guardsFormulas: Bool) {
        self.columns = columns
        writer = CSVWriter(guardsFormulas: guardsFormulas)
        places = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// Appends the titles of the columns.
    static func appendHeader(_ columns: [ExportColumn], to out: ByteBuffer) {
        var writer = CSVWriter(guardsFormulas: false, to: out)
        writer.appendRow(columns.map(\.name))
    }

    /// Appends the row of an item.
    mutating func append(_ item: ByteView, to out: ByteBuffer) {
        writer.out = out
        values = Array(repeating: nil, count: columns.count)
        _ = JSONScanner.find(&members, of: item, .canonical)
        for member in members {
            if let place = places[item[member.name].string] { values[place] = member.value }
        }
        for (index, column) in columns.enumerated() {
            cell.removeAll()
            if let value = values[index].map({ item[$0] }), value != ByteView("null") { fill(value, column.kind) }
            writer.appendCell(cell.view)
        }
        writer.endRow()
    }

    private func fill(_ value: ByteView, _ kind: ExportColumn.Kind) {
        guard kind == .text, value.count >= 2, value.start[0] == .quotationMark else {
            cell.append(value.start, value.count)
            return
        }
        // An empty cell is null, and a quotation mark says that JSON follows.
        let text = value[1..<value.count - 1]
        if text.count == 0 || (text.start[0] == .backslash && text.start[1] == .quotationMark) {
            cell.append(value.start, value.count)
        } else if let text = JSONScanner.unescaped(text) {
            cell.append(text)
        }
    }
}
