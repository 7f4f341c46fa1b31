internal import Basics
internal import Clibxml2
internal import Foundation
internal import HealthModel

/// Copies every item onto tape pages: plain ones itself (`PlainItemScanner`), all others with libxml2's SAX2 push parser.
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
    /// Bytes of what is in `ExportDate`, of which no more is kept once they are as many as a tag may have.
    var extraBytes = 0

    /// Whether `header.stop` is set; asked in every callback.
    var isStopped = false
    var depth = 0
    /// Whether the item being read went beyond a cap; its content is passed over until it ends.
    var overCap: QuarantineReason?
    var itemElements = 0
    var itemFrom = 0
    var itemStart: (line: Int64, byte: Int64) = (0, 0)
    /// The depths of the records and routes inside the item that are open.
    var placedDepths: [Int] = []
    var previousEnd: Int64 = 0
    /// What libxml2 was given, and what was read without it.
    private var fedBytes: Int64 = 0
    private var plain: (lines: Int64, bytes: Int64) = (0, 0)
    private let readsPlainItems: Bool
    var inItem = false
    var sawExportDate = false
    var textRun = ByteBuffer(capacity: 256)
    var nameCache = [(address: Int, number: UInt8)](repeating: (0, 0), count: 256)

    /// - Parameter readsPlainItems: false gives libxml2 everything, for a test that compares both.
    init(readsPlainItems: Bool = true, emit: @escaping (TapePage) -> Void) {
        self.readsPlainItems = readsPlainItems
        self.emit = emit
        var handler = unsafe Self.handler
        unsafe context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        // The declared encoding is ignored: Apple writes UTF-8, and the filter has made it well-formed UTF-8.
        // Without NOENT libxml2 delivers `&amp;` in attributes as `&#38;`; no entity but the five can be declared.
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | XML_PARSE_NOENT.rawValue
        if let context = unsafe context {
            _ = unsafe xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options)))
            // XML_PARSE_HUGE lifts this limit too, and the dictionary keeps every name that was met.
            _ = unsafe xmlDictSetLimit(context.pointee.dict, Int(XML_MAX_DICTIONARY_LIMIT))
        }
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
            let message = unsafe UnsafeSAXParser.text(error.message)
            unsafe UnsafeSAXParser.with(owner) {
                $0.parserError(level: level.rawValue, domain: domain, code: code, message)
            }
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
    func parse(_ chunk: ByteBuffer) -> Bool {
        let bytes = chunk.view
        var at = 0
        while !isStopped, at < bytes.count {
            if isBetweenItems {
                at = readPlainItems(bytes, from: at)
                if at == bytes.count { break }
            }
            // What is not plain goes to libxml2, up to where the next item may begin.
            let end = readsPlainItems ? bytes.firstIndex(of: ByteView(Self.nextItem), from: at).map { $0 + 1 } : nil
            parse(bytes[at..<(end ?? bytes.count)])
            at = end ?? bytes.count
        }
        if page.bytes.count >= Self.pageBytes, !inItem { flush() }
        return !isStopped
    }

    /// The end of one item and the beginning of the next, as Health indents them.
    private static let nextItem: StaticString = ">\n <"

    /// Whether libxml2 has read all that it was given, and that ended between two items.
    private var isBetweenItems: Bool {
        guard readsPlainItems, depth == 1, !inItem, textRun.count == 0 else { return false }
        return unsafe context?.pointee.instate == XML_PARSER_CONTENT && position == fedBytes + plain.bytes
    }

    /// Reads items up to the first that is not plain; where that begins.
    private func readPlainItems(_ bytes: ByteView, from: Int) -> Int {
        let line = Int64(self.line)
        let start = position - Int64(from)
        var scanner = PlainItemScanner(bytes, at: from)
        var tapeStart = page.bytes.count
        while scanner.copyItem(to: page.bytes, line: line, byte: start) {
            let place = XMLPlace(
                line: line + Int64(scanner.itemStart.lines), byteStart: start + Int64(scanner.itemStart.at),
                byteEnd: start + Int64(scanner.at))
            page.items.append(.init(from: tapeStart, to: page.bytes.count, place: place, overCap: nil))
            previousEnd = place.byteEnd
            flushFull()
            tapeStart = page.bytes.count
        }
        plain.bytes += Int64(scanner.at - from)
        plain.lines += Int64(scanner.lines)
        return scanner.at
    }

    /// Gives libxml2 the next bytes.
    private func parse(_ bytes: ByteView) {
        guard let context = unsafe context else { return }
        let code = unsafe bytes.start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            unsafe xmlParseChunk(context, $0, Int32(bytes.count), 0)
        }
        noteFailure(code)
        fedBytes += Int64(bytes.count)
        // A comment or the like that does not end: libxml2 would collect it whole.
        if !isStopped, fedBytes + plain.bytes - position > Int64(ExportReading.Limits.tagBytes) { stop("tagOver16MiB") }
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
    func stop(_ reason: String, _ message: String? = nil) {
        guard !isStopped else { return }
        isStopped = true
        header.stop = .init(line: line, byte: position, reason: reason, message: message)
        if let context = unsafe context { unsafe xmlStopParser(context) }
    }

    private func noteFailure(_ code: Int32) {
        guard !isStopped, code != 0 else { return }
        // Namespace codes (99, 200…205) are no failure: prefixes are kept as part of the names.
        if code != 99, code < 200 || code > 205 {
            stop("xml:\(code)", unsafe Self.text(xmlCtxtGetLastError(context)?.pointee.message))
        }
    }

    /// libxml2's words without its line end, at most so long; nil for none.
    private static func text(_ message: UnsafeMutablePointer<CChar>?) -> String? {
        guard let message = unsafe message else { return nil }
        // Lines in the text are those of what libxml2 was given, which is not the whole file.
        let text = unsafe String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
            .replacing(#/ line \d+(?= and )/#, with: "")
        return text.isEmpty ? nil : String(text.prefix(mostWords))
    }

    private static let mostWords = 300

    private func parserError(level: UInt32, domain: Int32, code: Int32, _ message: String?) {
        guard level == XML_ERR_FATAL.rawValue || (domain != Int32(XML_FROM_NAMESPACE.rawValue) && level > 1) else {
            return
        }
        guard !isStopped else { return }
        isStopped = true
        header.stop = .init(line: line, byte: position, reason: "xml:\(code)", message: message)
    }

    private var line: Int { unsafe Int(context?.pointee.input?.pointee.line ?? 0) + Int(plain.lines) }

    /// What the parser has in its buffer before its place; nil before it has one.
    private var bytesBefore: ByteView? {
        guard let input = unsafe context?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur
        else { return nil }
        return unsafe ByteView(base, base.distance(to: current))
    }

    var position: Int64 {
        guard let bytesBefore else { return previousEnd }
        return unsafe Int64(context?.pointee.input?.pointee.consumed ?? 0) + Int64(bytesBefore.count) + plain.bytes
    }

    /// Line and byte of the `<` of the tag that is being reported, which is whole in the parser's buffer.
    var tagStart: (line: Int64, byte: Int64) {
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

    func flushFull() {
        if page.bytes.count >= Self.pageBytes || page.items.count >= Self.pageItems { flush() }
    }
}
