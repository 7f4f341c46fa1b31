import Foundation

extension Verifier {
    /// Notes a difference.
    mutating func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String) {
        if actual != expected { note("\(what()): archive \(actual), model \(expected)") }
    }

    /// The lines of "types" by type.
    static func typeLines(_ report: [String: Any]) -> [String: [String: Any]] {
        let lines = report["types"] as? [[String: Any]] ?? []
        return Dictionary(lines.map { ($0["type"] as? String ?? "(no type)", $0) }) { first, _ in first }
    }

    /// One line of JSON, for messages and for looking up texts.
    static func json(_ object: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(object)"
    }

    /// Per type: the counts of `import` (which calls the state after "visible") or of `diff`. A type that the archive
    /// does not list counts as all zeros, but for the sizes of its state.
    mutating func checkTypes(
        _ name: String, _ report: [String: Any], _ tallies: [String: TypeTally], undecided: Set<String>,
        afterName: String, readCounts: [String: Int]? = nil
    ) {
        let lines = Self.typeLines(report)
        for type in Set(lines.keys).union(tallies.keys).sorted() {
            let line = lines[type] ?? [:]
            let tally = tallies[type] ?? TypeTally()
            let count = { (key: String) in line[key] as? Int ?? 0 }
            if let readCounts { expect(count("read"), readCounts[type] ?? 0, "\(name): read of \(type)") }
            if undecided.contains(type) {
                undecidedCount += 1
                continue
            }
            let isUnchanged = tally.appeared + tally.disappeared + tally.representationChanged == 0
            if !line.isEmpty || !isUnchanged {
                expect(count(afterName), tally.after, "\(name): \(afterName) of \(type)")
                if readCounts == nil { expect(count("before"), tally.before, "\(name): before of \(type)") }
            }
            expect(count("appeared"), tally.appeared, "\(name): appeared of \(type)")
            expect(count("disappeared"), tally.disappeared, "\(name): disappeared of \(type)")
            expect(
                count("representationChanged"), tally.representationChanged, "\(name): representationChanged of \(type)"
            )
            expect(Self.nonZero(line["evidence"]), tally.evidence, "\(name): evidence of \(type)")
            expect(Self.nonZero(line["changedFields"]), tally.changedFields, "\(name): changedFields of \(type)")
        }
    }

    /// The totals are the sums over all types.
    mutating func checkTotals(
        _ name: String, _ report: [String: Any], _ tallies: [String: TypeTally], extra: [String: Int],
        _ afterName: String
    ) {
        let totals = report["totals"] as? [String: Any] ?? [:]
        var expected = extra
        expected[afterName] = tallies.values.reduce(0) { $0 + $1.after }
        expected["appeared"] = tallies.values.reduce(0) { $0 + $1.appeared }
        expected["disappeared"] = tallies.values.reduce(0) { $0 + $1.disappeared }
        expected["representationChanged"] = tallies.values.reduce(0) { $0 + $1.representationChanged }
        for (key, value) in expected.sorted(by: { $0.key < $1.key }) {
            expect(totals[key] as? Int, value, "\(name): total \(key)")
        }
    }

    /// A diff of two observations: counts, and each record with what it is paired with.
    mutating func checkDiff(_ from: Int, _ to: Int, through: Bool = false, hashes: [Sample: SampleHashes]) throws {
        let name = "diff \(from + 1) to \(to + 1)\(through ? " --through" : "")"
        let side = EarlierSide(observations[from...(through ? to - 1 : from)], order: .learned(hashes))
        let before = side.samples
        let after = observations[to].state
        var comparison = Comparison(
            before, after, order: .learned(hashes), areNeighbours: to - from <= 1, namesBefore: side.everVisible)
        comparison.linkLineage(observations[from...to], through: through)
        let undecided = undecidedTypes(from, to, comparison).union(side.undecidedTypes)
        let tallies = TypeTally.tallies(comparison, before: before, after: after)
        let report = try archive.diff(from: identifier(from), to: identifier(to), through: through)
        checkTypes(name, report, tallies, undecided: undecided, afterName: "after")
        if undecided.isEmpty { checkTotals(name, report, tallies, extra: ["before": before.count], "after") }

        let known = Set(hashes.values)
        var expected: [String: Int] = [:]
        for line in DiffLine.lines(comparison, hashes: hashes, identifier: identifier)
        where !undecided.contains(line.type) {
            expected[line.text, default: 0] += 1
        }
        var listed: [String: Int] = [:]
        for object in try archive.diffRecords(from: identifier(from), to: identifier(to), through: through) {
            let line = DiffLine(json: object, known: known)
            if !undecided.contains(line.type) { listed[line.text, default: 0] += 1 }
        }
        for text in Set(expected.keys).union(listed.keys).sorted() {
            expect(listed[text] ?? 0, expected[text] ?? 0, "\(name), records: \(text)")
        }
    }

    /// The entries of an object of counts that are not zero.
    private static func nonZero(_ value: Any?) -> [String: Int] {
        (value as? [String: Any] ?? [:]).compactMapValues { $0 as? Int }.filter { $0.value != 0 }
    }
}

/// One line of `diff --records` in a normal form. Records are told by content, and by hashes where these are known.
struct DiffLine {
    let type: String
    let text: String

    /// What the model expects.
    static func lines(
        _ comparison: Comparison, hashes: [Sample: SampleHashes], identifier: (Int) -> Int
    ) -> [DiffLine] {
        let told = { (sample: Sample) in "\(hashes[sample]?.short ?? "") \(Content(sample))" }
        let appeared = comparison.appeared.map { DiffLine(type: $0.type, text: "appeared \(told($0))") }
        let disappeared = comparison.disappeared.map { DiffLine(type: $0.type, text: "disappeared \(told($0))") }
        let changed = comparison.pairs.map { pair in
            let fields = pair.before.changedFields(to: pair.after)
            let steps = pair.steps.map { "\(identifier($0.from))-\(identifier($0.to)) \($0.evidence.rawValue)" }
            return DiffLine(
                type: pair.before.type,
                text:
                    "changed by \(pair.evidence.rawValue) \(steps) \(fields): \(told(pair.before)) -> \(told(pair.after))"
            )
        }
        return appeared + disappeared + changed
    }

    private init(type: String, text: String) {
        self.type = type
        self.text = text
    }

    /// What the archive says.
    init(json: [String: Any], known: Set<SampleHashes>) {
        let told = { (key: String) -> String in
            let record = json[key] as? [String: Any] ?? [:]
            let hashes = SampleHashes(record: record).flatMap { known.contains($0) ? $0.short : nil } ?? ""
            return "\(hashes) \(Content(record: record))"
        }
        let change = json["change"] as? String ?? "(no change)"
        let record = json[change == "representationChanged" ? "before" : "record"] as? [String: Any] ?? [:]
        type = record["type"] as? String ?? "(no type)"
        if change == "representationChanged" {
            let fields = (json["changedFields"] as? [String] ?? []).sorted()
            let evidence = json["evidence"] as? String ?? "(no evidence)"
            let steps = (json["steps"] as? [[String: Any]] ?? []).map { step in
                "\(step["from"] as? Int ?? 0)-\(step["to"] as? Int ?? 0) \(step["evidence"] as? String ?? "-")"
            }
            text = "changed by \(evidence) \(steps) \(fields): \(told("before")) -> \(told("after"))"
        } else {
            text = "\(change) \(told("record"))"
        }
    }
}
