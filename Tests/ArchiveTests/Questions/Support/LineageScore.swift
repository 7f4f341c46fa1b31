internal import ArchiveTestSupport
internal import Days
internal import Foundation
internal import GRDB
internal import HealthModel
@testable internal import Questions
internal import Store

/// How the changes of representation that a diff links compare with what the generator changed, record by record.
///
/// The truth between two dumps with others in between is put together from the generator's notes of each gap. Quantities alone
/// count, and of these the changes in what a ``TruthLine/Record`` shows.
struct LineageScore: Sendable {
    private(set) var counts = MembershipScore.Counts()
    /// Records that are still there in the truth and that the consolidation calls unexplained, by type.
    private(set) var unexplained: [String: Int] = [:]
    /// Types with revised values or other totals, of which the generator made none.
    private(set) var unfounded: [String] = []
    /// Days on which the generator condensed records of a type whose values have a mean.
    private(set) var condensedMeans = 0
    /// Days whose mean is called changed without a label, and on which the generator deleted no record.
    private(set) var unfoundedMeans: [String] = []

    init() {}

    static func += (sum: inout LineageScore, more: LineageScore) {
        sum.counts += more.counts
        sum.unexplained.merge(more.unexplained, uniquingKeysWith: +)
        sum.unfounded += more.unfounded
        sum.condensedMeans += more.condensedMeans
        sum.unfoundedMeans += more.unfoundedMeans
    }

    /// Scores a diff of two dumps.
    init(_ phone: AnalysedPhone, from: Int, to: Int) throws {
        var found: [String: Int] = [:]
        var disappeared: [(id: Int64, record: RecordRow)] = []
        try phone.archive.read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            let rows = try RecordReader(db)
            _ = try Diff.run(
                db, chain: chain, from: chain.finished[from - 1], to: chain.finished[to - 1], types: nil, source: nil
            ) { change in
                switch change {
                case .appeared: break
                case .disappeared(let id): disappeared.append((id, try rows.fetch(id)))
                case .representationChanged(_, _, let old, let new):
                    let (before, after) = (try rows.fetch(old), try rows.fetch(new))
                    guard Self.counts(before.type), before.truthKey != after.truthKey else { return }
                    found[before.truthKey + " > " + after.truthKey, default: 0] += 1
                }
            }
        }
        try judgeMeans(phone, from: from, to: to)
        var gone: [String: (type: String, count: Int)] = [:]
        // What the first dump shows; between neighbours every note is of something that it shows.
        var shown: [String: Int]?
        try phone.archive.ask(from, to) { answer, db, _ in
            if from == 1, to > 2 { shown = try Self.firstRecords(db) }
            for verdict in answer.verdicts where verdict.revisedValues > 0 || verdict.aggregateChange != nil {
                unfounded.append("\(from) to \(to) \(verdict.type)")
            }
            for (id, record) in disappeared
            where try !answer.memberships(of: id).contains(where: { $0.role == .constituent }) {
                gone[record.truthKey, default: (record.type, 0)].count += 1
            }
        }
        var truth: [String: Int] = [:]
        for (first, last) in Self.changes(phone.truth, from: from, to: to, shown: shown) where first != last {
            truth[first + " > " + last, default: 0] += 1
            guard let record = gone[first], record.count > 0 else { continue }
            unexplained[record.type, default: 0] += 1
            gone[first]?.count -= 1
        }
        counts.truth = truth.values.reduce(0, +)
        counts.found = found.values.reduce(0, +)
        counts.right = found.reduce(0) { $0 + min($1.value, truth[$1.key] ?? 0) }
    }

    /// Looks for days whose mean changed: condensing leaves it, deleting records does not.
    private mutating func judgeMeans(_ phone: AnalysedPhone, from: Int, to: Int) throws {
        let diff = try phone.archive.read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            return try LabelledDiff.readWithVerdicts(
                db, chain: chain,
                ConsolidationQuestion(from: chain.finished[from - 1], to: chain.finished[to - 1], through: false)
            ).diff
        }
        var days: [String: Set<String>] = [:]
        for line in phone.truth where line.change == "disappeared" && (from..<to).contains(line.from) {
            guard let record = line.before, !QuantityTypeTable.shared[record.type].isCumulative else { continue }
            days[line.cause ?? "", default: []].insert(record.type + record.startDate.prefix(10))
        }
        condensedMeans = days["condensed"]?.count ?? 0
        for type in diff.types {
            for day in type.days.largestKnown where day.labels.isEmpty {
                guard let before = day.before, let after = day.after, before.kind == .mean, after.kind == .mean else {
                    continue
                }
                // The chain's day is in another zone than the generator's instants.
                let nearby = [-1, 0, 1].map { RecordRow.truthDate(day.start + 43_200 + $0 * 86_400).prefix(10) }
                if !nearby.contains(where: { days["deleted"]?.contains(type.type + $0) ?? false }) {
                    unfoundedMeans.append("\(from) to \(to) \(type.type) \(day.label) \(before.value) \(after.value)")
                }
            }
        }
    }

    /// Quantities, but for those that only workouts hold: the generator notes nothing of them.
    private static func counts(_ type: String) -> Bool {
        type.hasPrefix("HKQuantityTypeIdentifier") && !type.hasSuffix("WorkoutEffortScore")
    }

    /// What the chain's first observation shows.
    private static func firstRecords(_ db: Database) throws -> [String: Int] {
        let rows = try RecordReader(db)
        let ids = try Int64.fetchAll(db, sql: "SELECT id FROM record_versions WHERE opened_observation_id IS NULL")
        return try ids.reduce(into: [:]) { keys, id in
            keys[try rows.fetch(id).truthKey, default: 0] += 1
        }
    }

    /// The records of one dump that another one still shows and that changed on the way, as both print them.
    ///
    /// - Parameter shown: what the first dump shows; nil where it shows all that changes.
    private static func changes(
        _ truth: [TruthLine], from: Int, to: Int, shown: [String: Int]?
    ) -> [(first: String, last: String)] {
        var shown = shown
        // What each changed record is now, and what it was in the first dump: nil for what was not there.
        var present: [String: [String?]] = [:]
        for gap in from..<to {
            var next: [(String, String?)] = []
            for line in truth where line.kind == "record" && line.from == gap {
                guard let record = line.before ?? line.after, counts(record.type) else { continue }
                var first: String?
                if let before = line.before {
                    if let known = present[before.key]?.popLast() {
                        first = known
                    } else if shown.map({ $0[before.key, default: 0] > 0 }) ?? true {
                        first = before.key
                        shown?[before.key, default: 0] -= 1
                    }
                }
                if let after = line.after { next.append((after.key, first)) }
            }
            for (key, first) in next { present[key, default: []].append(first) }
        }
        return present.flatMap { last, firsts in firsts.compactMap { $0 }.map { ($0, last) } }
    }
}
