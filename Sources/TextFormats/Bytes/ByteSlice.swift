internal import Foundation

/// A run of bytes inside a page's arena: where it starts and how long it is; length 0 with `offset` -1 means absent.
package struct ByteSlice: Sendable, Equatable {
    package var offset: Int32
    package var count: Int32

    package init(offset: Int, count: Int) {
        self.offset = Int32(truncatingIfNeeded: offset)
        self.count = Int32(truncatingIfNeeded: count)
    }

    /// No value at all, as distinct from an empty one.
    package static let absent = ByteSlice(offset: -1, count: 0)

    package var isAbsent: Bool { offset < 0 }
}

/// Bytes in memory owned by somebody else, with the few comparisons the per-record code needs.
package struct ByteView: Equatable {
    package var start: UnsafePointer<UInt8>
    package var count: Int

    @inline(__always)
    package init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        self.start = start
        self.count = count
    }

    package var string: String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package var array: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    @inline(__always)
    package static func == (a: ByteView, b: ByteView) -> Bool {
        a.count == b.count && memcmp(a.start, b.start, a.count) == 0
    }

    /// How these bytes sort beside others: negative for before them, 0 for equal ones. SQLite's order of texts.
    package func difference(_ other: ByteView) -> Int {
        let shared = Int(memcmp(start, other.start, min(count, other.count)))
        return shared == 0 ? count - other.count : shared
    }

    /// Whether `a` sorts before `b` by UTF-16 code units, the member order of RFC 8785.
    ///
    /// UTF-8 bytes sort the same way except that a supplementary character (lead byte F0 and up) is a surrogate
    /// pair (D800…) in UTF-16 and so comes before U+E000…U+FFFF (lead bytes EE and EF).
    package static func utf16Less(_ a: ByteView, _ b: ByteView) -> Bool {
        let shared = min(a.count, b.count)
        var i = 0
        while i < shared {
            let x = a.start[i]
            let y = b.start[i]
            if x != y {
                if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) { return x >= 0xF0 }
                return x < y
            }
            i += 1
        }
        return a.count < b.count
    }
}

extension ByteView {
    /// The bytes of a text that is always there.
    package init(_ text: StaticString) { self.init(text.utf8Start, text.utf8CodeUnitCount) }

    /// The view of some of these bytes.
    package subscript(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return ByteView(start + range.lowerBound, range.count)
    }

    /// Whether the byte occurs.
    package func contains(_ byte: UInt8) -> Bool { memchr(start, Int32(byte), count) != nil }
}

extension String {
    /// Calls `body` with the text's UTF-8 bytes.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        var copy = self
        return try copy.withUTF8 { bytes in
            try body(bytes.baseAddress.map { ByteView($0, bytes.count) } ?? ByteView(""))
        }
    }
}

extension Array<UInt8> {
    /// Calls `body` with a view of the bytes.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try withUnsafeBufferPointer { bytes in
            try body(bytes.baseAddress.map { ByteView($0, bytes.count) } ?? ByteView(""))
        }
    }
}
