internal import Basics

/// The records of a zip around its members' data (PKWARE's APPNOTE, 4.3).
enum ZipRecords {
    /// A member as the records have it.
    struct Member {
        /// With its folders.
        var name: String
        /// Where its local header begins.
        var offset: Int64
        /// CRC-32 of its contents.
        var checksum: UInt32 = 0
        var byteCount: Int64 = 0
        var packedByteCount: Int64 = 0

        init(name: String, offset: Int64) {
            self.name = name
            self.offset = offset
        }

        /// Whether a length does not fit into four bytes.
        var isWide: Bool { byteCount >= ZipRecords.wide || packedByteCount >= ZipRecords.wide }
    }

    /// What a field of four bytes has where the number is in a record of zip64.
    private static let wide = Int64(UInt32.max)
    /// The same of a field of two bytes.
    private static let wideCount = Int64(UInt16.max)
    /// A descriptor follows the data; the name is UTF-8.
    private static let flags: UInt16 = 0x0808
    private static let deflated: UInt16 = 8
    /// Version 2.0 of the format, or 4.5 for zip64.
    private static func version(isWide: Bool) -> UInt16 { isWide ? 45 : 20 }
    /// Made on Unix, by the rules of version 4.5.
    private static let madeBy: UInt16 = 3 << 8 | 45
    /// A regular file of its owner alone.
    private static let attributes: UInt32 = 0o100600 << 16

    /// What precedes a member's data. Its lengths are not known yet.
    static func localHeader(_ member: Member, _ time: ZipTime) -> [UInt8] {
        var record = LittleEndianBytes()
        record.append(UInt32(0x0403_4B50))
        record.append(version(isWide: false), flags, deflated, time.time, time.date)
        record.append(UInt32(0), 0, 0)
        record.append(UInt16(member.name.utf8.count), 0)
        return record.bytes + Array(member.name.utf8)
    }

    /// What follows a member's data.
    static func descriptor(_ member: Member) -> [UInt8] {
        var record = LittleEndianBytes()
        record.append(UInt32(0x0807_4B50), member.checksum)
        if member.isWide {
            record.append(UInt64(member.packedByteCount), UInt64(member.byteCount))
        } else {
            record.append(UInt32(member.packedByteCount), UInt32(member.byteCount))
        }
        return record.bytes
    }

    /// The central directory with its end records.
    ///
    /// - Parameter offset: where it begins.
    static func directory(_ members: [Member], at offset: Int64, _ time: ZipTime) -> [UInt8] {
        var record = LittleEndianBytes()
        for member in members { append(member, time, to: &record) }
        let byteCount = Int64(record.bytes.count)
        let count = Int64(members.count)
        if count >= wideCount || offset >= wide || byteCount >= wide {
            record.append(UInt32(0x0606_4B50))
            record.append(UInt64(44))
            record.append(madeBy, version(isWide: true))
            record.append(UInt32(0), 0)
            record.append(UInt64(count), UInt64(count), UInt64(byteCount), UInt64(offset))
            record.append(UInt32(0x0706_4B50), 0)
            record.append(UInt64(offset + byteCount))
            record.append(UInt32(1))
        }
        record.append(UInt32(0x0605_4B50))
        record.append(UInt16(0), 0, UInt16(min(count, wideCount)), UInt16(min(count, wideCount)))
        record.append(UInt32(min(byteCount, wide)), UInt32(min(offset, wide)))
        record.append(UInt16(0))
        return record.bytes
    }

    private static func append(_ member: Member, _ time: ZipTime, to record: inout LittleEndianBytes) {
        let numbers = [member.byteCount, member.packedByteCount, member.offset]
        let extra = numbers.filter { $0 >= wide }.map { UInt64($0) }
        record.append(UInt32(0x0201_4B50))
        record.append(madeBy, version(isWide: !extra.isEmpty), flags, deflated, time.time, time.date)
        record.append(member.checksum, UInt32(min(member.packedByteCount, wide)), UInt32(min(member.byteCount, wide)))
        record.append(UInt16(member.name.utf8.count), extra.isEmpty ? 0 : UInt16(4 + 8 * extra.count), 0, 0, 0)
        record.append(attributes, UInt32(min(member.offset, wide)))
        record.bytes += Array(member.name.utf8)
        guard !extra.isEmpty else { return }
        record.append(UInt16(1), UInt16(8 * extra.count))
        for number in extra { record.append(number) }
    }
}

/// MS-DOS time and date, which begin in 1980 and end in 2107.
struct ZipTime {
    let time: UInt16
    let date: UInt16

    /// - Parameter local: seconds since 1970 in the zone of the dates.
    init(local: Int64) {
        let (days, seconds) = CivilDate.dayAndSecond(local)
        let day = CivilDate.date(daysSince1970: days)
        guard (1980...2107).contains(day.year) else {
            (time, date) = (0, 0x21)
            return
        }
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        time = UInt16(hour << 11 | minute << 5 | second / 2)
        date = UInt16((day.year - 1980) << 9 | day.month << 5 | day.day)
    }
}

/// Numbers of a zip's records, whose lowest byte comes first.
private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
        for number in numbers {
            for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
    }
}
