/// A HealthKit device as the export prints it: `<<HKDevice: 0x…>, name:…, model:…>`.
///
/// The memory address differs per record and `creation date` appeared with an update of the OS, so neither is part of
/// what two exports are compared by (section 3 of the design); a software version `0.0.0` or empty counts as absent.
package struct Device: Equatable, Sendable {
    /// The fields compared, by the export's own field names.
    package private(set) var fields: [String: String]

    private static let knownFields = [
        "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier", "UDIDeviceIdentifier",
        "creation date",
    ]
    private static let prefix = "<<HKDevice: 0x"

    /// Parses a device description; a text of another form becomes the single field `description`.
    ///
    /// Values may contain commas and even `, model:`, so fields are cut at the last occurrence of each known name.
    package init(_ text: String) {
        fields = [:]
        guard text.hasPrefix(Self.prefix), text.hasSuffix(">"),
            let close = text.utf8.firstIndex(of: UInt8(ascii: ">")), close < text.utf8.index(before: text.endIndex)
        else {
            fields["description"] = text
            return
        }
        let body = Array(text.utf8[text.utf8.index(after: close)...].dropLast())
        var cuts: [(at: Int, name: String, valueStart: Int)] = []
        for name in Self.knownFields {
            let mark = Array(", \(name):".utf8)
            if let at = Self.lastIndex(of: mark, in: body) { cuts.append((at, name, at + mark.count)) }
        }
        cuts.sort { $0.at < $1.at }
        if let first = cuts.first, first.at == 0 {
            for (index, cut) in cuts.enumerated() {
                let end = index + 1 < cuts.count ? cuts[index + 1].at : body.count
                fields[cut.name] = String(decoding: body[cut.valueStart..<max(end, cut.valueStart)], as: UTF8.self)
            }
        } else if !body.isEmpty {
            fields["description"] = String(decoding: body, as: UTF8.self)
        }
        fields["creation date"] = nil
        if let software = fields["software"], software.isEmpty || software == "0.0.0" { fields["software"] = nil }
    }

    /// The canonical JSON of the fields compared.
    package var canonicalJSON: CanonicalJSON { .object(fields.map { ($0.key, .string($0.value)) }) }

    private static func lastIndex(of mark: [UInt8], in body: [UInt8]) -> Int? {
        guard body.count >= mark.count else { return nil }
        var at = body.count - mark.count
        while at >= 0 {
            if body[at] == mark[0], body[at..<at + mark.count].elementsEqual(mark) { return at }
            at -= 1
        }
        return nil
    }
}
