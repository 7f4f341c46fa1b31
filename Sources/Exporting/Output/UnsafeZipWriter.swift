internal import Basics
internal import Czlib
internal import Foundation

/// Writes a zip from its beginning to its end without going back, so that it may go into a pipe.
///
/// A member's CRC-32 and lengths follow its data, in a data descriptor; what does not fit into four bytes is in the records of
/// zip64. The time is given, and no other field depends on machine or moment: equal members give equal bytes.
///
/// `@unchecked Sendable`: one thread at a time writes.
/// `@safe`: zlib reads within a view and writes within the room of a buffer; the stream lives as long as this object.
@safe
final class UnsafeZipWriter: @unchecked Sendable {
    private let file: HashedFile
    private let time: ZipTime
    private var members: [ZipRecords.Member] = []
    private var current = ZipRecords.Member(name: "", offset: 0)
    private var checksum: UInt = 0
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let packed = ByteBuffer(capacity: UnsafeZipWriter.packedBytes)
    private static let packedBytes = 1 << 16
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
        unsafe stream.initialize(to: z_stream())
        let code = unsafe deflateInit2_(
            stream, compression.rawValue, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw FileFailure.error(ENOMEM) }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Begins a member.
    func begin(_ name: String) throws {
        current = ZipRecords.Member(name: name, offset: file.byteCount)
        checksum = 0
        unsafe deflateReset(stream)
        try write(ZipRecords.localHeader(current, time))
    }

    /// Appends bytes to the member.
    func append(_ bytes: ByteView) throws {
        var left = bytes
        while left.count > 0 {
            let piece = left[0..<min(left.count, Self.maximumPiece)]
            checksum = unsafe crc32(checksum, piece.start, UInt32(piece.count))
            current.byteCount += Int64(piece.count)
            try deflate(piece, Z_NO_FLUSH)
            left = left[piece.count...]
        }
    }

    /// Ends the member.
    func end() throws {
        try deflate(ByteView(""), Z_FINISH)
        current.checksum = UInt32(truncatingIfNeeded: checksum)
        members.append(current)
        try write(ZipRecords.descriptor(current))
    }

    /// Writes a whole member.
    func write(_ text: String, as name: String) throws {
        try begin(name)
        try text.withByteView { try append($0) }
        try end()
    }

    /// Writes the directory, without which this is no zip, and ends the file.
    func finish() throws -> WrittenFile {
        try write(ZipRecords.directory(members, at: file.byteCount, time))
        return try file.close()
    }

    private func deflate(_ bytes: ByteView, _ flush: Int32) throws {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.start)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            packed.removeAll()
            _ = unsafe packed.append(upTo: Self.packedBytes) { room in
                unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe stream.pointee.avail_out = UInt32(room.count)
                _ = unsafe Czlib.deflate(stream, flush)
                return room.count - Int(unsafe stream.pointee.avail_out)
            }
            current.packedByteCount += Int64(packed.count)
            try file.write(packed.view)
        } while packed.count == Self.packedBytes
    }

    private func write(_ bytes: [UInt8]) throws { try bytes.withByteView { try file.write($0) } }
}
