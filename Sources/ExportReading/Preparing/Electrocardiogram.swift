internal import Foundation
internal import HealthModel

/// An ECG file as an item: fields by position, since its header words follow the phone's language.
enum Electrocardiogram {
    private static let fieldNames = [
        "name", "dateOfBirth", "recordedDate", "classification", "symptoms", "softwareVersion", "device", "sampleRate",
        "lead", "unit",
    ]
    /// A file of 30 seconds has about 150 KB.
    static let maximumBytes = 8 << 20

    /// The item; nil where no recorded instant is found.
    static func item(_ bytes: [UInt8], path: String, exportOffset: Int32?) -> ItemContent? {
        var fields: [String] = []
        var samples = StreamingSHA256()
        var sampleCount: Int64 = 0
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let sample = sample(line) {
                sample.withUnsafeBytes { samples.update($0) }
                sampleCount += 1
            } else {
                let cells = cells(line)
                if cells.count > 1 || sampleCount == 0 { fields.append(cells.dropFirst().joined(separator: ",")) }
            }
        }
        guard let recorded = fields.firstIndex(where: { Instant($0) != nil }), let instant = Instant(fields[recorded])
        else { return nil }
        var attributes: [(String, CanonicalJSON)] = []
        for (index, value) in fields.enumerated() where index != recorded {
            let name = recorded == 2 && index < fieldNames.count ? fieldNames[index] : "field\(index + 1)"
            attributes.append((name, .string(value)))
        }
        let extras: [(String, CanonicalJSON)] = [
            ("attributes", .object(attributes)),
            ("samples", .object([("count", .integer(sampleCount)), ("sha256", .string(samples.finalize().hex))])),
        ]
        let key = CanonicalJSON.array([.integer(instant.seconds)]).text
        let payload = ItemHash.payload(
            creation: nil, device: nil, metadata: nil, sourceName: nil, sourceVersion: nil, extras: extras)
        var item = ItemContent(
            kind: .electrocardiogram, sampleType: SampleType.electrocardiogram, start: instant.seconds,
            end: instant.seconds, extras: CanonicalJSON.object(extras).text, strictKey: key,
            identity: ItemHash.identity(strictKey: key), version: ItemHash.version(payload: payload))
        item.filePath = path
        if let exportOffset, exportOffset != instant.offsetSeconds {
            item.unversioned = CanonicalJSON.object([
                ("offsets", .object([("recordedDate", .integer(Int64(instant.offsetSeconds)))]))
            ]).text
        }
        return item
    }

    /// A sample in canonical decimals with a line end; nil where the line is none.
    private static func sample(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let normal = line.map { $0 == 0x2C ? 0x2E : $0 }
        return normal.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, let number = CanonicalNumber(ByteView(base, buffer.count)) else {
                return nil
            }
            return Array(number.text.utf8) + [0x0A]
        }
    }

    /// The cells of one CSV line, quotes removed.
    private static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        var out: [[UInt8]] = [[]]
        var quoted = false
        for byte in line {
            if byte == 0x22 {
                quoted.toggle()
            } else if byte == 0x2C, !quoted {
                out.append([])
            } else {
                out[out.count - 1].append(byte)
            }
        }
        return out.map { String(decoding: $0, as: UTF8.self) }
    }
}
