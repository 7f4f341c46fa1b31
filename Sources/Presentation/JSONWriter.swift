/// Appends JSON to a growing buffer of UTF-8, so that a million lines cost one buffer and no intermediate strings.
///
/// Strings are escaped beyond what RFC 8259 asks for: U+2028 and U+2029, which end a line in JavaScript, and the
/// characters that `TerminalText` considers unsafe, so that a JSON line on a terminal is as harmless as a table.
/// A JSON reader gets the original text back in every case.
package struct JSONWriter: Sendable {
    /// The UTF-8 written so far.
    package private(set) var bytes: [UInt8] = []

    /// An empty buffer, with room for so many bytes.
    package init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// What was written so far, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends a value.
    package mutating func append(_ value: JSON) {
        switch value {
        case .null: append(raw: "null")
        case .bool(let flag): append(raw: flag ? "true" : "false")
        case .int(let number): append(raw: String(number))
        case .double(let number): append(number)
        case .string(let string): append(string)
        case .array(let elements): append(elements)
        case .object(let members): append(members)
        }
    }

    /// Appends a value and a line feed: one line of newline-delimited JSON.
    package mutating func appendLine(_ value: JSON) {
        append(value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a number in ECMAScript's shortest form; what JSON cannot say (NaN, infinity) is `null`.
    package mutating func append(_ number: Double) {
        append(raw: ECMAScriptNumber.text(number) ?? "null")
    }

    /// Appends text that is JSON already.
    package mutating func append(raw: String) {
        bytes.append(contentsOf: raw.utf8)
    }

    /// Appends a string in quotation marks.
    package mutating func append(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: Self.mayNeedEscape) {
            for scalar in string.unicodeScalars { append(scalar) }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ elements: [JSON]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ members: [(String, JSON)]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, (name, value)) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(name)
            bytes.append(UInt8(ascii: ":"))
            append(value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if TerminalText.isUnsafe(scalar) {
            for unit in UTF16.encode(scalar) ?? .init() { appendEscape(unit) }
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
    }

    private mutating func appendEscape(_ unit: UInt16) {
        bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(truncatingIfNeeded: (unit >> shift) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || TerminalText.mayBeginUnsafeScalar(byte)
    }
}
