/// Collects bytes and hands them on in large pieces; counts bytes and lines as they pass.
///
/// Appending never throws; ``flushIfFull()`` is called once an element, so that the buffer stays small.
final class OutputBuffer {
    private var bytes: [UInt8] = []
    private let limit: Int
    private let destination: ([UInt8]) throws -> Void
    private var flushedBytes = 0
    private var dayCache = (day: Int.min, text: [UInt8]())

    /// Lines ended so far; the current line is this number plus one.
    private(set) var lines = 0

    var byteCount: Int { flushedBytes + bytes.count }

    /// A buffer that hands its bytes to `destination`.
    init(limit: Int = 1 << 18, destination: @escaping ([UInt8]) throws -> Void) {
        self.limit = limit
        self.destination = destination
        bytes.reserveCapacity(limit + limit / 32)
    }

    /// What is appended to a buffer of its own, as text.
    static func printed(_ body: (OutputBuffer) -> Void) -> String {
        let buffer = OutputBuffer(limit: 64) { _ in }
        body(buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    func byte(_ value: UInt8) {
        bytes.append(value)
    }

    func text(_ value: String) {
        bytes.append(contentsOf: value.utf8)
    }

    func raw(_ value: [UInt8]) {
        bytes.append(contentsOf: value)
    }

    /// Appends text with the XML special characters escaped.
    func escaped(_ value: String) {
        for unit in value.utf8 {
            switch unit {
            case 0x26: text("&amp;")
            case 0x3C: text("&lt;")
            case 0x3E: text("&gt;")
            case 0x22: text("&quot;")
            default: bytes.append(unit)
            }
        }
    }

    func newline() {
        bytes.append(0x0A)
        lines += 1
    }

    func line(_ value: String) {
        text(value)
        newline()
    }

    /// Appends text that may hold several lines.
    func block(_ value: String) {
        for unit in value.utf8 where unit == 0x0A { lines += 1 }
        text(value)
    }

    func flushIfFull() throws {
        if bytes.count >= limit { try flush() }
    }

    func flush() throws {
        guard !bytes.isEmpty else { return }
        flushedBytes += bytes.count
        try destination(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends `yyyy-MM-dd`; the text of the last day is kept, because neighbours share it.
    func day(_ daysSince1970: Int) {
        if dayCache.day != daysSince1970 {
            let date = CivilDate(daysSince1970: daysSince1970)
            var text: [UInt8] = []
            let year = max(0, min(9999, date.year))
            for divisor in [1000, 100, 10, 1] { text.append(UInt8(48 + year / divisor % 10)) }
            text += [0x2D, UInt8(48 + date.month / 10), UInt8(48 + date.month % 10)]
            text += [0x2D, UInt8(48 + date.day / 10), UInt8(48 + date.day % 10)]
            dayCache = (daysSince1970, text)
        }
        bytes.append(contentsOf: dayCache.text)
    }
}
