internal import Cshims
package import Foundation

/// Bytes in memory owned by somebody else.
///
/// `@safe`: every access is checked against the view's bounds. A view does not keep its bytes alive: it is valid until
/// their owner changes or goes. The accesses run per byte in other targets: they are public, since the compiler inlines
/// nothing of `package` there.
@safe
public struct ByteView: Hashable {
    public let start: UnsafePointer<UInt8>
    public let count: Int

    /// - Parameter start: `count` bytes that are there as long as the view is used.
    @inlinable @inline(__always)
    @unsafe public init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// The bytes of a text that is always there.
    package init(_ text: StaticString) { unsafe self.init(text.utf8Start, text.utf8CodeUnitCount) }

    package var string: String {
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

    @inlinable @inline(__always)
    public subscript(place: Int) -> UInt8 {
        precondition(place >= 0 && place < count)
        return unsafe start[place]
    }

    /// The view of some of these bytes.
    @inlinable @inline(__always)
    public subscript(range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe ByteView(start + range.lowerBound, range.count)
    }

    /// The view of the bytes from a place on.
    @inlinable @inline(__always)
    public subscript(range: PartialRangeFrom<Int>) -> ByteView { self[range.lowerBound..<count] }

    /// The little-endian number of four bytes at a place.
    @inlinable @inline(__always)
    public func word(at place: Int) -> UInt32 {
        precondition(place >= 0 && place + 4 <= count)
        return unsafe load(place, UInt32.self)
    }

    /// The little-endian number of eight bytes at a place.
    @inlinable @inline(__always)
    public func long(at place: Int) -> UInt64 {
        precondition(place >= 0 && place + 8 <= count)
        return unsafe load(place, UInt64.self)
    }

    @inlinable @inline(__always)
    @unsafe public func load<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int, _: Number.Type) -> Number {
        unsafe Number(littleEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}

/// Comparisons and searches.
extension ByteView {
    @inline(__always)
    public static func == (a: ByteView, b: ByteView) -> Bool {
        unsafe a.count == b.count && memcmp(a.start, b.start, a.count) == 0
    }

    public func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
    }

    /// How these bytes sort beside others: negative for before them, 0 for equal ones. SQLite's order of texts.
    package func difference(_ other: ByteView) -> Int {
        let shared = unsafe Int(memcmp(start, other.start, Swift.min(count, other.count)))
        return shared == 0 ? count - other.count : shared
    }

    /// Whether `a` sorts before `b` by UTF-16 code units, the member order of RFC 8785.
    ///
    /// UTF-8 bytes sort the same way except that a supplementary character (lead byte F0 and up) is a surrogate
    /// pair (D800…) in UTF-16 and so comes before U+E000…U+FFFF (lead bytes EE and EF).
    package static func utf16Less(_ a: ByteView, _ b: ByteView) -> Bool {
        let shared = Swift.min(a.count, b.count)
        var i = 0
        while i < shared {
            let x = a[i]
            let y = b[i]
            if x != y {
                if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) { return x >= 0xF0 }
                return x < y
            }
            i += 1
        }
        return a.count < b.count
    }

    /// Whether these bytes are at a place.
    package func has(_ bytes: StaticString, at place: Int) -> Bool {
        let count = bytes.utf8CodeUnitCount
        return place <= self.count - count && self[place..<place + count] == ByteView(bytes)
    }

    package func contains(_ byte: UInt8) -> Bool { firstIndex(of: byte) != nil }

    /// Where the byte occurs first at `from` or behind it.
    package func firstIndex(of byte: UInt8, from: Int = 0) -> Int? {
        let rest = self[from...]
        return unsafe offset(of: memchr(rest.start, Int32(byte), rest.count))
    }

    /// Where the byte occurs last.
    package func lastIndex(of byte: UInt8) -> Int? { unsafe offset(of: memrchr(start, Int32(byte), count)) }

    /// Where the bytes of a text occur first at `from` or behind it.
    package func firstIndex(of text: ByteView, from: Int = 0) -> Int? {
        let rest = self[from...]
        return unsafe offset(of: memmem(rest.start, rest.count, text.start, text.count))
    }

    private func offset(of found: UnsafeMutableRawPointer?) -> Int? {
        unsafe found.map { unsafe UnsafeRawPointer(start).distance(to: UnsafeRawPointer($0)) }
    }

    /// How often the byte occurs.
    package func count(of byte: UInt8) -> Int {
        var total = 0
        var i = 0
        while i < count {
            // A byte counter overflows after 255, so blocks of 255 keep the inner loop in bytes, where it is vectorised.
            let end = Swift.min(i + 255, count)
            var block: UInt8 = 0
            while i < end {
                block &+= unsafe start[i] == byte ? 1 : 0
                i += 1
            }
            total += Int(block)
        }
        return total
    }

    /// Whether a byte below space other than TAB, LF and CR occurs; written so that the compiler vectorises it.
    package var hasControlByte: Bool {
        var seen: UInt8 = 0
        for i in 0..<count {
            let c = unsafe start[i]
            let low: UInt8 = c < 0x20 ? 1 : 0
            let allowed: UInt8 = (c == 0x0A ? 1 : 0) | (c == 0x0D ? 1 : 0) | (c == 0x09 ? 1 : 0)
            seen |= low & ~allowed
        }
        return seen & 1 != 0
    }

    /// Where the first byte beyond ASCII is at `from` or behind it.
    package func firstNonASCII(from: Int) -> Int? {
        var i = from
        while i + 8 <= count {
            let high = unsafe load(i, UInt64.self) & 0x8080_8080_8080_8080
            if high != 0 { return i + high.trailingZeroBitCount >> 3 }
            i += 8
        }
        while i < count {
            if self[i] >= 0x80 { return i }
            i += 1
        }
        return nil
    }
}

extension ByteView: Sequence {
    public func makeIterator() -> some IteratorProtocol<UInt8> { (0..<count).lazy.map { self[$0] }.makeIterator() }

    public var underestimatedCount: Int { count }

    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe body(UnsafeBufferPointer(start: start, count: count))
    }
}

extension String {
    /// Calls `body` with the text's UTF-8 bytes.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        var copy = self
        return try copy.withUTF8 { bytes in
            try body(unsafe bytes.baseAddress.map { unsafe ByteView($0, bytes.count) } ?? ByteView(""))
        }
    }

    /// Whether both texts have the same UTF-8 bytes; `elementsEqual` looks at them one by one.
    package func hasBytes(of other: String) -> Bool {
        withByteView { bytes in other.withByteView { bytes == $0 } }
    }

    /// Whether bytes occur in the text; `contains` looks for characters, at a hundred times the cost.
    package func holds(_ bytes: StaticString) -> Bool { withByteView { $0.firstIndex(of: ByteView(bytes)) != nil } }
}

extension ContiguousBytes {
    /// Calls `body` with a view of the bytes.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes { try body(unsafe ByteView($0)) }
    }
}

extension ByteView {
    /// - Parameter bytes: are there as long as the view is used.
    @unsafe package init(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            unsafe self.init(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        } else {
            self.init("")
        }
    }
}
