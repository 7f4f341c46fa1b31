/// Appends JSON with members in their order to a growing buffer, so that a million lines cost one buffer and no
/// intermediate strings. Copies share the buffer.
package struct JSONWriter {
    private let out: ByteBuffer

    /// An empty buffer, with room for so many bytes.
    package init(reservingCapacity capacity: Int = 4096) { out = ByteBuffer(capacity: capacity) }

    /// The UTF-8 written so far.
    package var bytes: [UInt8] { out.view.array }

    /// What was written so far, as a string.
    package var text: String { out.text }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { out.removeAll() }

    package mutating func append(_ value: JSON) { out.append(value, .line) }

    /// Appends a value and a line feed: one line of newline-delimited JSON.
    package mutating func appendLine(_ value: JSON) {
        append(value)
        out.append(.lineFeed)
    }

    /// Appends a number in its shortest form; NaN and the infinities, which JSON does not have, are `null`.
    package mutating func append(_ number: Double) { out.append(json: number) }

    /// Appends text that is JSON already.
    package mutating func append(raw: String) { out.append(raw) }

    /// Appends a string in quotation marks.
    package mutating func append(_ string: String) { out.append(json: string, .line) }
}
