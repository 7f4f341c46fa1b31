internal import ArchiveFile
internal import Foundation
internal import HealthModel

/// The entries of one event, in buckets by their leading bits: collected unsorted, handed out sorted.
///
/// An entry is 68 bytes: identity, version, ordinal. Full buffers go to a file, so memory does not grow with the
/// entries; a bucket that is too large to be sorted in memory is divided again by its next bits.
/// - Complexity: O(n) to collect, O(n log b) for buckets of b entries to sort.
final class UnsafeChangeSection {
    static let entryBytes = 68
    private static let keyBytes = 64
    private static let bucketCount = 64
    private static let bitsALevel = 6
    /// Levels after which all 512 bits of identity and version are used up: the entries of a bucket are then equal.
    private static let lastLevel = 85
    private static let bufferBytes = entryBytes * 480
    private let sortedTogether: Int
    private let spill: SpillFile
    private let level: Int
    private let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let used: UnsafeMutablePointer<Int>
    private var chunks = [[Int64]](repeating: [], count: UnsafeChangeSection.bucketCount)
    private(set) var count = 0

    /// - Parameter sortedTogether: entries that are sorted in memory; a bucket with more is divided again.
    init(_ spill: SpillFile, level: Int = 0, sortedTogether: Int = 1 << 17) {
        self.spill = spill
        self.level = level
        self.sortedTogether = sortedTogether
        buffers = .allocate(capacity: Self.bucketCount)
        buffers.initialize(repeating: nil, count: Self.bucketCount)
        used = .allocate(capacity: Self.bucketCount)
        used.initialize(repeating: 0, count: Self.bucketCount)
    }

    deinit {
        for bucket in 0..<Self.bucketCount { buffers[bucket]?.deallocate() }
        buffers.deallocate()
        used.deallocate()
    }

    @inline(__always)
    func add(_ identity: Digest256, _ version: Digest256, _ ordinal: UInt32) throws {
        let bucket = Int(identity.a.littleEndian & 0xFF) >> 2
        let place = try place(in: bucket)
        place.storeBytes(of: identity, as: Digest256.self)
        place.storeBytes(of: version, toByteOffset: 32, as: Digest256.self)
        place.storeBytes(of: ordinal, toByteOffset: 64, as: UInt32.self)
        count += 1
    }

    /// Where the next entry of a bucket goes.
    @inline(__always)
    private func place(in bucket: Int) throws -> UnsafeMutableRawPointer {
        if used[bucket] == Self.bufferBytes { try flush(bucket) }
        let buffer: UnsafeMutableRawPointer
        if let there = buffers[bucket] {
            buffer = there
        } else {
            buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
            buffers[bucket] = buffer
        }
        let place = buffer + used[bucket]
        used[bucket] += Self.entryBytes
        return place
    }

    private func flush(_ bucket: Int) throws {
        guard let buffer = buffers[bucket] else { return }
        chunks[bucket].append(try spill.append(UnsafeRawBufferPointer(start: buffer, count: used[bucket])))
        used[bucket] = 0
    }

    /// Adds an entry of a bucket that is divided.
    private func add(entry: UnsafeRawPointer) throws {
        let bit = level * Self.bitsALevel
        let high = UInt16(entry.load(fromByteOffset: bit / 8, as: UInt8.self)) << 8
        let low = bit / 8 + 1 < Self.keyBytes ? UInt16(entry.load(fromByteOffset: bit / 8 + 1, as: UInt8.self)) : 0
        let bucket = Int(((high | low) << UInt16(bit % 8)) >> 10)
        try place(in: bucket).copyMemory(from: entry, byteCount: Self.entryBytes)
        count += 1
    }

    /// Hands out all entries ascending by identity, version and ordinal, and forgets them.
    ///
    /// - Parameter body: receives a pointer to the 64 bytes of identity and version, and the ordinal.
    func drain(_ body: (UnsafeRawPointer, UInt32) throws -> Void) throws {
        for bucket in 0..<Self.bucketCount {
            let entries = chunks[bucket].count * (Self.bufferBytes / Self.entryBytes) + used[bucket] / Self.entryBytes
            guard entries > 0 else { continue }
            if entries <= sortedTogether {
                try sort(bucket, entries, body)
            } else if level < Self.lastLevel {
                let parts = UnsafeChangeSection(spill, level: level + 1, sortedTogether: sortedTogether)
                try read(bucket) { entry in try parts.add(entry: entry) }
                release(bucket)
                try parts.drain(body)
            } else {
                try drainEqual(bucket, entries, body)
            }
            release(bucket)
        }
    }

