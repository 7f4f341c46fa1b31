internal import Basics

extension ByteFilter {
    /// Replaces references to characters that XML forbids, and ampersands that begin no reference.
    ///
    /// Both would end the document. A reference becomes one to the placeholder of the same length where that is long enough;
    /// the name of an entity is left to the parser.
    mutating func repairReferences(_ bytes: ByteBuffer) {
        let view = bytes.view
        var from = 0
        while let at = view.firstIndex(of: UInt8(ascii: "&"), from: from) {
            from = at + 1
            switch Self.reference(view, at: at) {
            case .usable(let end): from = end
            case .forbidden(let end):
                from = end
                guard !sections.contain(at) else { continue }
                note(.controlCharacterReplaced, at: at, bytes)
                for (place, byte) in zip(at..<end, Self.placeholderReference(count: end - at)) { bytes[place] = byte }
            case .none:
                guard !sections.contain(at) else { continue }
                note(.ampersandReplaced, at: at, bytes)
                bytes[at] = Self.placeholder
            }
        }
    }

    /// What an ampersand begins.
    private enum Reference {
        /// A reference that the parser understands, or the name of an entity; where it ends.
        case usable(end: Int)
        /// A reference to a character that XML forbids.
        case forbidden(end: Int)
        case none
    }

    private static func reference(_ bytes: ByteView, at: Int) -> Reference {
        var place = at + 1
        guard place < bytes.count else { return .none }
        guard bytes[place] == UInt8(ascii: "#") else {
            guard isNameStart(bytes[place]) else { return .none }
            repeat { place += 1 } while place < bytes.count && isNamePart(bytes[place])
            return place < bytes.count && bytes[place] == UInt8(ascii: ";") ? .usable(end: place + 1) : .none
        }
        place += 1
        let isHexadecimal = place < bytes.count && bytes[place] == UInt8(ascii: "x")
        if isHexadecimal { place += 1 }
        let first = place
        var scalar: UInt32 = 0
        while place < bytes.count, let digit = digit(bytes[place], isHexadecimal) {
            scalar = min(scalar * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
            place += 1
        }
        guard place > first, place < bytes.count, bytes[place] == UInt8(ascii: ";") else { return .none }
        return isAllowed(scalar) ? .usable(end: place + 1) : .forbidden(end: place + 1)
    }

    /// Whether XML 1.0 allows a character.
    private static func isAllowed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal: UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal: UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || digit(byte, false) != nil || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The placeholder as a reference of so many bytes; four are too few for one.
    private static func placeholderReference(count: Int) -> [UInt8] {
        switch count {
        case ...4: Array(repeating: placeholder, count: count)
        case 5: Array("&#63;".utf8)
        default: Array("&#x".utf8) + Array(repeating: UInt8(ascii: "0"), count: count - 6) + Array("3f;".utf8)
        }
    }
}
