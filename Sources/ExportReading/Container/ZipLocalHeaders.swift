/// The members of a zip without an end record, from their local headers in order: a zip that was cut off.
///
/// Nothing is searched for: reading ends where no header follows the member before it.
struct ZipLocalHeaders {
    private let path: String
    private let bytes: ZipBytes
    private static let headerBytes = 30
    private static let signature: UInt32 = 0x0403_4B50

    /// Nil where the file does not begin with a local header.
    ///
    /// - Throws: `DamagedSource` where the system cannot read it.
    init?(path: String, _ bytes: ZipBytes) throws {
        self.path = path
        self.bytes = bytes
        try bytes.seek(to: 0)
        guard try bytes.take(4)?.word(0) == Self.signature else { return nil }
    }

    /// Calls `body` with each member that is a file, the last one as far as it goes.
    ///
    /// - Throws: `DamagedSource` where the system cannot read the file, and what `body` throws.
    /// - Complexity: one unpacking of all members whose length is not in their header.
    func forEach(_ body: (ZipMember.Entry) throws -> Void) throws {
        var next: Int64? = 0
        while let at = next {
            try bytes.seek(to: at)
            guard let head = try bytes.take(Self.headerBytes), head.word(0) == Self.signature,
                let more = try bytes.take(head.short(26) + head.short(28))
            else { return }
            let name = more.bytes[..<head.short(26)]
            let wide = ZipMember.wide([head.word(22), head.word(18)], extra: more.bytes[head.short(26)...])
            var member = ZipMember(
                headerOffset: at, packedByteCount: wide[1], byteCount: wide[0], checksum: head.word(14),
                method: .init(rawValue: UInt16(head.short(8))))
            next = try end(of: &member, dataOffset: bytes.offset, hasDescriptor: head.short(6) & 8 != 0)
            if name.last != UInt8(ascii: "/") {
                try body(ZipMember.Entry(name: name, flags: head.short(6), member))
            }
        }
    }

    /// Where the next header follows a member; nil where the file ends before that is known.
    private func end(of member: inout ZipMember, dataOffset: Int64, hasDescriptor: Bool) throws -> Int64? {
        if !hasDescriptor, let count = member.packedByteCount, dataOffset + count <= bytes.byteCount {
            return dataOffset + count
        }
        let hasLength = member.packedByteCount != 0
        if hasDescriptor {
            (member.packedByteCount, member.byteCount, member.checksum) = (
                hasLength ? member.packedByteCount : nil, nil, nil
            )
        }
        // Without a length only a deflate stream shows its own end.
        guard hasLength || member.method == .deflated else {
            member.packedByteCount = nil
            return nil
        }
        let data = try UnsafeZipMember(path: path, member)
        do {
            try data.drain()
        } catch let damage as DamagedSource {
            if damage.isReadError { throw damage }
            member.isCut = true
            member.byteCount = data.byteCount
            return nil
        }
        member.packedByteCount = data.packedByteCount
        member.byteCount = data.byteCount
        guard let descriptor = try descriptor(at: dataOffset + data.packedByteCount, of: member) else {
            member.isCut = true
            return nil
        }
        member.checksum = descriptor.checksum
        return descriptor.end
    }

    /// The descriptor behind a member's data: its CRC-32, and the lengths that the data has shown.
    ///
    /// Its signature may be absent, and its lengths have four bytes or eight: the form that fits is the right one.
    private func descriptor(at offset: Int64, of member: ZipMember) throws -> (checksum: UInt32, end: Int64)? {
        for lengthBytes in [4, 8] {
            for signatureBytes in [4, 0] {
                try bytes.seek(to: offset)
                let count = signatureBytes + 4 + 2 * lengthBytes
                guard let fields = try bytes.take(count) else { continue }
                if signatureBytes > 0, fields.word(0) != 0x0807_4B50 { continue }
                let at = signatureBytes + 4
                func fits(_ length: Int64?, _ at: Int) -> Bool {
                    guard let length else { return false }
                    return lengthBytes == 4
                        ? fields.word(at) == UInt32(truncatingIfNeeded: length) : fields.long(at) == length
                }
                guard fits(member.packedByteCount, at), fits(member.byteCount, at + lengthBytes) else { continue }
                // An empty member's lengths fit in both widths; behind the right one a record begins.
                let follows = try bytes.take(2)
                guard follows.map({ $0.bytes == [0x50, 0x4B] }) ?? true else { continue }
                return (fields.word(signatureBytes), offset + Int64(count))
            }
        }
        return nil
    }
}
