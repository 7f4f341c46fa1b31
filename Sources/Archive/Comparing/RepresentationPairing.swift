/// Pass 2 where several versions of one sample stand on both sides: which becomes which.
///
/// As many as possible are paired, in steps: equal stable id; same source, device and creation date; same creation
/// date; same source; then by version. Within a step equal keys are paired in ascending order of version, which is
/// the order in which both sides arrive.
struct RepresentationPairing {
    let names: SourceNames

    private struct Row {
        var reference: Int64
        var stable: Candidate.StableIdentifiers
        var sourceClass: Int64
        var device: Int64
        var creation: Int64?
    }

    private struct Key: Hashable {
        var text: [UInt8]?
        var sourceClass: Int64 = 0
        var device: Int64 = 0
        var creation: Int64?
    }

    func pair(
        _ olds: [(Int64, Candidate?)], _ news: [(Int64, Candidate?)], _ take: (Int64, Int64) throws -> Void
    ) throws {
        var before = olds.map { Self.row($0.0, $0.1) { names.classBefore($0) } }
        var after = news.map { Self.row($0.0, $0.1) { names.classAfter($0) } }
        let steps: [(Row) -> Key?] = [
            { $0.stable.sync.map { Key(text: Array($0.utf8)) } },
            { $0.stable.external.map { Key(text: Array($0.utf8)) } },
            { $0.stable.activity.map { Key(text: Array($0.utf8)) } },
            { Key(sourceClass: $0.sourceClass, device: $0.device, creation: $0.creation) },
            { Key(creation: $0.creation) },
            { Key(sourceClass: $0.sourceClass) },
            { _ in Key() },
        ]
        for key in steps where !before.isEmpty && !after.isEmpty {
            try step(&before, &after, key, take)
        }
    }

    private func step(
        _ before: inout [Row], _ after: inout [Row], _ key: (Row) -> Key?, _ take: (Int64, Int64) throws -> Void
    ) throws {
        var waiting: [Key: (rows: [Int], next: Int)] = [:]
        for (index, row) in after.enumerated() {
            if let key = key(row) { waiting[key, default: ([], 0)].rows.append(index) }
        }
        var takenAfter = Set<Int>()
        var rest: [Row] = []
        for row in before {
            if let key = key(row), let entry = waiting[key], entry.next < entry.rows.count {
                let index = entry.rows[entry.next]
                waiting[key]?.next += 1
                takenAfter.insert(index)
                try take(row.reference, after[index].reference)
            } else {
                rest.append(row)
            }
        }
        guard !takenAfter.isEmpty else { return }
        before = rest
        after = after.enumerated().filter { !takenAfter.contains($0.offset) }.map(\.element)
    }

    private static func row(_ reference: Int64, _ candidate: Candidate?, _ sourceClass: (Int64) -> Int64) -> Row {
        Row(
            reference: reference, stable: candidate?.stableIdentifiers ?? .init(),
            sourceClass: sourceClass(candidate?.source ?? 0), device: candidate?.device ?? 0,
            creation: candidate?.creation)
    }
}
