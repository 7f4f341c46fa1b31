internal import TextFormats

/// Pieces of XML that many items share, by number; forgets everything when it grows beyond its bound.
final class FragmentCache {
    private var slices: [Int64: ByteSlice] = [:]
    private let arena = ByteBuffer(capacity: 1 << 14)
    private static let maximumBytes = 4 << 20
    private static let maximumEntries = 20_000

    /// The piece of a number, made by `make` where it is not known; valid until the next call.
    @inline(__always)
    func view(_ number: Int64, _ make: (ByteBuffer) throws -> Void) throws -> ByteView {
        if let slice = slices[number] { return ByteView(arena.base + Int(slice.offset), Int(slice.count)) }
        return try insert(number, make)
    }

    private func insert(_ number: Int64, _ make: (ByteBuffer) throws -> Void) throws -> ByteView {
        if arena.count > Self.maximumBytes || slices.count >= Self.maximumEntries {
            slices.removeAll(keepingCapacity: true)
            arena.removeAll()
        }
        let offset = arena.count
        try make(arena)
        slices[number] = ByteSlice(offset: offset, count: arena.count - offset)
        return ByteView(arena.base + offset, arena.count - offset)
    }
}
