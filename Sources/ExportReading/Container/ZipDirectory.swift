internal import HealthModel

/// The central directory of a zip, found through its end record.
struct ZipDirectory {
    private let bytes: ZipBytes
    /// Where it begins.
    private(set) var offset: Int64
    private var byteCount: Int64
    private var count: Int64
    /// Whether the count is stated with eight bytes; of two bytes some programs write the lowest ones.
    private var isZip64 = false
    /// Whether nothing is between the directory and its end record.
    private(set) var reachesEnd = false

    private static let endBytes = 22
    private static let locatorBytes = 20
    private static let end64Bytes = 56
    private static let headerBytes = 46

    /// Finds the end record; nil where there is none.
    ///
    /// - Throws: `notAHealthExport` where it contradicts the file, `DamagedSource` where the system cannot read that.
    init?(_ bytes: ZipBytes) throws {
        let tailCount = Int(min(bytes.byteCount, Int64(Self.endBytes + 0xFFFF)))
        try bytes.seek(to: bytes.byteCount - Int64(tailCount))
        guard let tail = try bytes.take(tailCount) else { return nil }
        let signature: [UInt8] = [0x50, 0x4B, 5, 6]
        for at in stride(from: tailCount - Self.endBytes, through: 0, by: -1)
        where tail.bytes[at] == signature[0] && tail.bytes[at..<at + 4].elementsEqual(signature) {
            let commentEnd = at + Self.endBytes + tail.short(at + 20)
            guard commentEnd <= tailCount else { continue }
            let place = bytes.byteCount - Int64(tailCount - at)
            if let found = try ZipDirectory(bytes, tail, at: at, place: place) {
                self = found
                return
            }
            // One that does not end the file may be that of a zip inside this one.
            if commentEnd == tailCount { throw Self.contradiction }
        }
        return nil
    }

    /// The directory of an end record; nil where the file has none at that place.
    ///
    /// - Parameters:
    ///   - at: where the record is in the tail.
    ///   - place: where it is in the file.
    private init?(_ bytes: ZipBytes, _ tail: ZipFields, at: Int, place: Int64) throws {
        self.bytes = bytes
        count = Int64(tail.short(at + 10))
        byteCount = Int64(tail.word(at + 12))
        offset = Int64(tail.word(at + 16))
        var limit = place
        try bytes.seek(to: max(place - Int64(Self.locatorBytes), 0))
        if let locator = try bytes.take(Self.locatorBytes), locator.word(0) == 0x0706_4B50 {
            limit = locator.long(8)
            guard limit + Int64(Self.end64Bytes + Self.locatorBytes) <= place else { return nil }
            try bytes.seek(to: limit)
            guard let end = try bytes.take(Self.end64Bytes), end.word(0) == 0x0606_4B50 else { return nil }
            isZip64 = true
            count = end.long(32)
            byteCount = end.long(40)
            offset = end.long(48)
        }
        guard offset + byteCount <= limit, byteCount >= Int64(count > 0 ? Self.headerBytes : 0) else { return nil }
        reachesEnd = offset + byteCount == limit
        guard count > 0 else { return }
        try bytes.seek(to: offset)
        guard try bytes.take(4)?.word(0) == 0x0201_4B50 else { return nil }
    }

    /// Calls `body` with each member that is a file, in the order of the directory.
    ///
    /// - Returns: where the members are, folders included, in the order of the file.
    /// - Throws: `notAHealthExport` where the directory contradicts its end record or members overlap or reach into it,
    ///   `DamagedSource` where the system cannot read it, and what `body` throws.
    @discardableResult
    func forEach(_ body: (ZipMember.Entry) throws -> Void) throws -> [ZipMember.Extent] {
        try bytes.seek(to: offset)
        let end = offset + byteCount
        var index: Int64 = 0
        var extents: [ZipMember.Extent] = []
        while bytes.offset + Int64(Self.headerBytes) <= end, let head = try bytes.take(Self.headerBytes),
            head.word(0) == 0x0201_4B50
        {
            let (nameCount, extraCount, commentCount) = (head.short(28), head.short(30), head.short(32))
            guard bytes.offset + Int64(nameCount + extraCount + commentCount) <= end,
                let more = try bytes.take(nameCount + extraCount + commentCount)
            else { throw Self.contradiction }
            let name = more.bytes[..<nameCount]
            let wide = ZipMember.wide(
                [head.word(24), head.word(20), head.word(42)], extra: more.bytes[nameCount..<nameCount + extraCount])
            let member = ZipMember(
                headerOffset: wide[2], packedByteCount: wide[1], byteCount: wide[0], checksum: head.word(16),
                index: UInt32(clamping: index), method: .init(rawValue: UInt16(head.short(10))))
            extents.append(
                ZipMember.Extent(
                    headerOffset: wide[2], nameByteCount: Int64(nameCount), packedByteCount: wide[1],
                    hasDescriptor: head.short(8) & 8 != 0))
            index += 1
            // A folder; one with content is listed, so that it cannot hide anything.
            if name.last != UInt8(ascii: "/") || wide[0] > 0 {
                try body(ZipMember.Entry(name: name, flags: head.short(8), member))
            }
        }
        guard isZip64 ? index == count : index & 0xFFFF == count, extents.allSatisfy({ $0.leastEnd <= offset })
        else { throw Self.contradiction }
        extents.sort { $0.headerOffset < $1.headerOffset }
        for (extent, next) in zip(extents, extents.dropFirst()) where next.headerOffset < extent.leastEnd {
            throw HealthProbeError(
                .notAHealthExport, "Members of the zip archive overlap.",
                hint: "No known program writes such a zip. Check where the file comes from.")
        }
        return extents
    }

    private static let contradiction = HealthProbeError(
        .notAHealthExport, "The zip archive cannot be read: its end record or directory contradicts the file.",
        hint: "Copy it again, or unpack it and give the folder or its bare XML.")
}
