internal import Basics
package import Foundation

/// A set of row ids, one bit each.
package struct Bitmap: Equatable {
    private var words: [UInt64] = []

    package init() {}

    package init(_ ids: ClosedRange<Int64>) { for id in ids { insert(id) } }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package func contains(_ id: Int64) -> Bool {
        let word = Int(id >> 6)
        return id >= 0 && word < words.count && words[word] >> UInt64(id & 63) & 1 == 1
    }

    package mutating func insert(_ id: Int64) {
        let word = Int(id >> 6)
        while word >= words.count { words.append(contentsOf: [UInt64](repeating: 0, count: max(words.count, 1024))) }
        words[word] |= 1 << UInt64(id & 63)
    }

    package mutating func remove(_ id: Int64) {
        let word = Int(id >> 6)
        if word < words.count { words[word] &= ~(1 << UInt64(id & 63)) }
    }

    // MARK: - Algebra

    package func union(_ other: Bitmap) -> Bitmap { combined(with: other, |) }

    package func intersection(_ other: Bitmap) -> Bitmap { combined(with: other, &) }

    package func subtracting(_ other: Bitmap) -> Bitmap { combined(with: other) { $0 & ~$1 } }

    /// The ids that only one of the two has.
    package func symmetricDifference(_ other: Bitmap) -> Bitmap { combined(with: other, ^) }

    private func combined(with other: Bitmap, _ operation: (UInt64, UInt64) -> UInt64) -> Bitmap {
        var result = Bitmap()
        result.words = (0..<max(words.count, other.words.count)).map { index in
            operation(index < words.count ? words[index] : 0, index < other.words.count ? other.words[index] : 0)
        }
        return result
    }

    package static func == (first: Bitmap, second: Bitmap) -> Bool { first.symmetricDifference(second).isEmpty }

    // MARK: - Reading

    /// Calls `body` with each id, ascending.
    package func forEach(_ body: (Int64) throws -> Void) rethrows {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                try body(Int64(index) << 6 + Int64(rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }

    /// The runs of consecutive ids in the set, ascending.
    package func forEachRun(_ body: (Int64, Int64) throws -> Void) rethrows {
        var first: Int64?
        for (index, word) in words.enumerated() {
            let base = Int64(index) << 6
            if word == .max {
                first = first ?? base
            } else if word == 0 {
                if let start = first { try body(start, base - 1) }
                first = nil
            } else {
                for bit in 0..<Int64(64) {
                    if word >> UInt64(bit) & 1 == 1 {
                        first = first ?? base + bit
                    } else if let start = first {
                        try body(start, base + bit - 1)
                        first = nil
                    }
                }
            }
        }
        if let start = first { try body(start, Int64(words.count) << 6 - 1) }
    }

    // MARK: - Bytes

    /// Bit n, counted from the lowest of the first byte, is the id n; a multiple of eight bytes.
    package var bytes: Data {
        let bytes = ByteBuffer(capacity: words.count * 8)
        for word in words.prefix((words.lastIndex { $0 != 0 } ?? -1) + 1) {
            bytes.append(long: Int64(bitPattern: word))
        }
        return Data(bytes.view)
    }

    /// - Parameter bytes: what ``bytes`` gives; nil where they are no multiple of eight bytes.
    package init?(bytes: Data) {
        guard bytes.count % 8 == 0 else { return nil }
        words = bytes.withByteView { view in
            (0..<bytes.count / 8).map { view.long(at: 8 * $0) }
        }
    }
}
