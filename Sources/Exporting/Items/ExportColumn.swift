internal import HealthModel

/// A column of a CSV export and how its cells are read back into the member of the item.
struct ExportColumn: Sendable {
    /// How a cell is read: an empty one is `null`, or for `optional` no member at all; other cells are text, an integer
    /// or JSON. Text that is empty or begins with a quotation mark stands as a JSON string.
    enum Kind: String, Sendable {
        case text, integer, json, optional
    }

    var name: String
    var kind: Kind

    /// The columns of an export's items, in the order in which people read them.
    ///
    /// - Parameter withFiles: whether items may name side files.
    static func all(_ kind: ExportKind, withFiles: Bool = false) -> [ExportColumn] {
        let files: [ExportColumn] = withFiles ? [.init("files", .optional)] : []
        return switch kind {
        case .records, .health: record + files
        case .diff, .selection: [.init("role", .text), .init("group_id", .text)] + record + files
        case .types: types
        case .manifest: observations
        }
    }

    private static let record: [ExportColumn] = [
        .init("type_identifier", .text), .init("kind", .text), .init("start_date", .text), .init("end_date", .text),
        .init("value", .text), .init("unit", .text), .init("value_kind", .text), .init("source", .text),
        .init("source_version", .text), .init("device", .json), .init("creation_date", .text),
        .init("metadata", .json), .init("attributes", .optional), .init("children", .optional),
        .init("details", .optional), .init("relationships", .optional), .init("visibility", .json),
        .init("sample_identity_hash", .text), .init("payload_version_hash", .text), .init("ordinal", .integer),
        .init("semantic_fingerprint", .text), .init("item_hash", .text),
    ]

    private static let types: [ExportColumn] = [
        .init("type_identifier", .text), .init("status", .text), .init("visible_count", .integer),
        .init("read_count", .integer), .init("appeared_count", .integer), .init("disappeared_count", .integer),
        .init("representation_changed_count", .integer), .init("earliest_start_date", .text),
        .init("latest_end_date", .text), .init("sums", .json), .init("evidence", .json),
        .init("changed_fields", .json), .init("item_hash", .text),
    ]

    private static let observations: [ExportColumn] = [
        .init("observation_id", .integer), .init("chain_position", .integer), .init("status", .text),
        .init("observed_at", .text), .init("started_at", .text), .init("completed_at", .text),
        .init("offset_seconds", .integer), .init("locale", .text), .init("export_version", .text),
        .init("program", .text), .init("note", .text), .init("type_selection", .text), .init("source", .json),
        .init("stopped_at", .json), .init("totals", .json), .init("types", .json), .init("repairs", .json),
        .init("quarantine", .json), .init("unknown", .json), .init("side_files", .json), .init("warnings", .json),
        .init("stream_digest", .text), .init("state_digest", .text), .init("seal", .json), .init("item_hash", .text),
    ]

    private init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// As the manifest says it.
    var json: CanonicalJSON { .object([("name", .string(name)), ("kind", .string(kind.rawValue))]) }
}

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
