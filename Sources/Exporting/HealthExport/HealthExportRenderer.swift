internal import Basics
internal import HealthModel
internal import Questions
internal import Store

/// Writes stored items as the elements they were read from.
///
/// Plain records take no parsing: names, sources and shared metadata are kept as finished pieces of XML, and the bytes
/// of a row go to the buffer directly. Everything else is rebuilt from the canonical JSON that the archive keeps.
final class HealthExportRenderer {
    /// Where the XML goes.
    var out = ByteBuffer(capacity: HealthExportRenderer.chunkBytes * 2)
    /// The texts of the rows that are being written: an item's own and those of what is nested in it.
    let arena = ByteBuffer(capacity: 1 << 14)
    var dates: InstantPrinter
    let lookup: ExportLookup
    let options: RenderingOptions
    private let rows: VersionCursor
    private let names: ArchiveNames
    private var typeNames = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)
    private var sources = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)
    private var sharedMetadata = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)
    /// Called with each record that is written inside of another item.
    var noteNested: (HeldVersion) throws -> Void = { _ in }
    /// Nested records whose content the archive never stored.
    var unresolvedNested: Int64 = 0
    /// Bytes handed on at a time.
    static let chunkBytes = 1 << 18

    /// - Parameter rows: looks up single rows.
    init(_ lookup: ExportLookup, _ names: ArchiveNames, _ options: RenderingOptions, rows: VersionCursor) {
        self.lookup = lookup
        self.names = names
        self.options = options
        self.rows = rows
        dates = InstantPrinter(offsetSeconds: options.offsetSeconds)
    }

    /// A row that something else refers to, its texts in `arena`.
    func row(_ id: Int64) throws -> HeldVersion {
        try rows.seek(id)
        defer { rows.reset() }
        return try rows.held(in: arena)
    }

    /// Writes a row whose texts are in `arena`, with everything in it.
    ///
    /// - Parameter item: what it has beside the columns; nil for a plain record.
    func append(_ row: HeldVersion, _ item: StoredItem?, level: Int) throws {
        guard let item, item.kind != .record else { return try appendRecord(row, item, level: level) }
        // Characteristics are attributes of `Me`, ECGs files of their own.
        guard let name = item.element else { return }
        let printed = PrintedParts(
            arena.bytes(of: row.volatileFields).flatMap { JSON.parse($0) }, hidesPaths: options.reduced != nil)
        if item.kind == .workoutRoute {
            let (file, copy) = lookup.routeFile(of: row.rowID)
            options.rename(printed, file: file, row.identity, copy: copy)
        }
        let shown = item.kind == .unknown ? element(name) : name
        out.indent(level)
        out.append(0x3C)
        out.append(shown)
        if item.kind == .unknown {
            append(item.keyAttributes, of: name, printed)
        } else {
            append(item.keyAttributes.filter { !Self.isInterval($0.name) }, of: name, printed)
            append(item.attributes, of: name, printed)
            try appendSource(row, isClinical: item.kind == .clinicalRecord)
            appendCreation(row, item, printed)
            append(item.keyAttributes.filter { Self.isInterval($0.name) }, of: name, printed)
        }
        try appendContent(of: row, item.kind, shown, item, printed, level)
    }

    private static func isInterval(_ name: String) -> Bool { name == "startDate" || name == "endDate" }

    private func appendRecord(_ row: HeldVersion, _ item: StoredItem?, level: Int) throws {
        let printed = arena.bytes(of: row.volatileFields).map {
            PrintedParts(JSON.parse($0), hidesPaths: options.reduced != nil)
        }
        let out = out
        out.indent(level)
        out.append("<Record")
        out.append(try typeNames.bytes(for: row.typeID) { $0.appendAttribute("type", try names.type(row.typeID)) })
        try appendSource(row)
        appendCreation(row, item, printed)
        append(" startDate=\"", row.start, printed?.offset("startDate"))
        append(" endDate=\"", row.end, printed?.offset("endDate"))
        switch row.value(in: arena) {
        case .absent: break
        case .text(let text):
            out.append(" value=\"")
            out.appendEscaped(text)
            out.append(0x22)
        case .number(let number):
            out.append(" value=\"")
            if let lexicalForm = arena.bytes(of: row.lexicalForm) {
                out.appendEscaped(lexicalForm)
            } else {
                out.append(json: number)
            }
            out.append(0x22)
        }
        if let item { append(item.attributes, of: "Record", printed) }
        try appendContent(of: row, .record, "Record", item, printed, level)
    }

    // MARK: - Attributes

    @inline(__always)
    private func append(_ name: StaticString, _ seconds: Int64?, _ offset: Int32?) {
        guard let seconds else { return }
        out.append(name)
        dates.append(seconds, offsetSeconds: offset ?? dates.offsetSeconds, to: out)
        out.append(0x22)
    }

    /// Attributes from JSON: numbers are instants, null is an absent one.
    func append(_ given: [(name: String, value: JSON)], of element: String, _ printed: PrintedParts?) {
        for (name, value) in options.reduced?.attributes(given, of: element) ?? given {
            if let text = value.string {
                out.appendAttribute(name, text)
            } else if let seconds = value.int {
                out.append(0x20)
                out.append(name)
                out.append("=\"")
                dates.append(seconds, offsetSeconds: printed?.offset(name) ?? dates.offsetSeconds, to: out)
                out.append(0x22)
            }
        }
    }

    /// An element's name as it is printed.
    func element(_ name: String) -> String { options.reduced?.element(name) ?? name }

    private func appendSource(_ row: HeldVersion, isClinical: Bool = false) throws {
        // Descriptors count from 1.
        let id = row.descriptorID
        let attributes = try sources.bytes(for: isClinical ? 0 &- id : id) { piece in
            let stored = try names.descriptor(id)
            let (source, device) =
                options.reduced?.source(stored, isClinical: isClinical) ?? (stored.sourceName, stored.printedDevice)
            for (name, value) in [
                ("sourceName", source), ("sourceVersion", stored.sourceVersion), ("device", device),
                ("unit", stored.unit),
            ] {
                if let value { piece.appendAttribute(name, value) }
            }
        }
        out.append(attributes)
    }

    private func appendCreation(_ row: HeldVersion, _ item: StoredItem?, _ printed: PrintedParts?) {
        if let creation = row.creation {
            append(" creationDate=\"", creation, printed?.offset("creationDate"))
        } else if let text = item?.creationText {
            if let shown = self.text(text) { out.appendAttribute("creationDate", shown) }
        } else if options.fillsCreationDates {
            append(" creationDate=\"", row.start, printed?.offset("startDate"))
        }
    }

    // MARK: - Metadata

    /// The entries of a row, one a line.
    func appendMetadata(of row: HeldVersion, level: Int) throws {
        if let id = row.metadataID {
            // The usual level is worth keeping; the others are rare.
            let entries = try sharedMetadata.bytes(for: id << 7 | Int64(level)) { piece in
                try names.metadata(id).withByteView { appendMetadata($0, level, to: piece) }
            }
            out.append(entries)
        } else if let json = arena.bytes(of: row.metadata) {
            appendMetadata(json, level, to: out)
        }
    }

    /// Free text as it is printed; nil where it is left out.
    func text(_ text: String) -> String? {
        if let reduced = options.reduced { reduced.filter.text(text) } else { text }
    }

    /// Entries from canonical JSON, as they may be printed.
    func appendMetadata(_ json: ByteView, _ level: Int, to out: ByteBuffer) {
        guard let reduced = options.reduced else { return Self.appendEntries(json, level, to: out) }
        reduced.metadata(json).withByteView { Self.appendEntries($0, level, to: out) }
    }

    /// Entries from canonical JSON, read byte by byte: an object of texts, or of sorted arrays of texts.
    private static func appendEntries(_ json: ByteView, _ level: Int, to out: ByteBuffer) {
        let key = ByteBuffer(capacity: 64)
        var at = 1
        while at < json.count, json[at] == 0x22 {
            key.removeAll()
            at = key.appendEscaped(literal: json, from: at + 1) + 1
            let isList = at < json.count && json[at] == 0x5B
            if isList { at += 1 }
            repeat {
                guard at < json.count, json[at] == 0x22 else { break }
                out.indent(level)
                out.append("<MetadataEntry key=\"")
                out.append(key.view)
                out.append("\" value=\"")
                at = out.appendEscaped(literal: json, from: at + 1)
                out.append("\"/>\n")
                guard isList, at < json.count, json[at] == 0x2C else { break }
                at += 1
            } while true
            if isList { at += 1 }
            // The comma to the next member.
            at += 1
        }
    }
}
