internal import Foundation

/// A growing byte buffer for the code that runs per record.
///
/// `@safe`: appending makes room first, and every other access is checked against the bytes written so far. Not shared
/// between threads while it is written. What runs per byte is public, as in `ByteView`.
@safe
public final class ByteBuffer {
    @usableFromInline internal var base: UnsafeMutablePointer<UInt8>
    @usableFromInline internal var written = 0
    @usableFromInline internal var capacity: Int

    public var count: Int {
        @inlinable @inline(__always)
        get { written }
    }

    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        unsafe base = Self.resized(nil, self.capacity)
    }

    deinit { unsafe free(base) }

    /// The bytes written so far; valid until the next append.
    public var view: ByteView {
        @inlinable @inline(__always)
        get { unsafe ByteView(base, written) }
    }

    /// The bytes written so far as text.
    package var text: String { view.string }

    package func removeAll() { written = 0 }

    /// Forgets everything behind `length`.
    package func truncate(to length: Int) {
        precondition(length >= 0)
        written = min(written, length)
    }

    @inlinable @inline(__always)
    public func reserve(_ more: Int) {
        if written + more > capacity { grow(more) }
    }

    @usableFromInline @inline(never)
    internal func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        unsafe base = Self.resized(base, capacity)
    }

    /// A large block grows where it is or by moving its memory pages: a copy would need both at once.
    private static func resized(_ base: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let block = unsafe realloc(base, capacity) else { fatalError("out of memory") }
        return unsafe block.assumingMemoryBound(to: UInt8.self)
    }

    @inlinable @inline(__always)
    public func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        written += 1
    }

    /// Appends bytes of another owner.
    @inlinable @inline(__always)
    public func append(_ view: ByteView) {
        reserve(view.count)
        unsafe (base + count).update(from: view.start, count: view.count)
        written += view.count
    }

    @inlinable @inline(__always)
    public func append(_ text: StaticString) {
        unsafe append(ByteView(text.utf8Start, text.utf8CodeUnitCount))
    }

    @inlinable @inline(__always)
    public func append(_ array: [UInt8]) {
        unsafe array.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { unsafe append(ByteView(start, bytes.count)) }
        }
    }

    /// A literal goes to the overload above, which copies a length that the compiler knows.
    @_disfavoredOverload
    package func append(_ string: String) { string.withByteView { append($0) } }

    /// Appends what a C function writes.
    ///
    /// - Parameters:
    ///   - room: how many bytes it may write.
    ///   - write: returns how many it has written.
    /// - Returns: the same number.
    package func append(upTo room: Int, _ write: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows -> Int {
        reserve(room)
        let got = try unsafe write(UnsafeMutableRawBufferPointer(start: base + count, count: room))
        precondition(got >= 0 && got <= room)
        written += got
        return got
    }

    /// A byte that was written before.
    public subscript(place: Int) -> UInt8 {
        @inlinable @inline(__always)
        get { view[place] }
        @inlinable @inline(__always)
        set {
            precondition(place >= 0 && place < count)
            unsafe base[place] = newValue
        }
    }

    package func append(repeating byte: UInt8, count more: Int) {
        reserve(more)
        unsafe (base + count).update(repeating: byte, count: more)
        written += more
    }

    /// Appends the last digits of a number that is not negative, with leading zeros.
    package func append(_ number: Int, digits: Int) {
        append(repeating: .digitZero, count: digits)
        var rest = number
        for index in 1...digits {
            unsafe base[count - index] = .digitZero + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends the decimal digits of an integer.
    package func append(decimal value: Int64) {
        reserve(40)
        var magnitude = value.magnitude
        if value < 0 {
            unsafe base[count] = .minus
            written += 1
        }
        // From the last digit to the first, behind all the places that they may need; then to theirs.
        let end = count + 39
        var position = end
        repeat {
            position -= 1
            unsafe base[position] = .digitZero + UInt8(truncatingIfNeeded: magnitude % 10)
            magnitude /= 10
        } while magnitude > 0
        unsafe (base + count).update(from: base + position, count: end - position)
        written += end - position
    }

    /// Appends a little-endian 32-bit length or number.
    @inlinable @inline(__always)
    public func append(word value: UInt32) {
        reserve(4)
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: UInt32.self)
        written += 4
    }

    /// Replaces a 32-bit number that was appended before.
    @inlinable @inline(__always)
    public func replace(word value: UInt32, at place: Int) {
        precondition(place >= 0 && place + 4 <= written)
        unsafe UnsafeMutableRawPointer(base + place).storeBytes(of: value.littleEndian, as: UInt32.self)
    }

    /// Appends a little-endian 64-bit number.
    @inlinable @inline(__always)
    public func append(long value: Int64) {
        reserve(8)
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: Int64.self)
        written += 8
    }
}
