internal import Czlib
internal import Foundation
internal import HealthModel

/// Writes a zip from its beginning to its end without going back, so that it may go into a pipe.
///
/// A member's CRC-32 and lengths follow its data, in a data descriptor; what does not fit into four bytes is in the records of
/// zip64. The time is given, and no other field depends on machine or moment: equal members give equal bytes.
///
/// `@unchecked Sendable`: one thread at a time writes.
final class UnsafeZipWriter: @unchecked Sendable {
    private let file: HashedFile
    private let time: ZipTime
    private var members: [ZipRecords.Member] = []
    private var current = ZipRecords.Member(name: "", offset: 0)
    private var checksum: UInt = 0
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    /// No call of zlib takes more bytes.
    private static let maximumPiece = 1 << 30

    /// How much time is spent on a smaller zip.
    enum Compression: Int32 {
        /// For a stream that something waits for.
        case fast = 1
        case usual = 6
    }

    /// - Throws: `inputOutput` where there is no memory for it.
    init(_ file: HashedFile, _ time: ZipTime, _ compression: Compression) throws {
        self.file = file
        self.time = time
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, compression.rawValue, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw FileFailure.error(ENOMEM) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        packed.deallocate()
    }

    /// Begins a member.
    func begin(_ name: String) throws {
        current = ZipRecords.Member(name: name, offset: file.byteCount)
        checksum = 0
        deflateReset(stream)
        try write(ZipRecords.localHeader(current, time))
    }

    /// Appends bytes to the member.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var left = bytes
        while !left.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: left.prefix(Self.maximumPiece))
            checksum = crc32(checksum, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(piece.count))
            current.byteCount += Int64(piece.count)
            try deflate(piece, Z_NO_FLUSH)
            left = UnsafeRawBufferPointer(rebasing: left.dropFirst(piece.count))
        }
    }

    /// Ends the member.
    func end() throws {
        try deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
        current.checksum = UInt32(truncatingIfNeeded: checksum)
        members.append(current)
        try write(ZipRecords.descriptor(current))
    }

    /// Writes a whole member.
    func write(_ text: String, as name: String) throws {
        try begin(name)
        var copy = text
        try copy.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
        try end()
    }

    /// Writes the directory, without which this is no zip.
    func finish() throws { try write(ZipRecords.directory(members, at: file.byteCount, time)) }

    private func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) throws {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = packed.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(packed.count)
            _ = Czlib.deflate(stream, flush)
            let made = packed.count - Int(stream.pointee.avail_out)
            current.packedByteCount += Int64(made)
            try file.write(UnsafeRawBufferPointer(rebasing: packed[..<made]))
        } while stream.pointee.avail_out == 0
    }

    private func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try file.write($0) } }
}
