internal import Clibxml2
internal import Foundation
internal import HealthModel
internal import TextFormats

/// libxml2's SAX2 push parser, copying every item onto tape pages.
///
/// The callbacks only recover their owner and forward. Recovery mode stays off: it rewrites values, and differently in
/// every version of the library. `XML_PARSE_HUGE` is safe because the DOCTYPE was blanked, so no entity is declared.
///
/// `@safe`: the parser's context lives as long as this object, and what the callbacks get leaves them as views.
@safe
final class UnsafeSAXParser {
    var header = DocumentHeader()
    private var context: xmlParserCtxtPtr?
    private(set) var page = TapePage()
    private let emit: (TapePage) -> Void
    /// Bytes of tape after which a page is handed on.
    private static let pageBytes = 384 << 10
    private static let pageItems = 2_000
    /// What is beside the items is kept up to so many pieces.
    static let maximumExtras = 1_000

    /// Whether `header.stop` is set; asked in every callback.
    private var isStopped = false
    private var depth = 0
    /// Whether the item being read went beyond a cap; its content is passed over until it ends.
    private var overCap: QuarantineReason?
    private var itemElements = 0
    private var itemFrom = 0
    private var itemStart: (line: Int64, byte: Int64) = (0, 0)
    /// The depths of the records and routes inside the item that are open.
    private var placedDepths: [Int] = []
    var previousEnd: Int64 = 0
    private var fedBytes: Int64 = 0
    private var inItem = false
    var sawExportDate = false
    private var textRun = ByteBuffer(capacity: 256)
    var nameCache = [(address: Int, number: UInt8)](repeating: (0, 0), count: 256)

