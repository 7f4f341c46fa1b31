internal import Foundation
internal import TestSupport

/// One record of a random history, with what its aggregate needs.
struct AggregateRecord: Hashable {
    var type: String
    var source: String
    var version: String?
    var unit: String?
    /// Unix seconds.
    var start: Int
    var duration: Int
    /// A multiple of 1/1024, so that sums of doubles are exact in any order; nil for a text.
    var number: Double?
    var zone: String?
    /// The samples that a condenser's identifier declares; nil without one.
    var declared: Int?
    /// Tells records apart that are equal otherwise.
    var created: Int

    /// The record on the clocks of an offset.
    func xml(offset: Int) -> String {
        func time(_ seconds: Int) -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: offset)
            formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
            return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
        }
        var text = "<Record type=\"\(type)\" sourceName=\"\(source)\""
        if let version { text += " sourceVersion=\"\(version)\"" }
        if let unit { text += " unit=\"\(unit)\"" }
        text += " creationDate=\"\(time(created))\" startDate=\"\(time(start))\" endDate=\"\(time(start + duration))\""
        text += " value=\"\(number.map { "\($0)" } ?? "HKCategoryValueNotApplicable")\""
        var entries = ""
        if let zone { entries += "<MetadataEntry key=\"HKTimeZone\" value=\"\(zone)\"/>" }
        if let declared {
            let bounds = [start, start + max(duration, 0)].map { "\($0 - 978_307_200).00000" }.joined(separator: ":")
            let mark = "2:47EB4D5B-9E8B-4B1F-9C57-1B0B2B6B1F00:\(bounds):\(declared)"
            entries += "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(mark)\"/>"
        }
        return entries.isEmpty ? text + "/>" : text + ">\(entries)</Record>"
    }

    /// The samples for which the record stands.
    var weight: Int { declared.map { 1...1_000_000 ~= $0 ? $0 : 1 } ?? 1 }
}

/// The slow and obvious way to aggregate a state: one record after the other, days from the machine's own zones.
struct AggregateModel {
    struct Key: Hashable {
        var type: String
        var source: String
        var version: String?
        var unit: String?
        var day: String
    }

    struct Value: Equatable, CustomStringConvertible {
        var count = 0
        var numbers = 0
        var sum = 0.0
        var minimum: Double?
        var maximum: Double?
        var seconds = 0
        var samples = 0
        /// Of types that add up the mean of the records, of others that of the samples.
        var mean: Double?
        var description: String {
            "\(count) \(numbers) \(sum) \(minimum ?? .nan) \(maximum ?? .nan) \(seconds) \(samples) \(mean ?? .nan)"
        }
    }

    static func aggregate(_ state: [AggregateRecord], _ zone: TimeZone) -> [Key: Value] {
        var values: [Key: Value] = [:]
        var weighted: [Key: Double] = [:]
        for record in state {
            let local = record.start + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(record.start)))
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = "yyyy-MM-dd"
            let key = Key(
                type: record.type, source: record.source, version: record.version, unit: record.unit,
                day: formatter.string(from: Date(timeIntervalSince1970: Double(local))))
            var value = values[key] ?? Value()
            value.count += 1
            value.seconds += max(0, record.duration)
            if let number = record.number {
                value.numbers += 1
                value.sum += number
                value.samples += record.weight
                weighted[key, default: 0] += number * Double(record.weight)
                value.mean =
                    record.type.hasSuffix("StepCount")
                    ? value.sum / Double(value.numbers) : (weighted[key] ?? 0) / Double(value.samples)
                value.minimum = min(value.minimum ?? number, number)
                value.maximum = max(value.maximum ?? number, number)
            }
            values[key] = value
        }
        return values
    }
}

extension SeededGenerator {
    /// Records around changes of clocks, before 1970 and on ordinary days.
    mutating func pool(zone: String?) -> [AggregateRecord] {
        let anchors = [1_711_846_800, 1_729_990_800, 1_710_054_000, 1_730_613_600, -86_400 * 400, 1_700_000_000]
        let types: [(String, String?)] = [
            ("HKQuantityTypeIdentifierStepCount", "count"), ("HKQuantityTypeIdentifierHeartRate", "count/min"),
            ("HKCategoryTypeIdentifierMindfulSession", nil),
        ]
        return (0..<60).map { index in
            let type = types[Int.random(in: 0..<types.count, using: &self)]
            let anchor = anchors[Int.random(in: 0..<anchors.count, using: &self)]
            return AggregateRecord(
                type: type.0, source: Bool.random(using: &self) ? "Watch" : "Phone",
                version: Bool.random(using: &self) ? "10.1" : nil, unit: type.1,
                start: anchor + Int.random(in: -90_000...90_000, using: &self),
                duration: Int.random(in: -1...3, using: &self) * 100,
                number: type.1 == nil ? nil : Double(Int.random(in: -20...20, using: &self)) / 8,
                zone: Int.random(in: 0..<4, using: &self) == 0 ? zone : nil,
                declared: [nil, nil, 0, 1, 7, 250, 1_000_000, 1_000_001][Int.random(in: 0..<8, using: &self)],
                created: anchor + index)
        }
    }
}
