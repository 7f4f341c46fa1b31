internal import Basics
internal import HealthModel
internal import Questions
internal import Store

extension WorkoutReader {
    /// Records with every complete consolidation group among them replaced by its originals, in the order of readings.
    func restored(_ records: [FoundRecord]) throws -> [FoundRecord] {
        guard let answer = try answer(about: records) else { return records }
        defer { if consolidation == nil { answer.close() } }
        let byRow = Dictionary(records.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        let replacement = try FinestState.replacement(of: Set(byRow.keys), answer)
        guard replacement.groupCount > 0 else { return records }
        var out = records.filter { !replacement.removed.contains($0.rowID) }
        for (row, origin) in replacement.added {
            guard let standsFor = byRow[origin] else { continue }
            if let record = try candidates.record(row, standsFor.type, standingFor: standsFor) { out.append(record) }
        }
        return out.sorted {
            ($0.reading.start, $0.reading.end, $0.identity, $0.rowID)
                < ($1.reading.start, $1.reading.end, $1.identity, $1.rowID)
        }
    }

    /// The consolidation of the chain up to the observation around some records, where that of all is not at hand; nil for
    /// the chain's first observation and without condensed records.
    private func answer(about records: [FoundRecord]) throws -> ConsolidationAnswer? {
        if !hasLookedForStored {
            hasLookedForStored = true
            consolidation = try consolidation ?? FinestState.stored(snapshot, to: observation)
        }
        if let consolidation { return consolidation }
        guard let first = records.map(\.reading.start).min(), let last = records.map(\.reading.end).max() else {
            return nil
        }
        return try FinestState.history(
            snapshot, to: observation, types: TypeFilter(Set(records.map(\.type.rawValue)).sorted()),
            around: Int64(first.rounded(.down))...Int64(last.rounded(.up)))
    }

    /// Analyses the consolidation of the chain at once, for a reader of all workouts.
    package func readHistory() throws {
        guard state == .finest, consolidation == nil else { return }
        let series = SeriesType.always + ActivityTable.shared.distanceTypes
        consolidation = try FinestState.history(
            snapshot, to: observation, types: TypeFilter(series.map(\.rawValue)))
    }
}
