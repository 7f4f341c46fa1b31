internal import ArchiveRows

/// Pass 2 where several versions of one sample are on both sides: which becomes which.
///
/// As many as possible are paired, in steps: equal stable id; same source, device and creation date; same creation
/// date; same source; then by version. Within a step equal keys are paired in ascending order of version, which is
/// the order in which both sides arrive. A row with several stable ids takes part with each of them, in ascending order.
struct RepresentationPairing {
    let names: SourceNames

    private struct Row {
        var reference: Int64
        var stable: RecordRow.StableIdentifiers
        var sourceClass: Int64
        var device: Int64
        var creation: Int64
    }

    private struct Key: Hashable {
        var text: [UInt8]?
        var sourceClass: Int64 = 0
        var device: Int64 = 0
        var creation: Int64?

    }

    /// Pairs rows of one sample by reference; `before` and `after` fetch what is known of one.
    func pair(
        _ olds: [Int64], _ news: [Int64], before: RecordReader, after: RecordReader,
        _ take: (Int64, Int64) throws -> Void
    ) throws {
        var left = try olds.map { try Self.row($0, before) { names.sourceClass($0, side: 0) } }
        var right = try news.map { try Self.row($0, after) { names.sourceClass($0, side: 1) } }
        let steps: [(Row) -> [Key]] = [
            { $0.stable.sync.map { Key(text: Array($0.utf8)) } },
            { $0.stable.external.map { Key(text: Array($0.utf8)) } },
            { $0.stable.activity.map { Key(text: Array($0.utf8)) } },
            { [Key(sourceClass: $0.sourceClass, device: $0.device, creation: $0.creation)] },
            { [Key(creation: $0.creation)] },
            { [Key(sourceClass: $0.sourceClass)] },
            { _ in [Key()] },
        ]
        for keys in steps where !left.isEmpty && !right.isEmpty {
            try step(&left, &right, keys, take)
        }
    }

    private func step(
        _ before: inout [Row], _ after: inout [Row], _ keys: (Row) -> [Key], _ take: (Int64, Int64) throws -> Void
    ) throws {
        var waiting: [Key: (rows: [Int], next: Int)] = [:]
        for (index, row) in after.enumerated() {
            for key in keys(row) { waiting[key, default: ([], 0)].rows.append(index) }
        }
        var asked = before.enumerated().flatMap { index, row in keys(row).map { (key: $0, row: index) } }
        if asked.contains(where: { $0.key.text != nil }) { asked.sort(by: Self.precedes) }
        var takenBefore = Set<Int>()
        var takenAfter = Set<Int>()
        for (key, row) in asked where !takenBefore.contains(row) {
            while let entry = waiting[key], entry.next < entry.rows.count, !takenBefore.contains(row) {
                waiting[key]?.next += 1
                let other = entry.rows[entry.next]
                guard takenAfter.insert(other).inserted else { continue }
                takenBefore.insert(row)
                try take(before[row].reference, after[other].reference)
            }
        }
        guard !takenAfter.isEmpty else { return }
        before = before.enumerated().filter { !takenBefore.contains($0.offset) }.map(\.element)
        after = after.enumerated().filter { !takenAfter.contains($0.offset) }.map(\.element)
    }

    /// Ascending by stable id, then in the order of the rows.
    private static func precedes(_ a: (key: Key, row: Int), _ b: (key: Key, row: Int)) -> Bool {
        guard a.key == b.key else { return (a.key.text ?? []).lexicographicallyPrecedes(b.key.text ?? []) }
        return a.row < b.row
    }

    /// What pairing looks at; the record itself, with its metadata, is not kept.
    private static func row(
        _ reference: Int64, _ reader: RecordReader, _ sourceClass: (Int64) -> Int64
    ) throws -> Row {
        let record = try reader.fetch(reference)
        return Row(
            reference: reference, stable: record.stableIdentifiers,
            sourceClass: sourceClass(record.descriptor.sourceID), device: record.descriptor.deviceID,
            creation: record.creationKey)
    }
}
