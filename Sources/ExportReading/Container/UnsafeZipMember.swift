internal import Basics
internal import Czlib

/// One member of a zip as a stream, unpacked and checked against the length and the CRC-32 that the zip states.
///
/// Everything before a damaged place is delivered; the reasons have the numbers that libzip gives them.
///
/// `@safe`: zlib reads within a view and writes within the room of a buffer; the stream lives as long as this object.
@safe
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
        unsafe stream.initialize(to: z_stream())
        let head = try bytes.take(30)
        guard let head, head.word(0) == 0x0403_4B50 else {
            throw DamagedSource(reason: "zipMember:No local header")
        }
        try bytes.seek(to: bytes.offset + Int64(head.short(26) + head.short(28)))
        guard unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DamagedSource(reason: "zipMember:No memory")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// A small member needs no large buffer.
    private static func bufferBytes(_ member: ZipMember) -> Int {
        member.packedByteCount.map { Int(min(max($0, 0) + 512, 1 << 16)) } ?? 1 << 16
    }

    func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
        let before = buffer.count
        if member.method == .stored { copy(into: buffer, limit) } else { inflate(into: buffer, limit) }
        let got = buffer.view[before...]
        if got.count > 0 {
            byteCount += Int64(got.count)
            checksum = unsafe crc32(checksum, got.start, UInt32(got.count))
            return got.count
        }
        if let damage { throw damage }
        if isAtEnd { try verify() }
        return 0
    }

    /// Reads to the end for the lengths alone.
    ///
    /// - Throws: `DamagedSource`.
    func drain() throws {
        let buffer = ByteBuffer(capacity: 1 << 16)
        while try read(into: buffer, upTo: 1 << 16) > 0 { buffer.removeAll() }
    }

    private func verify() throws {
        if member.isCut { throw DamagedSource(reason: Self.endsEarly) }
        if let stated = member.checksum, UInt(stated) != checksum { throw DamagedSource(reason: "crcMismatch") }
        if let stated = member.byteCount, stated != byteCount { throw DamagedSource(reason: Self.otherLength) }
    }

    private func copy(into buffer: ByteBuffer, _ limit: Int) {
        let end = buffer.count + limit
        while buffer.count < end, damage == nil, !isAtEnd {
            let left = (member.packedByteCount ?? 0) - packedByteCount
            if left <= 0 {
                isAtEnd = true
            } else {
                use(limit: min(left, Int64(end - buffer.count))) { piece in
                    if piece.count == 0 { damage = DamagedSource(reason: Self.endsEarly) }
                    buffer.append(piece)
                    return piece.count
                }
            }
        }
    }

    private func inflate(into buffer: ByteBuffer, _ limit: Int) {
        _ = unsafe buffer.append(upTo: min(limit, 1 << 30)) { unsafe inflate(into: $0) }
    }

    private func inflate(into room: UnsafeMutableRawBufferPointer) -> Int {
        unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(room.count)
        while unsafe stream.pointee.avail_out > 0, damage == nil, !isAtEnd {
            let left = member.packedByteCount.map { $0 - packedByteCount } ?? .max
            use(limit: left) { piece in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.start)
                unsafe stream.pointee.avail_in = UInt32(piece.count)
                let code = unsafe Czlib.inflate(stream, Z_NO_FLUSH)
                if code == Z_STREAM_END {
                    isAtEnd = true
                } else if code != Z_OK {
                    // Without more input it has delivered what it had left.
                    damage = DamagedSource(reason: piece.count == 0 ? Self.endsEarly : Self.invalidData)
                }
                return unsafe piece.count - Int(stream.pointee.avail_in)
            }
        }
        return unsafe room.count - Int(stream.pointee.avail_out)
    }

    /// Hands on the next bytes of the data, none at its end.
    private func use(limit: Int64, _ body: (ByteView) -> Int) {
        do {
            packedByteCount += Int64(try bytes.withBuffered(limit: limit, body))
        } catch {
            damage = error as? DamagedSource ?? DamagedSource(reason: "readError", isReadError: true)
        }
    }
}
