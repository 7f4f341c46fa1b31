internal import Basics

/// A column of a CSV export, which is for spreadsheets: JSON and NDJSON are what is verified item by item.
struct ExportColumn: Sendable {
    /// What the member of the item is; `optional` ones, which not all items have, are JSON, too.
    enum Kind: Sendable {
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
        .init("details", .optional), .init("workout", .optional), .init("relationships", .optional),
        .init("visibility", .json),
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
}

/// Turns canonical JSON items into rows of CSV, with an apostrophe before what a spreadsheet would run.
struct CSVRows {
    private let columns: [ExportColumn]
    private let places: [String: Int]
    private var writer: CSVWriter
    private let cell = ByteBuffer(capacity: 1024)
    private var members: [JSONScanner.Member] = []
    private var values: [Range<Int>?] = []

    /// How many cells got an apostrophe.
    var guardedCount: Int64 { writer.guardedCellCount }

    init(_ columns: [ExportColumn]) {
        self.columns = columns
        writer = CSVWriter(guardsFormulas: true)
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
        guard kind == .text, value.count >= 2, value[0] == .quotationMark else {
            cell.append(value)
            return
        }
        if let text = JSONScanner.unescaped(value[1..<value.count - 1]) { cell.append(text) }
    }
}
