package import Foundation
package import TextFormats

/// A SHA-256 value as four machine words in memory order.
package struct Digest256: Hashable, Sendable, Comparable {
    package var a: UInt64 = 0
    package var b: UInt64 = 0
    package var c: UInt64 = 0
    package var d: UInt64 = 0

    package init() {}

    package init(hashing bytes: ByteView) {
        var hash = SHA256()
        hash.update(bytes)
        self = hash.finalize()
    }

    package init(hashing text: String) {
        self = text.withByteView { Digest256(hashing: $0) }
    }

    /// Reads 32 bytes; nil for any other length.
    package init?(bytes: ByteView) {
        guard bytes.count == 32 else { return nil }
        (a, b) = (bytes.long(at: 0).littleEndian, bytes.long(at: 8).littleEndian)
        (c, d) = (bytes.long(at: 16).littleEndian, bytes.long(at: 24).littleEndian)
    }

    /// Reads 32 bytes; nil for any other length.
    package init?(bytes: some ContiguousBytes) {
        guard let value = bytes.withByteView({ Digest256(bytes: $0) }) else { return nil }
        self = value
    }

    /// Reads 64 hexadecimal digits; nil for anything else.
    package init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 32 bytes.
    package var data: [UInt8] { withByteView { $0.array } }

    /// Lower-case hexadecimal.
    package var hex: String { withByteView { Hex.string($0) } }

    /// Appends the 32 bytes.
    @inline(__always)
    package func append(to out: ByteBuffer) {
        out.append(long: Int64(bitPattern: a.littleEndian))
        out.append(long: Int64(bitPattern: b.littleEndian))
        out.append(long: Int64(bitPattern: c.littleEndian))
        out.append(long: Int64(bitPattern: d.littleEndian))
    }

    /// Appends 64 hexadecimal digits.
    package func appendHex(to out: ByteBuffer) { withByteView { out.append(hex: $0) } }

    /// Overwrites 64 bytes with hexadecimal digits.
    package func writeHex(to out: ByteBuffer, at place: Int) {
        withByteView { out.replace(at: place, withHex: $0) }
    }

    /// Byte order, as SQLite compares BLOBs.
    package static func < (x: Digest256, y: Digest256) -> Bool {
        if x.a != y.a { return x.a.bigEndian < y.a.bigEndian }
        if x.b != y.b { return x.b.bigEndian < y.b.bigEndian }
        if x.c != y.c { return x.c.bigEndian < y.c.bigEndian }
        return x.d.bigEndian < y.d.bigEndian
    }
}

/// An order-independent digest of a multiset of (identity, version) rows.
///
/// Each row contributes four words, identity XOR rotated version, added without carry between the words. It is a
/// self-check of what was read against what was stored, not tamper evidence: an additive sum can be forged on purpose.
package struct StateDigest: Hashable, Sendable {
    private var sum = Digest256()
    package private(set) var count: Int64 = 0

    package init() {}

    @inline(__always)
    package mutating func add(_ identity: Digest256, _ version: Digest256) {
        sum.a &+= identity.a.littleEndian ^ Self.rotated(version.a)
        sum.b &+= identity.b.littleEndian ^ Self.rotated(version.b)
        sum.c &+= identity.c.littleEndian ^ Self.rotated(version.c)
        sum.d &+= identity.d.littleEndian ^ Self.rotated(version.d)
        count += 1
    }

    @inline(__always)
    package mutating func remove(_ identity: Digest256, _ version: Digest256) {
        sum.a &-= identity.a.littleEndian ^ Self.rotated(version.a)
        sum.b &-= identity.b.littleEndian ^ Self.rotated(version.b)
        sum.c &-= identity.c.littleEndian ^ Self.rotated(version.c)
        sum.d &-= identity.d.littleEndian ^ Self.rotated(version.d)
        count -= 1
    }

    /// Adds another state's rows.
    package mutating func merge(_ other: StateDigest) {
        sum.a &+= other.sum.a
        sum.b &+= other.sum.b
        sum.c &+= other.sum.c
        sum.d &+= other.sum.d
        count += other.count
    }

    @inline(__always)
    private static func rotated(_ word: UInt64) -> UInt64 {
        let x = word.littleEndian
        return x << 17 | x >> 47
    }

    /// The state as 40 bytes (four little-endian words and the count), from which `init(stored:)` continues.
    package var stored: [UInt8] {
        let out = ByteBuffer(capacity: 40)
        for word in [sum.a, sum.b, sum.c, sum.d] { out.append(long: Int64(bitPattern: word)) }
        out.append(long: count)
        return out.view.array
    }

    /// Continues from `stored`; nil where it is not 40 bytes long.
    package init?(stored: [UInt8]) {
        guard stored.count == 40 else { return nil }
        let words = stored.withByteView { bytes in (0..<5).map { bytes.long(at: $0 * 8) } }
        sum.a = words[0]
        sum.b = words[1]
        sum.c = words[2]
        sum.d = words[3]
        count = Int64(bitPattern: words[4])
    }

    /// What is shown: SHA-256 of `hp:v2:state:` and `stored`, in hexadecimal.
    package var hex: String {
        (Array("hp:v2:state:".utf8) + stored).withByteView { Digest256(hashing: $0) }.hex
    }
}
