/// The bytes that have a meaning in JSON, CSV and the texts of an export.
extension UInt8 {
    package static let apostrophe = UInt8(ascii: "'")
    package static let backslash = UInt8(ascii: "\\")
    package static let carriageReturn = UInt8(ascii: "\r")
    package static let closingBrace = UInt8(ascii: "}")
    package static let closingBracket = UInt8(ascii: "]")
    package static let colon = UInt8(ascii: ":")
    package static let comma = UInt8(ascii: ",")
    package static let digitZero = UInt8(ascii: "0")
    package static let digitNine = UInt8(ascii: "9")
    package static let lineFeed = UInt8(ascii: "\n")
    package static let minus = UInt8(ascii: "-")
    package static let openingBrace = UInt8(ascii: "{")
    package static let openingBracket = UInt8(ascii: "[")
    package static let plus = UInt8(ascii: "+")
    package static let point = UInt8(ascii: ".")
    package static let quotationMark = UInt8(ascii: "\"")
    package static let space = UInt8(ascii: " ")

    /// `0` to `9`.
    package var isDigit: Bool { self >= .digitZero && self <= .digitNine }

    /// `0` to `9`, `A` to `Z`, `a` to `z`.
    package var isAlphanumeric: Bool { isDigit || 0x41...0x5A ~= self || 0x61...0x7A ~= self }

    /// `0` to `9`, `A` to `F`, `a` to `f`.
    var isHexadecimal: Bool { isDigit || 0x41...0x46 ~= self || 0x61...0x66 ~= self }

    /// The lower-case hexadecimal digit of a number below 16.
    static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? .digitZero + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
