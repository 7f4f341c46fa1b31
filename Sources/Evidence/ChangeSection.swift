internal import Basics
internal import HealthModel
internal import Store

/// The entries of one event, in buckets by their leading bits: collected unsorted, handed out sorted.
///
/// An entry is 68 bytes: identity, version, ordinal. Full buffers go to a file, so memory does not grow with the
/// entries; a bucket that is too large to be sorted in memory is divided again by its next bits.
/// - Complexity: O(n) to collect, O(n log b) for buckets of b entries to sort.
final class ChangeSection {
    private static let entryBytes = 68
    private static let keyBytes = 64
    private static let bucketCount = 64
    private static let bitsALevel = 6
    /// Levels after which all 512 bits of identity and version are used up: the entries of a bucket are then equal.
    private static let lastLevel = 85
    private static let bufferBytes = entryBytes * 480
    private let sortedTogether: Int
    private let spill: SpillFile
    private let level: Int
    private var buffers = [ByteBuffer?](repeating: nil, count: ChangeSection.bucketCount)
    private var chunks = [[Int64]](repeating: [], count: ChangeSection.bucketCount)

    /// - Parameter sortedTogether: entries that are sorted in memory; a bucket with more is divided again.
    init(_ spill: SpillFile, level: Int = 0, sortedTogether: Int) {
        self.spill = spill
        self.level = level
        self.sortedTogether = sortedTogether
    }

    @inline(__always)
    func add(_ identity: Digest256, _ version: Digest256, _ ordinal: UInt32) throws {
        let buffer = try buffer(Int(identity.a.littleEndian & 0xFF) >> 2)
        identity.append(to: buffer)
        version.append(to: buffer)
        buffer.append(word: ordinal)
    }

    /// The buffer of a bucket, with room for an entry.
    @inline(__always)
    private func buffer(_ bucket: Int) throws -> ByteBuffer {
        guard let buffer = buffers[bucket] else {
            let buffer = ByteBuffer(capacity: Self.bufferBytes)
            buffers[bucket] = buffer
            return buffer
        }
        if buffer.count == Self.bufferBytes {
            chunks[bucket].append(try spill.append(buffer.view))
            buffer.removeAll()
        }
        return buffer
    }

    /// Adds an entry of a bucket that is divided.
    private func add(_ entry: ByteView) throws {
        let bit = level * Self.bitsALevel
        let high = UInt16(entry[bit / 8]) << 8
        let low = bit / 8 + 1 < Self.keyBytes ? UInt16(entry[bit / 8 + 1]) : 0
        try buffer(Int(((high | low) << UInt16(bit % 8)) >> 10)).append(entry)
    }

    /// Hands out all entries ascending by identity, version and ordinal, and forgets them.
    ///
    /// - Parameter body: receives the 64 bytes of identity and version, and the ordinal.
    func drain(_ body: (ByteView, UInt32) throws -> Void) throws {
        for bucket in 0..<Self.bucketCount {
            let bytes = chunks[bucket].count * Self.bufferBytes + (buffers[bucket]?.count ?? 0)
            let entries = bytes / Self.entryBytes
            if entries <= sortedTogether {
                try sort(bucket, entries, body)
            } else if level < Self.lastLevel {
                let parts = ChangeSection(spill, level: level + 1, sortedTogether: sortedTogether)
                try forEach(in: bucket) { try parts.add($0) }
                release(bucket)
                try parts.drain(body)
            } else {
                try drainEqual(bucket, body)
            }
            release(bucket)
        }
    }

    private func release(_ bucket: Int) {
        buffers[bucket] = nil
        chunks[bucket] = []
    }

    /// Reads the entries of a bucket, a buffer at a time.
    private func forEach(in bucket: Int, _ body: (ByteView) throws -> Void) throws {
        func forEach(_ entries: ByteView) throws {
            for at in stride(from: 0, to: entries.count, by: Self.entryBytes) {
                try body(entries[at..<at + Self.entryBytes])
            }
        }
        let buffer = ByteBuffer(capacity: Self.bufferBytes)
        for chunk in chunks[bucket] {
            buffer.removeAll()
            try spill.read(Self.bufferBytes, at: chunk, into: buffer)
            try forEach(buffer.view)
        }
        if let last = buffers[bucket] { try forEach(last.view) }
    }

    private func drainEqual(_ bucket: Int, _ body: (ByteView, UInt32) throws -> Void) throws {
        var ordinals: [UInt32] = []
        let key = ByteBuffer(capacity: Self.keyBytes)
        try forEach(in: bucket) { entry in
            key.removeAll()
            key.append(entry[0..<Self.keyBytes])
            ordinals.append(entry.word(at: Self.keyBytes))
        }
        ordinals.sort()
        for ordinal in ordinals { try body(key.view, ordinal) }
    }

    private struct Item {
        var key: UInt64
        var index: UInt32
    }

    private func sort(_ bucket: Int, _ count: Int, _ body: (ByteView, UInt32) throws -> Void) throws {
        guard count > 0 else { return }
        let memory = ByteBuffer(capacity: count * Self.entryBytes)
        for chunk in chunks[bucket] { try spill.read(Self.bufferBytes, at: chunk, into: memory) }
        if let last = buffers[bucket] { memory.append(last.view) }
        let entries = memory.view
        for item in arranged(entries, count) {
            let at = Int(item.index) * Self.entryBytes
            try body(entries[at..<at + Self.keyBytes], entries.word(at: at + Self.keyBytes))
        }
    }

    /// The entries in order: by the next eleven bits in one step, which for hashes leaves a few dozen together.
    private func arranged(_ entries: ByteView, _ count: Int) -> [Item] {
        func key(_ index: Int) -> UInt64 { entries.long(at: index * Self.entryBytes).byteSwapped }
        let shift = UInt64(min(Self.bitsALevel * (level + 1), 52))
        func group(_ key: UInt64) -> Int { Int((key << shift) >> 53) }
        var starts = [Int](repeating: 0, count: 2049)
        for index in 0..<count { starts[group(key(index)) + 1] += 1 }
        for at in 1..<starts.count { starts[at] += starts[at - 1] }
        var items = [Item](repeating: Item(key: 0, index: 0), count: count)
        var next = starts
        for index in 0..<count {
            let key = key(index)
            items[next[group(key)]] = Item(key: key, index: UInt32(index))
            next[group(key)] += 1
        }
        func precedes(_ a: Item, _ b: Item) -> Bool {
            if a.key != b.key { return a.key < b.key }
            let (first, second) = (Int(a.index) * Self.entryBytes, Int(b.index) * Self.entryBytes)
            let order = entries[first..<first + Self.keyBytes].difference(entries[second..<second + Self.keyBytes])
            if order != 0 { return order < 0 }
            return entries.word(at: first + Self.keyBytes) < entries.word(at: second + Self.keyBytes)
        }
        for at in 0..<2048 where starts[at + 1] - starts[at] > 1 {
            items[starts[at]..<starts[at + 1]].sort(by: precedes)
        }
        return items
    }
}
