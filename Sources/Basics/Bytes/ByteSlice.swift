/// A run of bytes inside a page's arena: where it starts and how long it is; length 0 with `offset` -1 means absent.
public struct ByteSlice: Sendable, Equatable {
    public var offset: Int32
    public var count: Int32

    @inlinable
    public init(offset: Int, count: Int) {
        self.offset = Int32(truncatingIfNeeded: offset)
        self.count = Int32(truncatingIfNeeded: count)
    }

    /// No value at all, as distinct from an empty one.
    @inlinable public static var absent: ByteSlice { ByteSlice(offset: -1, count: 0) }

    public var isAbsent: Bool { offset < 0 }
}

extension ByteBuffer {
    /// The bytes of a slice.
    @inlinable @inline(__always)
    public func view(_ slice: ByteSlice) -> ByteView {
        let offset = Int(slice.offset)
        return view[offset..<offset + Int(slice.count)]
    }

    /// The slice of all bytes from a place on.
    package func slice(from offset: Int) -> ByteSlice { ByteSlice(offset: offset, count: count - offset) }
}
