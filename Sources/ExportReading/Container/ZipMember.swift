/// Where a zip has a member, and what it states of it.
struct ZipMember: Sendable {
    /// Where its local header begins.
    var headerOffset: Int64
    /// Of its data; nil where only the data itself shows its end.
    var packedByteCount: Int64?
    /// Of its contents; nil where nothing states it.
    var byteCount: Int64?
    /// CRC-32 of its contents; nil where nothing states it.
    var checksum: UInt32?
    /// Its number in the central directory; nil where there is none.
    var index: UInt32?
    var method: Method
    /// Whether the file ends before the member does.
    var isCut = false

    /// How a member is compressed, by its number in the zip.
    struct Method: RawRepresentable, Sendable, Equatable {
        var rawValue: UInt16

        static let stored = Method(rawValue: 0)
        static let deflated = Method(rawValue: 8)
    }

    /// What a member takes of the file.
    struct Extent {
        var headerOffset: Int64
        var nameByteCount: Int64
        var packedByteCount: Int64
        /// Whether lengths and checksum stand behind the data.
        var hasDescriptor: Bool

        static let localHeaderBytes: Int64 = 30

        /// The first byte that it may end before: it may have an extra field and a descriptor, too.
        var leastEnd: Int64 { headerOffset + Self.localHeaderBytes + nameByteCount + packedByteCount }
    }

    /// A member as the zip lists it.
    struct Entry {
        var name: String
        var isEncrypted: Bool
        var member: ZipMember

        /// - Parameters:
        ///   - name: as it is in the zip.
        ///   - flags: the general purpose bits.
        init(name: ArraySlice<UInt8>, flags: Int, _ member: ZipMember) {
            self.name = Self.text(name.prefix { $0 != 0 })
            isEncrypted = flags & 1 != 0
            self.member = member
        }

        /// The name as UTF-8 where it is valid UTF-8, whatever the flag says; else as code page 437, which a zip has by default.
        private static func text(_ name: ArraySlice<UInt8>) -> String {
            if let text = String(validating: name, as: UTF8.self) { return text }
            return String(name.map { $0 < 0x80 ? Character(Unicode.Scalar($0)) : upperHalf[Int($0) - 0x80] })
        }

        private static let upperHalf = Array(
            "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
        )
    }
}

extension ZipMember {
    /// The lengths that do not fit into four bytes, from the extra field in which a zip64 has them.
    ///
    /// - Parameters:
    ///   - values: as the header has them; those with all bits set are in the extra field, in this order.
    static func wide(_ values: [UInt32], extra: ArraySlice<UInt8>) -> [Int64] {
        var rest = extra
        var field = ZipFields(bytes: [])
        while rest.count >= 4 {
            let head = ZipFields(bytes: Array(rest.prefix(4)))
            let body = rest.dropFirst(4).prefix(head.short(2))
            if head.short(0) == 1 { field = ZipFields(bytes: Array(body)) }
            rest = rest.dropFirst(4 + head.short(2))
        }
        var at = 0
        return values.map { value in
            guard value == .max, at + 8 <= field.bytes.count else { return Int64(value) }
            defer { at += 8 }
            return field.long(at)
        }
    }
}
