internal import Foundation
internal import HealthModel

/// An ECG file as an item: fields by position, since its header words follow the phone's language.
enum Electrocardiogram {
    private static let fieldNames = [
        "name", "dateOfBirth", "recordedDate", "classification", "symptoms", "softwareVersion", "device", "sampleRate",
        "lead", "unit",
    ]
    /// The words before the fields in an English file.
    private static let labels = [
        "Name", "Date of Birth", "Recorded Date", "Classification", "Symptoms", "Software Version", "Device",
        "Sample Rate", "Lead", "Unit",
    ]
    /// A file of 30 seconds has about 150 KB.
    static let maximumBytes = 8 << 20

    /// The item; nil where no recorded instant is found.
    static func item(_ bytes: [UInt8], path: String, exportOffset: Int32?) -> ItemContent? {
        var samples = StreamingSHA256()
        var sampleCount: Int64 = 0
        let fields = fields(bytes) { _, sample in
            sample.withUnsafeBytes { samples.update($0) }
            sampleCount += 1
        }
        guard let recorded = fields.firstIndex(where: { Instant($0) != nil }), let instant = Instant(fields[recorded])
        else { return nil }
        let attributes = names(of: fields, recorded: recorded).enumerated().filter { $0.offset != recorded }
            .map { ($0.element, CanonicalJSON.string(fields[$0.offset])) }
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
            item.unversioned =
                CanonicalJSON.object([
                    ("offsets", .object([("recordedDate", .integer(Int64(instant.offsetSeconds)))]))
                ]).text
        }
        return item
    }

    /// The same file with other header values; nil where no recorded instant is found.
    ///
    /// - Parameter change: gets the values by name, but for the recorded instant; a value that is not returned is blank.
    static func rewritten(
        _ bytes: [UInt8], _ change: ([(name: String, value: CanonicalJSON)]) -> [(name: String, value: CanonicalJSON)]
    ) -> [UInt8]? {
        var samples: [UInt8] = []
        let fields = fields(bytes) { line, _ in samples += line + [0x0A] }
        guard let recorded = fields.firstIndex(where: { Instant($0) != nil }) else { return nil }
        let names = names(of: fields, recorded: recorded)
        let shown = change(
            names.indices.filter { $0 != recorded }.map { (name: names[$0], value: .string(fields[$0])) })
        let lines = names.indices.map { index in
            let value =
                index == recorded ? fields[index] : shown.first { $0.name == names[index] }?.value.string ?? ""
            let label = names[index] == fieldNames.dropFirst(index).first ? labels[index] : names[index]
            return "\(label),\(value.utf8.contains(0x2C) ? "\"\(value)\"" : value)\n"
        }
        return Array((lines.joined() + "\n").utf8) + samples
    }

    /// The names of header fields, by position.
    private static func names(of fields: [String], recorded: Int) -> [String] {
        fields.indices.map { recorded == 2 && $0 < fieldNames.count ? fieldNames[$0] : "field\($0 + 1)" }
    }

    /// The header's values in order.
    ///
    /// - Parameter body: called with each sample's line and its canonical decimals.
    private static func fields(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>, [UInt8]) -> Void) -> [String] {
        var fields: [String] = []
        var hasSamples = false
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if let sample = sample(line) {
                body(line, sample)
                hasSamples = true
            } else {
                let cells = cells(line)
                if cells.count > 1 || !hasSamples { fields.append(cells.dropFirst().joined(separator: ",")) }
            }
        }
        return fields
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
