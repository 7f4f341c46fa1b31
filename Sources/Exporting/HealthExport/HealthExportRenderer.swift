internal import Archive
internal import TextFormats

/// Writes stored items as the elements they were read from.
///
/// Plain records take no parsing: names, sources and shared metadata are kept as finished pieces of XML, and the bytes
/// of a row go to the buffer directly. Everything else is rebuilt from the canonical JSON that the archive keeps.
final class HealthExportRenderer {
    /// Where the XML goes.
    var out = ByteBuffer(capacity: HealthExportRenderer.chunkBytes * 2)
    var dates: InstantPrinter
    let lookup: ExportLookup
    let options: RenderingOptions
    /// Scans for records nested in others, by depth.
    var nestedScans: [CopyScan] = []
    let makeScan: () throws -> CopyScan
    private let typeNames = FragmentCache()
    private let sources = FragmentCache()
    private let sharedMetadata = FragmentCache()
    private var identifiers: [Int64: String] = [:]
    /// Called with each record that is written inside of another item.
    var noteNested: (CopyScan) throws -> Void = { _ in }
    /// Nested records whose content the archive never stored.
    var unresolvedNested: Int64 = 0
    /// Bytes handed on at a time.
    static let chunkBytes = 1 << 18

    /// - Parameter makeScan: makes a scan that looks up single copies.
    init(_ lookup: ExportLookup, _ options: RenderingOptions, makeScan: @escaping () throws -> CopyScan) {
        self.lookup = lookup
        self.options = options
        self.makeScan = makeScan
        dates = InstantPrinter(offsetSeconds: options.offsetSeconds)
    }

    /// The identifier of a sample type.
    func identifier(_ type: Int64) throws -> String {
        if let known = identifiers[type] { return known }
        if identifiers.count > 20_000 { identifiers.removeAll() }
        let name = try lookup.type(type)
        identifiers[type] = name
        return name
    }

    /// Writes the copy at which a scan stands, with everything in it.
    ///
    /// - Parameter shape: the element of everything but a record; nil for a record.
    func append(_ scan: CopyScan, _ shape: ElementShape?, level: Int) throws {
        guard let shape else { return try appendRecord(scan, level: level) }
        let extras = scan.extras.flatMap { JSON.parse($0) }
        let printed = PrintedParts(
            scan.volatileFields.flatMap { JSON.parse($0) }, hidesPaths: options.reduced != nil)
        switch shape {
        case .electrocardiogram, .characteristic: break
        case .unknown(let name, let attributes):
            let shown = element(name)
            out.indent(level)
            out.append(0x3C)
            out.append(shown)
            append(attributes, of: name, printed)
            try appendContent(of: scan, shown, extras, printed, level)
        case .element(let name, let keys):
            if name == "WorkoutRoute" { options.rename(printed, extras, scan.identity) }
            out.indent(level)
            out.append(0x3C)
            out.append(name)
            append(keys.filter { !Self.isInterval($0.name) }, of: name, printed)
            append(extras?["attributes"]?.members.map { (name: $0.0, value: $0.1) } ?? [], of: name, printed)
            try appendSource(scan, isClinical: name == "ClinicalRecord")
            appendCreation(scan, extras, printed)
            append(keys.filter { Self.isInterval($0.name) }, of: name, printed)
            try appendContent(of: scan, name, extras, printed, level)
        }
    }

    private static func isInterval(_ name: String) -> Bool { name == "startDate" || name == "endDate" }

    private func appendRecord(_ scan: CopyScan, level: Int) throws {
        let extras = scan.extras.flatMap { JSON.parse($0) }
        let printed = scan.volatileFields.map {
            PrintedParts(JSON.parse($0), hidesPaths: options.reduced != nil)
        }
        out.indent(level)
        out.append("<Record")
        let type = try typeNames.view(scan.typeID) { $0.appendAttribute("type", try identifier(scan.typeID)) }
        out.append(type.start, type.count)
        try appendSource(scan)
        appendCreation(scan, extras, printed)
        append(" startDate=\"", scan.start, printed?.offset("startDate"))
        append(" endDate=\"", scan.end, printed?.offset("endDate"))
        switch scan.value {
        case .absent: break
        case .text(let text):
            out.append(" value=\"")
            out.appendEscaped(text)
            out.append(0x22)
        case .number(let number):
            out.append(" value=\"")
            if let lexicalForm = scan.lexicalForm {
                out.appendEscaped(lexicalForm)
            } else {
                out.append(json: number)
            }
            out.append(0x22)
        }
        if let extras {
            append(extras["attributes"]?.members.map { (name: $0.0, value: $0.1) } ?? [], of: "Record", printed)
        }
        try appendContent(of: scan, "Record", extras, printed, level)
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

    private func appendSource(_ scan: CopyScan, isClinical: Bool = false) throws {
        // Descriptors count from 1.
        let view = try sources.view(isClinical ? 0 &- scan.descriptorID : scan.descriptorID) { piece in
            let stored = try lookup.source(scan.descriptorID)
            let source = options.reduced?.source(stored, isClinical: isClinical) ?? stored
            for (name, value) in [
                ("sourceName", source.sourceName), ("sourceVersion", source.sourceVersion),
                ("device", source.printedDevice), ("unit", source.unit),
            ] {
                if let value { piece.appendAttribute(name, value) }
            }
        }
        out.append(view.start, view.count)
    }

    private func appendCreation(_ scan: CopyScan, _ extras: JSON?, _ printed: PrintedParts?) {
        if let creation = scan.creation {
            append(" creationDate=\"", creation, printed?.offset("creationDate"))
        } else if let text = extras?["creationDate"]?.string {
            if let shown = self.text(text) { out.appendAttribute("creationDate", shown) }
        } else if options.fillsCreationDates {
            append(" creationDate=\"", scan.start, printed?.offset("startDate"))
        }
    }

    // MARK: - Metadata

    /// Whether a copy has any metadata.
    func hasMetadata(_ scan: CopyScan) -> Bool {
        if case .absent = scan.metadata { false } else { true }
    }

    /// The entries of a copy, one a line.
    func appendMetadata(of scan: CopyScan, level: Int) throws {
        switch scan.metadata {
        case .absent: break
        case .own(let json): appendMetadata(json, level, to: out)
        case .shared(let id):
            // The usual level is worth keeping; the others are rare.
            let view = try sharedMetadata.view(id << 7 | Int64(level)) { piece in
                try lookup.metadata(id).withByteView { appendMetadata($0, level, to: piece) }
            }
            out.append(view.start, view.count)
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
        while at < json.count, json.start[at] == 0x22 {
            key.removeAll()
            at = key.appendEscaped(literal: json, from: at + 1) + 1
            let isList = at < json.count && json.start[at] == 0x5B
            if isList { at += 1 }
            repeat {
                guard at < json.count, json.start[at] == 0x22 else { break }
                out.indent(level)
                out.append("<MetadataEntry key=\"")
                out.append(key.bytes)
                out.append("\" value=\"")
                at = out.appendEscaped(literal: json, from: at + 1)
                out.append("\"/>\n")
                guard isList, at < json.count, json.start[at] == 0x2C else { break }
                at += 1
            } while true
            if isList { at += 1 }
            // The comma to the next member.
            at += 1
        }
    }
}
