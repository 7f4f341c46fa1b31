/// A set of row ids, one bit each.
package struct Bitmap {
    private var words: [UInt64] = []

    package init() {}

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
}
