internal import Basics

/// The query of a URL as forms encode it.
package enum PercentEncoding {
    /// A value: all but letters, digits and a few marks that need no care are encoded.
    static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var out: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                out.append(byte)
            } else {
                out += ("%" + [byte >> 4, byte & 15].map { String($0, radix: 16, uppercase: true) }.joined()).utf8
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The pairs of a query or of a posted form, in their order.
    ///
    /// - Returns: nil where something is not UTF-8, or a percent sign is not followed by two digits.
    package static func pairs(_ query: some StringProtocol) -> [Request.Parameter]? {
        var pairs: [Request.Parameter] = []
        for part in query.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = decoded(sides.count == 2 ? sides[1] : "") else {
                return nil
            }
            pairs.append(Request.Parameter(name, value))
        }
        return pairs
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, let value = Hex.bytes(String(decoding: digits, as: UTF8.self)) else {
                    return nil
                }
                bytes += value
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isAlphanumeric || plainMarks.contains(byte) }

    private static let plainMarks = Array("-._~:@,*".utf8)
}
