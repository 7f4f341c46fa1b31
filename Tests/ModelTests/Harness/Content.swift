import Foundation

/// What a listing says of a record, in one normal form for the model's samples and for the archive's JSON.
///
/// Attributes and children have no fixed layout in JSON and are left out here; `Verifier` counts their versions and
/// looks for their texts instead. What docs/identity.md excludes from payload (the device's creation date, an absent
/// software version in either spelling) is left out on both sides, for a listing may show it as first stored.
struct Content: Hashable, Comparable, CustomStringConvertible {
    let type: String
    let description: String

    static func < (first: Content, second: Content) -> Bool { first.description < second.description }

    /// The content of a sample of the model.
    init(_ sample: Sample) {
        type = sample.type
        description = Self.text(
            sample.type, start: sample.start.map(String.init), end: sample.end.map(String.init), value: sample.value,
            unit: sample.unit, source: sample.source, version: sample.sourceVersion,
            creation: sample.creation, metadata: sample.metadata, device: sample.device)
    }

    /// The content of a record in JSON.
    init(record: [String: Any]) {
        type = record["type"] as? String ?? "(no type)"
        let value: SampleValue =
            switch record["value"] {
            case let number as Double: .number(number)
            case let text as String: .text(text)
            default: .absent
            }
        description = Self.text(
            type, start: Self.instant(record["startDate"]), end: Self.instant(record["endDate"]), value: value,
            unit: record["unit"] as? String, source: record["sourceName"] as? String,
            version: record["sourceVersion"] as? String, creation: Self.instant(record["creationDate"]),
            metadata: (record["metadata"] as? [String: Any] ?? [:]).mapValues { "\($0)" },
            device: record["device"] as? [String: Any])
    }

    /// Whether items of the type have dates and provenance in fields of their own.
    private static func isDated(_ type: String) -> Bool {
        type != "HKActivitySummaryTypeIdentifier" && !type.hasPrefix("Element/")
            && !type.hasPrefix("HKCharacteristicTypeIdentifier")
    }

    private static func text(
        _ type: String, start: String?, end: String?, value: SampleValue, unit: String?, source: String?,
        version: String?, creation: String?, metadata: [String: String], device: [String: Any]?
    ) -> String {
        guard isDated(type) else {
            return type.hasPrefix("HKCharacteristic") ? "\(type) \(value.canonicalText)" : type
        }
        let entries = { (pairs: [String: String]) in pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
        let fields = (device ?? [:]).mapValues { "\($0)" }.filter { key, value in
            let name = key.lowercased().filter(\.isLetter)
            return name != "creationdate" && !(name == "software" && ["", "0.0.0"].contains(value)) && value != "<null>"
        }
        let parts = [
            type, "\(start ?? "-")…\(end ?? "-")", value.canonicalText, unit ?? "-", "by \(source ?? "-")",
            version ?? "-", "created \(creation ?? "-")", "\(entries(metadata))", "\(entries(fields))",
        ]
        return parts.joined(separator: " | ")
    }

    /// `2024-05-01T10:00:00.000Z` as Unix seconds; anything else stays as it is, to be seen in a mismatch.
    static func instant(_ value: Any?) -> String? {
        guard let text = value as? String else { return nil }
        let digits = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard text.count == 24, text.hasSuffix(".000Z"), digits.count == 7 else { return text }
        let year = digits[1] <= 2 ? digits[0] - 1 : digits[0]
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((digits[1] + 9) % 12) + 2) / 5 + digits[2] - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return "\(days * 86_400 + digits[3] * 3600 + digits[4] * 60 + digits[5])"
    }
}
