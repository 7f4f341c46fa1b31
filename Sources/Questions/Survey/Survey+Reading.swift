internal import Basics
package import GRDB
package import Store

extension Survey {
    /// Reads the exact survey of a chain from its archive.
    ///
    /// What consolidation explains is the answer of `consolidation first latest --through`.
    /// - Parameters:
    ///   - daily: what became of the daily metrics, of the chain's finished observations and their analysis.
    ///   - store: is given the analysis while it is open.
    /// - Throws: `unknownObservation` where the chain has none.
    /// - Complexity: that of the analysis, and one pass over the record versions, aggregates and samples in workouts.
    package static func read(
        _ db: Database, _ chain: Chain, daily: (ConsolidationAnswer) throws -> [Shift] = { _ in [] },
        store: (ConsolidationAnswer) -> Void
    ) throws -> Survey {
        let first = try ObservationResolver.resolve("first", in: chain)
        let latest = try ObservationResolver.resolve("latest", in: chain)
        let question = ConsolidationQuestion(from: first, to: latest, through: true)
        let answer = try Consolidation.answer(db, chain: chain, question)
        defer { answer.close() }
        store(answer)
        var survey = Survey()
        let devices = try ChainDevices(db, chain)
        survey.exports = exports(chain, devices)
        try survey.addWorkouts(db, chain, at: latest, answer, devices)
        let reports = try chain.finished.map { try ObservationReport.read(db, $0) }
        survey.changes = changes(reports, answer)
        survey.shifts = try shifts(db, chain, answer) + daily(answer)
        survey.defects = defects(reports)
        return survey
    }

    private static func exports(_ chain: Chain, _ devices: ChainDevices) -> Exports {
        let years = chain.finished.map { observation in
            let local = CivilDate.dayAndSecond(observation.observedAt + (observation.offsetSeconds ?? 0))
            return CivilDate.date(daysSince1970: local.day).year
        }
        return Exports(
            count: Int64(chain.finished.count), partial: Int64(chain.finished.count { $0.status == .partial }),
            years: Set(years).sorted(), versions: Set(chain.finished.compactMap(\.exportVersion)).sorted(),
            phones: devices.devices(.iPhone), watches: devices.devices(.watch))
    }

    private static func changes(_ reports: [ObservationReport], _ answer: ConsolidationAnswer) -> [Changes] {
        var found: [String: Changes] = [:]
        let steps = Int64(reports.count - 1)
        for report in reports.dropFirst() {
            for run in report.types {
                var changes = found[run.type] ?? Changes(type: run.type, steps: steps)
                changes.appeared += run.appeared
                changes.disappeared += run.disappeared
                for entry in run.matchRules { changes.evidence[entry.name, default: 0] += entry.count }
                for entry in run.changedFields { changes.fields[entry.name, default: 0] += entry.count }
                found[run.type] = changes
            }
        }
        for verdict in answer.verdicts { found[verdict.type]?.explained = verdict.explained }
        return found.values.sorted { $0.type < $1.type }.map { changes in
            var changes = changes
            // A record that came back and went again has disappeared twice, and is explained once.
            changes.explained = min(changes.explained, changes.disappeared)
            changes.unexplained = changes.disappeared - changes.explained
            return changes
        }
    }

    private static func defects(_ reports: [ObservationReport]) -> [Defect] {
        struct Key: Hashable {
            var version: String?
            var kind: Defect.Kind
            var name: String?
        }
        var counts: [Key: Int64] = [:]
        var unknown: [String?: Set<String>] = [:]
        for report in reports {
            let version = report.observation.exportVersion
            for (kind, entries) in [(Defect.Kind.repair, report.repairs), (.quarantine, report.quarantine)] {
                for entry in entries {
                    counts[Key(version: version, kind: kind, name: entry.name), default: 0] += entry.count
                }
            }
            if let reason = report.observation.stoppedReason {
                counts[Key(version: version, kind: .stopped, name: reason), default: 0] += 1
            }
            unknown[version, default: []].formUnion(report.unknown.map(\.name))
        }
        for (version, names) in unknown where !names.isEmpty {
            counts[Key(version: version, kind: .unknown, name: nil)] = Int64(names.count)
        }
        return counts.map { Defect(exportVersion: $0.version, kind: $0.kind, name: $0.name, count: $1) }
            .sorted {
                ($0.exportVersion ?? "", $0.kind.rawValue, $0.name ?? "")
                    < ($1.exportVersion ?? "", $1.kind.rawValue, $1.name ?? "")
            }
    }
}
