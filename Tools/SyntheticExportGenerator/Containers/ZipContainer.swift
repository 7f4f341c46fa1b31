/// A zip with stored members and data descriptors, in the layout of a phone's `export.zip`; zip64 where it needs it.
final class ZipContainer: ExportContainer {
    private struct Entry {
        let name: [UInt8]
        let offset: Int
        var size = 0
        var checksum = Checksum()
        var isLarge: Bool { size > 0xFFFF_FFFE || offset > 0xFFFF_FFFE }
    }

    private let sink: FileSink
    private var written = 0
    private var entries: [Entry] = []
    /// 2025-01-01 00:00, so that equal content makes equal bytes.
    private let time: (clock: Int, date: Int) = (0, (2025 - 1980) << 9 | 1 << 5 | 1)
    let keepsSideFiles = true

    init(path: String) throws {
        sink = try FileSink(path: path)
    }

    func begin(_ path: String) throws {
        let entry = Entry(name: Array("apple_health_export/\(path)".utf8), offset: written)
        entries.append(entry)
        var header = Fields()
        header.four(0x0403_4B50)
        header.common(time: time)
        for _ in 0..<3 { header.four(0) }
        header.two(entry.name.count)
        header.two(0)
        try emit(header.bytes + entry.name)
    }

    func write(_ bytes: [UInt8]) throws {
        entries[entries.count - 1].checksum.add(bytes)
        entries[entries.count - 1].size += bytes.count
        try emit(bytes)
    }

    func end() throws {
        let entry = entries[entries.count - 1]
        var descriptor = Fields()
        descriptor.four(0x0807_4B50)
        descriptor.four(Int(entry.checksum.value))
        for _ in 0..<2 {
            if entry.size > 0xFFFF_FFFE { descriptor.eight(entry.size) } else { descriptor.four(entry.size) }
        }
        try emit(descriptor.bytes)
    }

    func finish() throws {
        let start = written
        for entry in entries { try emit(directoryEntry(entry)) }
        try emit(trailer(start: start, size: written - start))
        try sink.close()
    }

    private func emit(_ bytes: [UInt8]) throws {
        written += bytes.count
        try sink.write(bytes)
    }

    private func directoryEntry(_ entry: Entry) -> [UInt8] {
        var fields = Fields()
        fields.four(0x0201_4B50)
        fields.two(3 << 8 | 20)
        fields.common(time: time)
        fields.four(Int(entry.checksum.value))
        for _ in 0..<2 { fields.four(entry.isLarge ? 0xFFFF_FFFF : entry.size) }
        fields.two(entry.name.count)
        fields.two(entry.isLarge ? 28 : 0)
        for _ in 0..<3 { fields.two(0) }
        fields.four(0o100644 << 16)
        fields.four(entry.isLarge ? 0xFFFF_FFFF : entry.offset)
        fields.bytes += entry.name
        if entry.isLarge {
            fields.two(1)
            fields.two(24)
            fields.eight(entry.size)
            fields.eight(entry.size)
            fields.eight(entry.offset)
        }
        return fields.bytes
    }

    private func trailer(start: Int, size: Int) -> [UInt8] {
        var fields = Fields()
        let isLarge = entries.contains { $0.isLarge } || start > 0xFFFF_FFFE || entries.count > 65_534
        if isLarge {
            let position = written
            fields.four(0x0606_4B50)
            fields.eight(44)
            fields.two(3 << 8 | 45)
            fields.two(45)
            fields.four(0)
            fields.four(0)
            fields.eight(entries.count)
            fields.eight(entries.count)
            fields.eight(size)
            fields.eight(start)
            fields.four(0x0706_4B50)
            fields.four(0)
            fields.eight(position)
            fields.four(1)
        }
        fields.four(0x0605_4B50)
        fields.four(0)
        for _ in 0..<2 { fields.two(isLarge ? 0xFFFF : entries.count) }
        fields.four(isLarge ? 0xFFFF_FFFF : size)
        fields.four(isLarge ? 0xFFFF_FFFF : start)
        fields.two(0)
        return fields.bytes
    }

    /// Little-endian fields.
    private struct Fields {
        var bytes: [UInt8] = []

        mutating func two(_ value: Int) { append(value, count: 2) }
        mutating func four(_ value: Int) { append(value, count: 4) }
        mutating func eight(_ value: Int) { append(value, count: 8) }

        /// Version needed, flags (data descriptor, UTF-8), method, time: the part that both kinds of header share.
        mutating func common(time: (clock: Int, date: Int)) {
            two(20)
            two(1 << 3 | 1 << 11)
            two(0)
            two(time.clock)
            two(time.date)
        }

        private mutating func append(_ value: Int, count: Int) {
            for position in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * position))) }
        }
    }
}
