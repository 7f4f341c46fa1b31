internal import GRDB
@testable internal import Questions
internal import Store

/// How the groups that the analysis finds between successive dumps compare with what the generator did, record by record.
///
/// A membership is a pair of a replacement and a record that disappeared. The truth is read from the generator's own
/// notes; nothing of the analysis goes into it.
struct MembershipScore: Sendable {
    /// Counts of one basis.
    struct Counts: Sendable {
        /// Memberships in the truth, found, and in both.
        var truth = 0
        var found = 0
        var right = 0

        var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
        var recall: Double { truth == 0 ? 1 : Double(right) / Double(truth) }

        static func += (sum: inout Counts, more: Counts) {
            sum.truth += more.truth
            sum.found += more.found
            sum.right += more.right
        }
    }

    var marked = Counts()
    var unmarked = Counts()
    /// Records of decoys, and how many of them were called consolidation, by kind.
    var decoys: [String: (records: Int, called: Int)] = [:]
    /// Questions whose explained and unexplained records are not what disappeared.
    var unbalanced = 0
    /// What was missed or wrong, for people.
    var remarks: [String] = []

    static func += (sum: inout MembershipScore, more: MembershipScore) {
        sum.marked += more.marked
        sum.unmarked += more.unmarked
        for (kind, counts) in more.decoys {
            sum.decoys[kind, default: (0, 0)].records += counts.records
            sum.decoys[kind, default: (0, 0)].called += counts.called
        }
        sum.unbalanced += more.unbalanced
        sum.remarks += more.remarks
    }

    /// Scores the step from one dump to the next.
    init(_ phone: AnalysedPhone, from: Int, to: Int, seed: UInt64) throws {
        var truth: [Bool: [String: Int]] = [true: [:], false: [:]]
        for line in phone.truth where line.kind == "group" && line.to == to {
            guard let replacement = line.replacements?.first else { continue }
            for constituent in line.constituents ?? [] {
                let pair = constituent.key + " > " + replacement.key
                truth[line.basis == "condenserIdentifier", default: [:]][pair, default: 0] += 1
            }
        }
        var found: [Bool: [String: Int]] = [true: [:], false: [:]]
        var called: [String: Int] = [:]
        try phone.archive.ask(from, to) { answer, db, _ in
            let rows = try RecordReader(db)
            try answer.forEachGroup { group in
                let replacement = try rows.fetch(group.replacements[0])
                let isMarked = group.basis == .condenserIdentifier
                try answer.forEachConstituent(of: group) { constituent in
                    guard constituent.disappearedRowID != nil else { return }
                    let key = try rows.fetch(constituent.rowID).truthKey
                    found[isMarked, default: [:]][key + " > " + replacement.truthKey, default: 0] += 1
                    called[key, default: 0] += 1
                }
            }
            for verdict in answer.verdicts {
                let disappeared = answer.diff?.types.first { $0.type == verdict.type }?.disappeared
                if verdict.explained + verdict.unexplained != disappeared || verdict.unexplained < 0 { unbalanced += 1 }
            }
        }
        marked = Self.compare(truth[true] ?? [:], found[true] ?? [:])
        unmarked = Self.compare(truth[false] ?? [:], found[false] ?? [:])
        for isMarked in [true, false] {
            for (pair, count) in truth[isMarked] ?? [:] where found[isMarked]?[pair] ?? 0 < count {
                remarks.append("seed \(seed) to \(to) missed \(isMarked ? "marked" : "unmarked"): \(pair)")
            }
            for (pair, count) in found[isMarked] ?? [:] where truth[isMarked]?[pair] ?? 0 < count {
                remarks.append("seed \(seed) to \(to) wrong \(isMarked ? "marked" : "unmarked"): \(pair)")
            }
        }
        for line in phone.truth where line.kind == "decoy" && line.to == to {
            for record in line.disappeared ?? [] {
                let kind = line.decoy ?? ""
                decoys[kind, default: (0, 0)].records += 1
                if called[record.key] != nil {
                    decoys[kind, default: (0, 0)].called += 1
                    remarks.append("seed \(seed) to \(to) decoy \(kind): \(record.key)")
                }
            }
        }
    }

    /// Nothing scored yet.
    init() {}

    private static func compare(_ truth: [String: Int], _ found: [String: Int]) -> Counts {
        Counts(
            truth: truth.values.reduce(0, +), found: found.values.reduce(0, +),
            right: found.reduce(0) { $0 + min($1.value, truth[$1.key] ?? 0) })
    }
}
