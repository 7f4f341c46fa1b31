/// CRC-32 as zip members carry it, four bytes at a time.
struct Checksum {
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 4 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            tables[index] = value
        }
        for index in 0..<768 {
            let value = tables[index]
            tables[index + 256] = value >> 8 ^ tables[Int(value & 255)]
        }
        return tables
    }()

    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of what was added so far.
    var value: UInt32 { ~state }

    /// Adds bytes.
    mutating func add(_ bytes: [UInt8]) {
        let tables = Self.tables
        var crc = state
        var position = 0
        while position + 4 <= bytes.count {
            crc ^= UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8
            crc ^= UInt32(bytes[position + 2]) << 16 | UInt32(bytes[position + 3]) << 24
            crc =
                tables[768 + Int(crc & 255)] ^ tables[512 + Int(crc >> 8 & 255)]
                ^ tables[256 + Int(crc >> 16 & 255)] ^ tables[Int(crc >> 24)]
            position += 4
        }
        while position < bytes.count {
            crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[position])) & 255)]
            position += 1
        }
        state = crc
    }
}