    private func release(_ bucket: Int) {
        buffers[bucket]?.deallocate()
        buffers[bucket] = nil
        used[bucket] = 0
        chunks[bucket] = []
    }

    /// Reads the entries of a bucket, a buffer at a time.
    private func read(_ bucket: Int, _ body: (UnsafeRawPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        guard let base = buffer.baseAddress else { return }
        for chunk in chunks[bucket] {
            try spill.read(buffer, at: chunk)
            for at in stride(from: 0, to: Self.bufferBytes, by: Self.entryBytes) { try body(base + at) }
        }
        guard let last = buffers[bucket] else { return }
        for at in stride(from: 0, to: used[bucket], by: Self.entryBytes) { try body(last + at) }
    }

    private func drainEqual(_ bucket: Int, _ count: Int, _ body: (UnsafeRawPointer, UInt32) throws -> Void) throws {
        var ordinals: [UInt32] = []
        ordinals.reserveCapacity(count)
        let key = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.keyBytes, alignment: 16)
        defer { key.deallocate() }
        guard let base = key.baseAddress else { return }
        try read(bucket) { entry in
            base.copyMemory(from: entry, byteCount: Self.keyBytes)
            ordinals.append(entry.loadUnaligned(fromByteOffset: Self.keyBytes, as: UInt32.self))
        }
        ordinals.sort()
        for ordinal in ordinals { try body(base, ordinal) }
    }

    private struct Item {
        var key: UInt64
        var index: UInt32
    }

    private func sort(_ bucket: Int, _ count: Int, _ body: (UnsafeRawPointer, UInt32) throws -> Void) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count * Self.entryBytes, alignment: 16)
        defer { memory.deallocate() }
        guard let base = memory.baseAddress else { return }
        var at = 0
        for chunk in chunks[bucket] {
            try spill.read(UnsafeMutableRawBufferPointer(start: base + at, count: Self.bufferBytes), at: chunk)
            at += Self.bufferBytes
        }
        if let last = buffers[bucket] { (base + at).copyMemory(from: last, byteCount: used[bucket]) }
        let items = UnsafeMutableBufferPointer<Item>.allocate(capacity: count)
        defer { items.deallocate() }
        arrange(items, base)
        for item in items {
            let entry = base + Int(item.index) * Self.entryBytes
            try body(entry, entry.loadUnaligned(fromByteOffset: Self.keyBytes, as: UInt32.self))
        }
    }

    /// Puts the entries in order: by the next eleven bits in one step, which for hashes leaves a few dozen together.
    private func arrange(_ items: UnsafeMutableBufferPointer<Item>, _ base: UnsafeRawPointer) {
        func key(_ index: Int) -> UInt64 {
            UInt64(bigEndian: base.loadUnaligned(fromByteOffset: index * Self.entryBytes, as: UInt64.self))
        }
        let shift = UInt64(min(Self.bitsALevel * (level + 1), 52))
        func group(_ key: UInt64) -> Int { Int((key << shift) >> 53) }
        var starts = [Int](repeating: 0, count: 2049)
        for index in 0..<items.count { starts[group(key(index)) + 1] += 1 }
        for at in 1..<starts.count { starts[at] += starts[at - 1] }
        var next = starts
        for index in 0..<items.count {
            let key = key(index)
            items[next[group(key)]] = Item(key: key, index: UInt32(index))
            next[group(key)] += 1
        }
        func precedes(_ a: Item, _ b: Item) -> Bool {
            if a.key != b.key { return a.key < b.key }
            let (first, second) = (base + Int(a.index) * Self.entryBytes, base + Int(b.index) * Self.entryBytes)
            let order = memcmp(first, second, Self.keyBytes)
            if order != 0 { return order < 0 }
            return first.loadUnaligned(fromByteOffset: Self.keyBytes, as: UInt32.self)
                < second.loadUnaligned(fromByteOffset: Self.keyBytes, as: UInt32.self)
        }
        for at in 0..<2048 where starts[at + 1] - starts[at] > 1 {
            var part = UnsafeMutableBufferPointer(rebasing: items[starts[at]..<starts[at + 1]])
            part.sort(by: precedes)
        }
    }
}
