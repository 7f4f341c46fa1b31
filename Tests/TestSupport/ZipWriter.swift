/// Writes small zip files, sound or damaged on purpose, without any library.
package enum ZipWriter {
    /// A member, with what is wrong with it.
    package struct Member {
        package var name: [UInt8]
        package var content: [UInt8]
        package var isDeflated = true
        /// The number of a compression that the member claims to have, instead of its own.
        package var claimedMethod: UInt16?
        package var hasDataDescriptor = false
        package var isZip64 = false
        package var isEncrypted = false
        /// The deflate stream of the content, where another one than of literals is wanted.
        package var packed: [UInt8]?
        /// What is added to the right CRC-32.
        package var checksumError: UInt32 = 0
        /// What is added to the right uncompressed size in the central directory.
        package var sizeError = 0
        /// Whether the directory names it.
        package var isListed = true

        /// A member by its name, which is written as it is, without a mark of its encoding.
        package init(_ name: String, _ content: [UInt8]) {
            self.name = Array(name.utf8)
            self.content = content
        }

        /// A member that is a text.
        package init(_ name: String, _ content: String) { self.init(name, Array(content.utf8)) }

        /// The same member with some fields set.
        package func with(_ change: (inout Member) -> Void) -> Member {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// The bytes of a zip.
    package static func zip(_ members: [Member]) -> [UInt8] {
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let offset = out.count
            let data = member.packed ?? (member.isDeflated ? Deflate.literals(member.content) : member.content)
            let checksum = Checksum.crc32(member.content) &+ member.checksumError
            let flags: UInt16 = (member.hasDataDescriptor ? 8 : 0) | (member.isEncrypted ? 1 : 0)
            let method = member.claimedMethod ?? (member.isDeflated ? 8 : 0)
            let sizes = (packed: data.count, full: member.content.count)
            out += [0x50, 0x4B, 3, 4]
            out.word16(member.isZip64 ? 45 : 20, flags, method, 0x6000, 0x58A1)
            if member.hasDataDescriptor {
                out.word32(0, 0, 0)
            } else {
                out.word32(
                    checksum, member.isZip64 ? .max : UInt32(sizes.packed), member.isZip64 ? .max : UInt32(sizes.full))
            }
            let localExtra = member.isZip64 ? zip64Extra([UInt64(sizes.full), UInt64(sizes.packed)]) : []
            out.word16(UInt16(member.name.count), UInt16(localExtra.count))
            out += member.name + localExtra + data
            if member.hasDataDescriptor {
                out += [0x50, 0x4B, 7, 8]
                out.word32(checksum)
                if member.isZip64 {
                    out.word64(UInt64(sizes.packed), UInt64(sizes.full))
                } else {
                    out.word32(UInt32(sizes.packed), UInt32(sizes.full))
                }
            }
            guard member.isListed else { continue }
            let stated = sizes.full + member.sizeError
            directory += [0x50, 0x4B, 1, 2]
            directory.word16(0x0314, member.isZip64 ? 45 : 20, flags, method, 0x6000, 0x58A1)
            let extra = member.isZip64 ? zip64Extra([UInt64(stated), UInt64(sizes.packed), UInt64(offset)]) : []
            directory.word32(
                checksum, member.isZip64 ? .max : UInt32(sizes.packed), member.isZip64 ? .max : UInt32(stated))
            directory.word16(UInt16(member.name.count), UInt16(extra.count), 0, 0, 0)
            directory.word32(0o100644 << 16, member.isZip64 ? .max : UInt32(offset))
            directory += member.name + extra
        }
        let start = out.count
        let count = members.count { $0.isListed }
        out += directory
        let needsZip64 = members.contains { $0.isZip64 }
        if needsZip64 {
            let end64 = out.count
            out += [0x50, 0x4B, 6, 6]
            out.word64(44)
            out.word16(45, 45)
            out.word32(0, 0)
            out.word64(UInt64(count), UInt64(count), UInt64(directory.count), UInt64(start))
            out += [0x50, 0x4B, 6, 7]
            out.word32(0)
            out.word64(UInt64(end64))
            out.word32(1)
        }
        out += [0x50, 0x4B, 5, 6]
        out.word16(0, 0, UInt16(count), UInt16(count))
        out.word32(UInt32(directory.count), needsZip64 ? .max : UInt32(start))
        out.word16(0)
        return out
    }

    /// The length of members without the directory behind them: where a zip of them may be cut off.
    package static func membersByteCount(_ members: [Member]) -> Int {
        let whole = zip(members)
        let entries = members.reduce(0) { $0 + 46 + $1.name.count + ($1.isZip64 ? 28 : 0) }
        return whole.count - entries - 22 - (members.contains { $0.isZip64 } ? 76 : 0)
    }

    /// A mebibyte of zeros as a deflate stream of dynamic codes.
    package static let packedZeros: [UInt8] =
        [0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0]
        + [UInt8](repeating: 0, count: 1016) + [0x3E, 0x03]

    private static func zip64Extra(_ values: [UInt64]) -> [UInt8] {
        var out: [UInt8] = []
        out.word16(1, UInt16(values.count * 8))
        for value in values { out.word64(value) }
        return out
    }
}

private extension [UInt8] {
    mutating func word16(_ values: UInt16...) {
        for value in values {
            append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
        }
    }

    mutating func word32(_ values: UInt32...) {
        for value in values {
            for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
    }

    mutating func word64(_ values: UInt64...) {
        for value in values {
            for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
    }
}

private enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}

/// RFC 1951 with fixed codes and literals only: larger than the input, but a deflate stream.
private enum Deflate {
    static func literals(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        func put(_ value: UInt32, _ count: UInt32) {
            buffer |= value << bits
            bits += count
            while bits >= 8 {
                out.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                bits -= 8
            }
        }
        func putCode(_ code: UInt32, _ count: UInt32) {
            put((0..<count).reduce(0) { $0 | (code >> $1 & 1) << (count - 1 - $1) }, count)
        }
        put(1, 1)
        put(1, 2)
        for byte in bytes {
            if byte < 144 { putCode(0x30 + UInt32(byte), 8) } else { putCode(0x190 + UInt32(byte) - 144, 9) }
        }
        putCode(0, 7)
        put(0, 7)
        return out
    }
}
