internal import Czlib

/// One member of a zip as a stream, unpacked and checked against the length and the CRC-32 that the zip states.
///
/// Everything before a damaged place is delivered; the reasons have the numbers that libzip gives them.
final class UnsafeZipMember: ByteSource {
    var expectedByteCount: Int64? { member.isCut ? nil : member.byteCount }
    /// How much of the data has been used.
    private(set) var packedByteCount: Int64 = 0
    /// How much of the contents has been delivered.
    private(set) var byteCount: Int64 = 0
    private let bytes: ZipBytes
    private let member: ZipMember
    private var checksum: UInt = 0
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isAtEnd = false
    /// Why the data cannot be read on; thrown once what came before it has been delivered.
    private var damage: DamagedSource?

    private static let invalidData = "zip:13"
    private static let endsEarly = "zip:17"
    private static let otherLength = "zip:21"

    /// - Throws: `DamagedSource` where no local header is at its place, `HealthProbeError` where the zip cannot be opened.
    init(path: String, _ member: ZipMember) throws {
        self.member = member
        bytes = try ZipBytes(path: path, at: member.headerOffset, bufferBytes: Self.bufferBytes(member))
        stream.initialize(to: z_stream())
        let head = try bytes.take(30)
        guard let head, head.word(0) == 0x0403_4B50 else {
            throw DamagedSource(reason: "zipMember:No local header")
        }
        bytes.seek(to: bytes.offset + Int64(head.short(26) + head.short(28)))
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DamagedSource(reason: "zipMember:No memory")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// A small member needs no large buffer.
    private static func bufferBytes(_ member: ZipMember) -> Int {
        member.packedByteCount.map { Int(min(max($0, 0) + 512, 1 << 16)) } ?? 1 << 16
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let got = member.method == .stored ? copy(into: buffer) : inflate(into: buffer)
        if got > 0 {
            byteCount += Int64(got)
            checksum = crc32(checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(got))
            return got
        }
        if let damage { throw damage }
        if isAtEnd { try verify() }
        return 0
    }

    /// Reads to the end for the lengths alone.
    ///
    /// - Throws: `DamagedSource`.
    func drain() throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while try read(into: buffer) > 0 {}
    }

    private func verify() throws {
        if member.isCut { throw DamagedSource(reason: Self.endsEarly) }
        if let stated = member.checksum, UInt(stated) != checksum { throw DamagedSource(reason: "crcMismatch") }
        if let stated = member.byteCount, stated != byteCount { throw DamagedSource(reason: Self.otherLength) }
    }

    private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, damage == nil, !isAtEnd {
            let left = (member.packedByteCount ?? 0) - packedByteCount
            if left <= 0 {
                isAtEnd = true
            } else {
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                filled += use(limit: min(left, Int64(room.count))) { piece in
                    if piece.isEmpty { damage = DamagedSource(reason: Self.endsEarly) }
                    room.copyMemory(from: piece)
                    return piece.count
                }
            }
        }
        return filled
    }

    private func inflate(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let room = min(buffer.count, 1 << 30)
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        while stream.pointee.avail_out > 0, damage == nil, !isAtEnd {
            let left = member.packedByteCount.map { $0 - packedByteCount } ?? .max
            _ = use(limit: left) { piece in
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.pointee.avail_in = UInt32(piece.count)
                let code = Czlib.inflate(stream, Z_NO_FLUSH)
                if code == Z_STREAM_END {
                    isAtEnd = true
                } else if code != Z_OK {
                    // Without more input it has delivered what it had left.
                    damage = DamagedSource(reason: piece.isEmpty ? Self.endsEarly : Self.invalidData)
                }
                return piece.count - Int(stream.pointee.avail_in)
            }
        }
        return room - Int(stream.pointee.avail_out)
    }

    /// Hands on the next bytes of the data, none at its end; returns how many were used.
    private func use(limit: Int64, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
        do {
            let used = try bytes.withBuffered(limit: limit, body)
            packedByteCount += Int64(used)
            return used
        } catch {
            damage = error as? DamagedSource ?? DamagedSource(reason: "readError", isReadError: true)
            return 0
        }
    }
}
