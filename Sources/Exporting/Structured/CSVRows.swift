internal import HealthModel

/// Turns canonical JSON items into rows of CSV from which the same items can be read again.
///
/// With the guard, a cell that a spreadsheet would run as a formula gets an apostrophe before it, and so does one that
/// begins with apostrophes followed by such a text: taking one apostrophe away from cells of that form undoes it.
struct CSVRows {
    private let columns: [ExportColumn]
    private let places: [String: Int]
    private let guardsFormulas: Bool
    private let cell = ByteBuffer(capacity: 1024)
    private var members: [JSONScanner.Member] = []
    private var values: [Range<Int>?] = []
    /// How many cells got an apostrophe.
    private(set) var guardedCount: Int64 = 0

    init(_ columns: [ExportColumn], guardsFormulas: Bool) {
        self.columns = columns
        self.guardsFormulas = guardsFormulas
        places = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// Appends the titles of the columns.
    func appendHeader(to out: ByteBuffer) {
        for (index, column) in columns.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append(column.name)
        }
        out.append("\r\n")
    }

    /// Appends the row of an item.
    mutating func append(_ item: Range<Int>, of bytes: ByteView, to out: ByteBuffer) {
        values = Array(repeating: nil, count: columns.count)
        _ = JSONScanner.members(bytes, item, into: &members)
        for member in members {
            let name = ByteView(bytes.start + member.name.lowerBound, member.name.count).string
            if let place = places[name] { values[place] = member.value }
        }
        for (index, column) in columns.enumerated() {
            if index > 0 { out.append(0x2C) }
            guard let range = values[index] else { continue }
            let value = ByteView(bytes.start + range.lowerBound, range.count)
            if value.count == 4, value.start[0] == 0x6E { continue }
            cell.removeAll()
            fill(value, column.kind)
            append(ByteView(cell.base, cell.count), to: out)
        }
        out.append("\r\n")
    }

    private func fill(_ value: ByteView, _ kind: ExportColumn.Kind) {
        guard kind == .text, value.count >= 2, value.start[0] == 0x22 else {
            cell.append(value.start, value.count)
            return
        }
        // An empty cell is null, and a quotation mark says that JSON follows.
        let first = value.start[1]
        if value.count == 2 || (first == 0x5C && value.start[2] == 0x22) {
            cell.append(value.start, value.count)
        } else if let text = JSONScanner.unescaped(value.array[1..<value.count - 1]) {
            cell.append(text)
        }
    }

    private mutating func append(_ text: ByteView, to out: ByteBuffer) {
        let isGuarded = guardsFormulas && CSVGuard.needsApostrophe(text)
        if isGuarded { guardedCount += 1 }
        var needsQuotes = false
        for index in 0..<text.count where [0x22, 0x2C, 0x0A, 0x0D].contains(text.start[index]) {
            needsQuotes = true
            break
        }
        if needsQuotes { out.append(0x22) }
        if isGuarded { out.append(0x27) }
        if needsQuotes {
            for index in 0..<text.count {
                if text.start[index] == 0x22 { out.append(0x22) }
                out.append(text.start[index])
            }
            out.append(0x22)
        } else {
            out.append(text.start, text.count)
        }
    }
}
