package import Foundation

/// Hexadecimal text: written in lower case, read in both.
package enum Hex {
    package static func string(_ bytes: some ContiguousBytes) -> String {
        bytes.withByteView { string($0) }
    }

    package static func string(_ bytes: ByteView) -> String {
        let out = ByteBuffer(capacity: 2 * bytes.count)
        out.append(hex: bytes)
        return out.text
    }

    /// The bytes that pairs of digits name; nil for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        var out: [UInt8] = []
        var high: UInt8?
        for byte in text.utf8 {
            guard let digit = value(byte) else { return nil }
            if let first = high {
                out.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? out : nil
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension ByteBuffer {
    /// Appends two digits for each byte.
    package func append(hex bytes: ByteView) {
        let place = count
        append(repeating: .digitZero, count: 2 * bytes.count)
        replace(at: place, withHex: bytes)
    }

    /// Overwrites bytes that were written before with two digits for each of `bytes`.
    package func replace(at place: Int, withHex bytes: ByteView) {
        var index = 0
        while index + 4 <= bytes.count {
            let digits = Self.hexDigits(bytes.word(at: index))
            replace(word: UInt32(truncatingIfNeeded: digits), at: place + 2 * index)
            replace(word: UInt32(truncatingIfNeeded: digits >> 32), at: place + 2 * index + 4)
            index += 4
        }
        for index in index..<bytes.count {
            self[place + 2 * index] = .hexDigit(bytes[index] >> 4)
            self[place + 2 * index + 1] = .hexDigit(bytes[index] & 15)
        }
    }

    /// The eight digits of four bytes, all at once; the first byte of either is the lowest.
    private static func hexDigits(_ bytes: UInt32) -> UInt64 {
        // Each byte to 16 bits of its own, then its upper half before its lower one.
        var digits = UInt64(bytes)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 for each digit that is a letter, and how far `a` lies behind the character that follows `9`.
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + letters * 39
    }
}