    init(emit: @escaping (TapePage) -> Void) {
        self.emit = emit
        var handler = unsafe Self.handler
        unsafe context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        // The declared encoding is ignored: Apple writes UTF-8, and the filter has made it well-formed UTF-8.
        // Without NOENT libxml2 delivers `&amp;` in attributes as `&#38;`; no entity but the five can be declared.
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | XML_PARSE_NOENT.rawValue
        if let context = unsafe context { _ = unsafe xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options))) }
    }

    deinit { unsafe xmlFreeParserCtxt(context) }

    /// The callbacks, which recover their owner and forward.
    private static var handler: xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = { owner, name, prefix, _, namespaceCount, namespaces, count, _, attributes in
            guard let name = unsafe name else { return }
            let element = unsafe SAXElement(
                SAXName(name, prefix: prefix), namespaces: namespaces, Int(namespaceCount), attributes: attributes,
                Int(count))
            unsafe UnsafeSAXParser.with(owner) { $0.startElement(element) }
        }
        unsafe handler.endElementNs = { owner, _, _, _ in unsafe UnsafeSAXParser.with(owner) { $0.endElement() } }
        unsafe handler.characters = { owner, text, length in
            guard let text = unsafe text else { return }
            let view = unsafe ByteView(text, Int(length))
            unsafe UnsafeSAXParser.with(owner) { $0.characters(view) }
        }
        unsafe handler.ignorableWhitespace = handler.characters
        unsafe handler.cdataBlock = handler.characters
        // The filter blanks the DOCTYPE; should one come through all the same, the document ends before its first entity.
        unsafe handler.internalSubset = { owner, _, _, _ in
            unsafe UnsafeSAXParser.with(owner) { $0.stop("doctype") }
        }
        unsafe handler.serror = { owner, error in
            guard let error = unsafe error?.pointee else { return }
            let (level, domain, code) = unsafe (error.level, error.domain, error.code)
            unsafe UnsafeSAXParser.with(owner) { $0.parserError(level: level.rawValue, domain: domain, code: code) }
        }
        return unsafe handler
    }

    @inline(__always)
    private static func with(_ owner: UnsafeMutableRawPointer?, _ body: (UnsafeSAXParser) -> Void) {
        guard let owner = unsafe owner else { return }
        unsafe Unmanaged<UnsafeSAXParser>.fromOpaque(owner)._withUnsafeGuaranteedRef(body)
    }

    // MARK: - Feeding

    /// Parses one chunk; false once the document has stopped.
    func parse(_ chunk: XMLChunk) -> Bool {
        guard !isStopped, let context = unsafe context else { return false }
        let bytes = chunk.bytes.view
        let code = unsafe bytes.start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            unsafe xmlParseChunk(context, $0, Int32(bytes.count), 0)
        }
        noteFailure(code)
        fedBytes += Int64(bytes.count)
        // A comment or the like that does not end: libxml2 would collect it whole.
        if !isStopped, fedBytes - position > Int64(ExportReading.Limits.tagBytes) { stop("tagOver16MiB") }
        if page.bytes.count >= Self.pageBytes, !inItem { flush() }
        return !isStopped
    }

    /// Ends the document.
    func finish() {
        if !isStopped, let context = unsafe context {
            noteFailure(unsafe xmlParseChunk(context, nil, 0, 1))
            if !isStopped, !header.rootEnded { stop("rootNotEnded") }
        }
        flush()
    }

    /// Stops the document from outside, for instance at a damaged container.
    func stop(_ reason: String) {
        guard !isStopped else { return }
        isStopped = true
        header.stop = .init(line: line, byte: position, reason: reason)
        if let context = unsafe context { unsafe xmlStopParser(context) }
    }

    private func noteFailure(_ code: Int32) {
        guard !isStopped, code != 0 else { return }
        // Namespace codes (200…205) are no failure: prefixes are kept as part of the names.
        if code < 200 || code > 205 { stop("xml:\(code)") }
    }

    private func parserError(level: UInt32, domain: Int32, code: Int32) {
        guard level == XML_ERR_FATAL.rawValue || (domain != Int32(XML_FROM_NAMESPACE.rawValue) && level > 1) else {
            return
        }
        guard !isStopped else { return }
        isStopped = true
        header.stop = .init(line: line, byte: position, reason: "xml:\(code)")
    }

    private var line: Int { unsafe Int(context?.pointee.input?.pointee.line ?? 0) }

    /// What the parser has in its buffer before its place; nil before it has one.
    private var bytesBefore: ByteView? {
        guard let input = unsafe context?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur
        else { return nil }
        return unsafe ByteView(base, base.distance(to: current))
    }

    var position: Int64 {
        guard let bytesBefore else { return previousEnd }
        return unsafe Int64(context?.pointee.input?.pointee.consumed ?? 0) + Int64(bytesBefore.count)
    }

    /// Line and byte of the `<` of the tag that is being reported, which is whole in the parser's buffer.
    private var tagStart: (line: Int64, byte: Int64) {
        guard let bytesBefore, let mark = bytesBefore.lastIndex(of: 0x3C) else { return (Int64(line), position) }
        let tag = bytesBefore[mark...]
        return (Int64(line - tag.count(of: .lineFeed)), position - Int64(tag.count))
    }

    private func flush() {
        page.exportOffset = header.exportDate?.offsetSeconds
        page.bytePosition = previousEnd
        if !page.items.isEmpty { emit(page) }
        page = TapePage()
    }

    // MARK: - Callbacks

    private func startElement(_ element: SAXElement) {
        guard !isStopped else { return }
        depth += 1
        switch depth {
        case 1:
            startRoot(element)
            return
        case 2:
            if startHeaderElement(element) { return }
            inItem = true
            overCap = nil
            itemElements = 0
            itemFrom = page.bytes.count
            itemStart = tagStart
            placedDepths.removeAll(keepingCapacity: true)
        default:
            guard inItem else {
                keepHeaderChild(element)
                return
            }
        }
        flushText()
        itemElements += 1
        guard overCap == nil else { return }
        let cap = ExportReading.Limits.attributes
        if depth > ExportReading.Limits.depth {
            overCap = .depth
        } else if element.attributeCount + element.namespaceCount > cap {
            overCap = .attributes
        } else if itemElements > ExportReading.Limits.itemElements {
            overCap = .elements
        } else if position - itemStart.byte > ExportReading.Limits.itemBytes {
            overCap = .itemSize
        }
        let number = nameNumber(element.name)
        let isInnerItem = depth > 2 && (number == TapeName.record || number == TapeName.workoutRoute)
        // The tag of an item is kept whatever its size, so that the quarantine can name the item.
        guard overCap == nil || depth == 2 || isInnerItem else { return }
        let out = page.bytes
        if isInnerItem {
            let start = tagStart
            out.append(TapePage.place)
            out.append(long: start.line)
            out.append(long: start.byte)
            placedDepths.append(depth)
        }
        out.append(TapePage.start)
        appendName(number, element.name, out)
        appendAttributes(of: element, limit: cap, out)
    }

    private func endElement() {
        guard !isStopped else { return }
        if inItem {
            flushText()
            if overCap == nil {
                if placedDepths.last == depth {
                    placedDepths.removeLast()
                    page.bytes.append(TapePage.placeEnd)
                    page.bytes.append(long: position)
                }
                page.bytes.append(TapePage.end)
            }
            if depth == 2 { endItem() }
        } else if depth == 2 {
            previousEnd = position
        } else if depth == 1 {
            flushRootText()
            header.rootEnded = true
        }
        depth -= 1
    }

    private func endItem() {
        inItem = false
        let end = position
        page.items.append(
            .init(
                from: itemFrom, to: page.bytes.count,
                place: XMLPlace(line: itemStart.line, byteStart: itemStart.byte, byteEnd: end), overCap: overCap))
        previousEnd = end
        if page.bytes.count >= Self.pageBytes || page.items.count >= Self.pageItems { flush() }
    }

    private func characters(_ run: ByteView) {
        guard !isStopped, depth > 0, overCap == nil || !inItem else { return }
        var text = run
        if textRun.count == 0 {
            // Indentation is the usual text: one look at each byte, no copy.
            var blanks = 0
            while blanks < text.count, text[blanks] <= 0x20 { blanks += 1 }
            if blanks == text.count { return }
            text = text[blanks...]
        }
        if inItem, textRun.count + text.count > ExportReading.Limits.itemBytes {
            overCap = .itemSize
            textRun.removeAll()
        } else if inItem || textRun.count < 1 << 16 {
            textRun.append(text)
        }
    }

    /// Text counts without the white space around it: libxml2 delivers it in pieces that depend on the chunks.
    private func trimText() {
        while textRun.count > 0, textRun[textRun.count - 1] <= 0x20 { textRun.truncate(to: textRun.count - 1) }
    }

    private func flushText() {
        guard textRun.count > 0 else { return }
        trimText()
        if inItem, overCap == nil {
            page.bytes.append(TapePage.text)
            page.bytes.append(word: UInt32(textRun.count))
            page.bytes.append(textRun.view)
        } else if !inItem {
            flushRootText()
        }
        textRun.removeAll()
    }

    func flushRootText() {
        trimText()
        defer { textRun.removeAll() }
        guard textRun.count > 0, header.extras.count < Self.maximumExtras else { return }
        header.extras.append(("HealthData#text", textRun.text))
    }
}
