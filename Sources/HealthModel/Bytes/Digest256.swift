package import Basics
package import Foundation

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

    /// The first four bytes as a number.
    @inline(__always)
    package var prefix32: UInt32 { UInt32(truncatingIfNeeded: a.bigEndian >> 32) }

    /// Lower-case hexadecimal.
    package var hex: String { withByteView { Hex.string($0) } }

    /// As many digits as distinguish the samples of a person.
    package var prefix: String { String(hex.prefix(Self.shownDigits)) }

    /// How many digits `prefix` has.
    package static let shownDigits = 12

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

extension Digest256 {
    /// The four words as numbers.
    @inline(__always)
    fileprivate var words: SIMD4<UInt64> { SIMD4(a.littleEndian, b.littleEndian, c.littleEndian, d.littleEndian) }
}

/// An order-independent digest of a multiset of (identity, version) rows.
///
/// Each row contributes four words, identity XOR rotated version, added without carry between the words. It is a
/// self-check of what was read against what was stored, not tamper evidence: an additive sum can be forged on purpose.
package struct StateDigest: Hashable, Sendable {
    private var sum = SIMD4<UInt64>()
    package private(set) var count: Int64 = 0

    package init() {}

    @inline(__always)
    package mutating func add(_ identity: Digest256, _ version: Digest256) {
        sum &+= Self.row(identity, version)
        count += 1
    }

    @inline(__always)
    package mutating func remove(_ identity: Digest256, _ version: Digest256) {
        sum &-= Self.row(identity, version)
        count -= 1
    }

    /// Adds another state's rows.
    package mutating func merge(_ other: StateDigest) {
        sum &+= other.sum
        count += other.count
    }

    @inline(__always)
    private static func row(_ identity: Digest256, _ version: Digest256) -> SIMD4<UInt64> {
        let words = version.words
        return identity.words ^ (words &<< 17 | words &>> 47)
    }

    /// The state as 40 bytes (four little-endian words and the count), from which `init(stored:)` continues.
    package var stored: [UInt8] {
        let out = ByteBuffer(capacity: 40)
        for index in 0..<4 { out.append(long: Int64(bitPattern: sum[index])) }
        out.append(long: count)
        return out.view.array
    }

    /// Continues from `stored`; nil where it is not 40 bytes long.
    package init?(stored: [UInt8]) {
        guard stored.count == 40 else { return nil }
        let words = stored.withByteView { bytes in (0..<5).map { bytes.long(at: $0 * 8) } }
        for index in 0..<4 { sum[index] = words[index] }
        count = Int64(bitPattern: words[4])
    }

    /// What is shown: SHA-256 of `hp:v2:state:` and `stored`, in hexadecimal.
    package var hex: String {
        (Array("hp:v2:state:".utf8) + stored).withByteView { Digest256(hashing: $0) }.hex
    }
}
