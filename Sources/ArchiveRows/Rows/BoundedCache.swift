package import TextFormats

/// What rows of the archive have in common, by a key, in bounded memory: beyond its bytes it forgets everything and starts
/// again, because a hostile archive may have another one for every row.
package struct BoundedCache<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]
    private var byteCount = 0
    private let maximumBytes: Int
    /// What an entry costs beside its own bytes, roughly.
    private static var overhead: Int { 128 }

    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    package subscript(key: Key) -> Value? { values[key] }

    /// Keeps a value of some bytes.
    package mutating func insert(_ value: Value, for key: Key, byteCount: Int) {
        self.byteCount += byteCount + Self.overhead
        if self.byteCount > maximumBytes {
            values.removeAll()
            self.byteCount = byteCount + Self.overhead
        }
        values[key] = value
    }
}

extension BoundedCache where Value == [UInt8] {
    /// The bytes of a key, written by `write` where they are not known.
    package mutating func bytes(for key: Key, _ write: (ByteBuffer) throws -> Void) rethrows -> [UInt8] {
        if let known = self[key] { return known }
        let buffer = ByteBuffer(capacity: 256)
        try write(buffer)
        let made = buffer.view.array
        insert(made, for: key, byteCount: made.count)
        return made
    }
}
