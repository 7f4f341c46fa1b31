internal import Czlib

/// CRC-32 as zip members carry it.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: [UInt8]) { value = unsafe UInt32(crc32(UInt(value), bytes, UInt32(bytes.count))) }
}
