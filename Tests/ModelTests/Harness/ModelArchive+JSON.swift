import Foundation

extension ModelArchive {
    /// Totals and types, as `import` and `diff` print them.
    func counts(
        _ comparison: Comparison, _ before: [Sample], _ after: [Sample], afterName: String, read: [Sample]?,
        isPartial: Bool = false
    ) -> [String: Any] {
        let tallies = TypeTally.tallies(comparison, before: before, after: after)
        let readCounts = Dictionary(grouping: read ?? [], by: \.type).mapValues(\.count)
        let types = tallies.map { type, tally -> [String: Any] in
            let readCount = readCounts[type] ?? 0
            return [
                "type": type, "status": readCount == 0 ? "absent" : isPartial ? "incomplete" : "completed",
                "read": readCount, "before": tally.before, afterName: tally.after, "appeared": tally.appeared,
                "disappeared": tally.disappeared, "representationChanged": tally.representationChanged,
                "evidence": tally.evidence, "changedFields": tally.changedFields,
            ]
        }
        let totals: [String: Any] = [
            "read": read?.count ?? 0, "before": before.count, afterName: after.count, "quarantined": 0,
            "appeared": comparison.appeared.count, "disappeared": comparison.disappeared.count,
            "representationChanged": comparison.pairs.count,
        ]
        return ["types": types, "totals": totals]
    }

    /// A record in the contract's JSON.
    func record(_ sample: Sample, ordinal: Int) -> [String: Any] {
        var record: [String: Any] = [
            "type": sample.type, "ordinal": ordinal, "identity": Self.hash(sample.type + sample.identity),
            "version": Self.hash(sample.canonicalText), "metadata": sample.metadata,
            "attributes": sample.attributes.mapValues { $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : $0 },
            "children": sample.mentioned.sorted(),
        ]
        record["startDate"] = sample.start.map(Self.date)
        record["endDate"] = sample.end.map(Self.date)
        record["creationDate"] = sample.creation.map { Int($0).map(Self.date) ?? $0 }
        record["unit"] = sample.unit
        record["sourceName"] = sample.source
        record["sourceVersion"] = sample.sourceVersion
        record["device"] = sample.device
        switch sample.value {
        case .number(let number): record["value"] = number
        case .text(let text): record["value"] = text
        case .absent: break
        }
        return record
    }

    /// `2024-05-01T10:00:00.000Z`.
    private static func date(_ seconds: Int) -> String {
        String(Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().dropLast()) + ".000Z"
    }

    /// FNV-1a, twice: no real hash, but its order has nothing to do with the text's.
    static func hash(_ text: String) -> String {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let hex = String(state ^ (state >> 29), radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}
