package import Basics
internal import Foundation

/// A HealthKit device as the export prints it: `<<HKDevice: 0x…>, name:…, model:…>`.
///
/// The memory address differs per record and `creation date` appeared with an update of the OS, so neither is part of
/// what two exports are compared by (docs/identity.md); a software version `0.0.0` or empty counts as absent.
package struct Device: Equatable, Sendable {
    /// The fields compared, by the export's own field names.
    package private(set) var fields: [String: String]

    private static let knownFields = [
        "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier", "UDIDeviceIdentifier",
        "creation date",
    ]

    /// Parses a device description; a text of another form becomes the single field `description`.
    ///
    /// Values may contain commas and even `, model:`, so fields are cut at the last occurrence of each known name.
    package init(_ text: String) {
        fields = [:]
        let whole = Array(text.utf8)
        let start = whole.withByteView { Self.bodyStart(of: $0) }
        guard start > 0, whole.count > start, whole.last == UInt8(ascii: ">") else {
            // Whatever it is, a memory address is no part of it.
            if start == 0 || start < whole.count { fields["description"] = Self.text(whole[start...]) }
            return
        }
        let body = Data(whole[start...].dropLast())
        var cuts: [(at: Int, name: String, valueStart: Int)] = []
        for name in Self.knownFields {
            let mark = body.range(of: Data(", \(name):".utf8), options: .backwards)
            if let mark { cuts.append((mark.lowerBound, name, mark.upperBound)) }
        }
        cuts.sort { $0.at < $1.at }
        if let first = cuts.first, first.at == 0 {
            for (index, cut) in cuts.enumerated() {
                let end = index + 1 < cuts.count ? cuts[index + 1].at : body.count
                fields[cut.name] = Self.text(body[cut.valueStart..<max(end, cut.valueStart)])
            }
        } else if !body.isEmpty {
            fields["description"] = Self.text(body[...])
        }
        fields["creation date"] = nil
        if let software = fields["software"], software.isEmpty || software == "0.0.0" { fields["software"] = nil }
    }

    /// A device of these fields; nil where there are none.
    package init?(fields: [(name: String, value: String)]) {
        if fields.isEmpty { return nil }
        self.fields = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The description as exports print it, with address 0.
    package var text: String {
        let known = Self.knownFields.compactMap { name in fields[name].map { ", \(name):\($0)" } }
        return "<<HKDevice: 0x0>\(known.isEmpty ? fields["description"] ?? "" : known.joined())>"
    }

    /// The canonical JSON of the fields compared.
    package var canonicalJSON: JSON { .object(fields.map { ($0.key, .string($0.value)) }) }

    /// Where the text goes on behind `<<HKDevice: 0x…>`; 0 where it does not start so.
    package static func bodyStart(of text: ByteView) -> Int {
        let prefix: StaticString = "<<HKDevice: 0x"
        let address = prefix.utf8CodeUnitCount
        guard text.has(prefix, at: 0) else { return 0 }
        var end = address
        while end < text.count, text[end].isDigit || 0x61...0x66 ~= text[end] | 0x20 { end += 1 }
        return end > address && end < text.count && text[end] == UInt8(ascii: ">") ? end + 1 : 0
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
