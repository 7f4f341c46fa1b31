internal import Foundation

/// A growing byte buffer for the code that runs per record: no reference counting and no bounds checks while appending.
///
/// Not shared between threads while it is written.
package final class ByteBuffer {
    package private(set) var base: UnsafeMutablePointer<UInt8>
    package private(set) var count = 0
    private var capacity: Int

    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        base = Self.resized(nil, self.capacity)
    }

    deinit { free(base) }

    /// The bytes written so far; valid until the next append.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The bytes written so far; valid until the next append.
    package var view: ByteView { ByteView(base, count) }

    /// The bytes written so far as text.
    package var text: String { view.string }

    package func removeAll() { count = 0 }

    /// Forgets everything behind `length`.
    package func truncate(to length: Int) { count = min(count, length) }

    @inline(__always)
    package func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        base = Self.resized(base, capacity)
    }

    /// A large block grows where it is or by moving its memory pages: a copy would need both at once.
    private static func resized(_ base: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let block = realloc(base, capacity) else { fatalError("out of memory") }
        return block.assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always)
    package func append(_ pointer: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (base + count).update(from: pointer, count: length)
        count += length
    }

    package func append(_ slice: UnsafeRawBufferPointer) {
        guard let start = slice.baseAddress, !slice.isEmpty else { return }
        append(start.assumingMemoryBound(to: UInt8.self), slice.count)
    }

    package func append(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

    package func append(_ array: [UInt8]) {
        array.withUnsafeBufferPointer { if let start = $0.baseAddress { append(start, $0.count) } }
    }

    package func append(_ string: String) { string.withByteView { append($0.start, $0.count) } }

    package func append(repeating byte: UInt8, count more: Int) {
        reserve(more)
        (base + count).update(repeating: byte, count: more)
        count += more
    }

    /// Appends the last digits of a number that is not negative, with leading zeros.
    package func append(_ number: Int, digits: Int) {
        append(repeating: .digitZero, count: digits)
        var rest = number
        for index in 1...digits {
            base[count - index] = .digitZero + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends the decimal digits of an integer.
    package func append(decimal value: Int64) {
        reserve(20)
        var magnitude = value.magnitude
        if value < 0 {
            base[count] = .minus
            count += 1
        }
        var digits = 1
        var probe = magnitude
        while probe >= 10 {
            probe /= 10
            digits += 1
        }
        var position = count + digits
        count = position
        repeat {
            position -= 1
            base[position] = .digitZero + UInt8(truncatingIfNeeded: magnitude % 10)
            magnitude /= 10
        } while magnitude > 0
    }

    /// Appends a little-endian 32-bit length or number.
    @inline(__always)
    package func append(word value: UInt32) {
        reserve(4)
        UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: UInt32.self)
        count += 4
    }

    /// Appends a little-endian 64-bit number.
    @inline(__always)
    package func append(long value: Int64) {
        reserve(8)
        UnsafeMutableRawPointer(base + count).storeBytes(of: value.littleEndian, as: Int64.self)
        count += 8
    }
}
