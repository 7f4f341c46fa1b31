package import Basics
internal import Foundation
package import HealthModel

/// An ECG file as an item: fields by position, since its header words follow the phone's language.
package enum ElectrocardiogramFile {
    private static let fieldNames = [
        "name", "dateOfBirth", "recordedDate", "classification", "symptoms", "softwareVersion", "device", "sampleRate",
        "lead", "unit",
    ]
    /// The words before the fields in an English file.
    private static let labels = [
        "Name", "Date of Birth", "Recorded Date", "Classification", "Symptoms", "Software Version", "Device",
        "Sample Rate", "Lead", "Unit",
    ]
    /// A longer file is no ECG; one of 30 seconds has about 150 KB.
    package static let maximumBytes = 8 << 20

    /// A line of a file: a value of its header, a sample, or another line among the samples.
    private enum Line {
        case field(String)
        /// The bytes of the line and the sample in canonical decimals.
        case sample(ArraySlice<UInt8>, CanonicalNumber)
        case text(ArraySlice<UInt8>)
    }

    /// Whether the file at a path of an export is read as an ECG: what else is in their folder is only stored.
    package static func isOne(_ path: String) -> Bool {
        SideFileKind.of(path) == .electrocardiogram && path.lowercased().hasSuffix(".csv")
    }

    /// The bytes of a file of an export; nil where it is damaged or longer than an ECG.
    package static func bytes(of file: SideFile, in container: ExportContainer) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try container.read(file) { if bytes.count <= maximumBytes { bytes.append(contentsOf: $0) } }
        } catch is DamagedSource {
            return nil
        }
        return bytes.count <= maximumBytes ? bytes : nil
    }

    /// Identity and version that a file has as an item; nil where it is no ECG.
    package static func hashes(_ bytes: [UInt8]) -> (identity: Digest256, version: Digest256)? {
        item(bytes, path: "", exportOffset: nil).map { ($0.content.identity, $0.content.version) }
    }

    /// The samples of a file in their order; lines among them that are none are left out.
    package static func samples(_ bytes: [UInt8]) -> [Double] {
        lines(bytes).compactMap { if case .sample(_, let number) = $0 { number.value } else { nil } }
    }

    /// The item, and how many lines among its samples are none; nil where no recorded instant is found.
    static func item(
        _ bytes: [UInt8], path: String, exportOffset: Int32?
    ) -> (content: ItemContent, textLines: Int)? {
        var samples = SHA256()
        var sampleCount: Int64 = 0
        var fields: [String] = []
        var texts: [String] = []
        for line in lines(bytes) {
            switch line {
            case .field(let value): fields.append(value)
            case .sample(_, let number):
                (number.text + "\n").withByteView { samples.update($0) }
                sampleCount += 1
            case .text(let line):
                (line + [0x0A]).withByteView { samples.update($0) }
                texts.append(String(decoding: line, as: UTF8.self))
            }
        }
        guard let recorded = fields.firstIndex(where: { Instant($0) != nil }), let instant = Instant(fields[recorded])
        else { return nil }
        let attributes = names(of: fields, recorded: recorded).enumerated().filter { $0.offset != recorded }
            .map { ($0.element, JSON.string(fields[$0.offset])) }
        var extras: [(String, JSON)] = [
            ("attributes", .object(attributes)),
            ("samples", .object([("count", .int(sampleCount)), ("sha256", .string(samples.finalize().hex))])),
        ]
        if !texts.isEmpty { extras.append(("text", .string(texts.joined(separator: "\n")))) }
        var item = ItemContent(
            kind: .electrocardiogram, sampleType: SampleType.electrocardiogram, at: instant.seconds,
            key: [.int(instant.seconds)], extras: extras)
        item.filePath = path
        if let exportOffset, exportOffset != instant.offsetSeconds {
            item.volatileFields =
                JSON.object([
                    ("offsets", .object([("recordedDate", .int(Int64(instant.offsetSeconds)))]))
                ]).canonicalText
        }
        return (item, texts.count)
    }

    /// The file with other values in its header, whose words are those of the format; nil where it is no ECG.
    ///
    /// - Parameter change: gets the values by name, but for the recorded instant; a value that is not returned is blank.
    package static func rewritten(
        _ bytes: [UInt8], _ change: ([(name: String, value: JSON)]) -> [(name: String, value: JSON)]
    ) -> [UInt8]? {
        var samples: [UInt8] = []
        var fields: [String] = []
        for line in lines(bytes) {
            switch line {
            case .field(let value): fields.append(value)
            case .sample(let line, _): samples += line + [0x0A]
            case .text: break
            }
        }
        guard let recorded = fields.firstIndex(where: { Instant($0) != nil }) else { return nil }
        let names = names(of: fields, recorded: recorded)
        let shown = change(
            names.indices.filter { $0 != recorded }.map { (name: names[$0], value: .string(fields[$0])) })
        let lines = names.indices.map { index in
            let value =
                index == recorded ? fields[index] : shown.first { $0.name == names[index] }?.value.string ?? ""
            let label = names[index] == fieldNames.dropFirst(index).first ? labels[index] : names[index]
            return "\(label),\(cell(value))\n"
        }
        return Array((lines.joined() + "\n").utf8) + samples
    }

    /// The names of header fields, by position.
    private static func names(of fields: [String], recorded: Int) -> [String] {
        fields.indices.map { recorded == 2 && $0 < fieldNames.count ? fieldNames[$0] : "field\($0 + 1)" }
    }

    /// The lines of a file in order, blank ones left out; the header ends with the first sample.
    private static func lines(_ bytes: [UInt8]) -> [Line] {
        var hasSamples = false
        return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
            guard let first = line.firstIndex(where: isInk), let last = line.lastIndex(where: isInk) else { return nil }
            if let number = sample(line[first...last]) {
                hasSamples = true
                return .sample(line, number)
            }
            if hasSamples { return .text(line) }
            return .field(cells(line).dropFirst().joined(separator: ","))
        }
    }

    private static func isInk(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }

    /// A sample, whichever decimal separator it has; nil where the line is none.
    private static func sample(_ line: ArraySlice<UInt8>) -> CanonicalNumber? {
        line.map { $0 == .comma ? .point : $0 }.withByteView { CanonicalNumber($0) }
    }

    /// The cells of one CSV line; a cell that begins with a quote ends at the next one that is not doubled.
    private static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        var out: [[UInt8]] = [[]]
        var isQuoted = false
        var isNew = true
        var at = line.startIndex
        while at < line.endIndex {
            let byte = line[at]
            at += 1
            if isQuoted, byte == 0x22 {
                isQuoted = at < line.endIndex && line[at] == 0x22
                guard isQuoted else { continue }
                at += 1
            } else if !isQuoted, byte == 0x2C {
                out.append([])
                isNew = true
                continue
            } else if isNew, byte == 0x22 {
                isQuoted = true
                isNew = false
                continue
            }
            out[out.count - 1].append(byte)
            isNew = false
        }
        return out.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A value as a CSV cell.
    private static func cell(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 }) else { return value }
        return "\"\(value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
