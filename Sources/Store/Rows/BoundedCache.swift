package import Basics

/// What rows of the archive have in common, by an id, in bounded memory: beyond its bytes it forgets everything and starts
/// again, because a hostile archive may have another one for every row.
///
/// Public and inlined because other targets ask it per row.
public struct BoundedCache<Value> {
    @usableFromInline internal var values: [Int64: Value] = [:]
    /// What was asked for last: neighbouring rows mostly share it.
    @usableFromInline internal var last: (key: Int64, value: Value)?
    private var byteCount = 0
    private let maximumBytes: Int
    /// What an entry costs beside its own bytes, roughly.
    private static var overhead: Int { 128 }

    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    public subscript(key: Int64) -> Value? {
        @inlinable
        mutating get {
            if let last, last.key == key { return last.value }
            guard let value = values[key] else { return nil }
            last = (key, value)
            return value
        }
    }

    /// Keeps a value of some bytes.
    package mutating func insert(_ value: Value, for key: Int64, byteCount: Int) {
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
    package mutating func bytes(for key: Int64, _ write: (ByteBuffer) throws -> Void) rethrows -> [UInt8] {
        if let known = self[key] { return known }
        let buffer = ByteBuffer(capacity: 256)
        try write(buffer)
        let made = buffer.view.array
        insert(made, for: key, byteCount: made.count)
        return made
    }
}
