extension DayStep {
    /// Condenses workout samples as HealthKit does: few long intervals take the place of many samples.
    mutating func condense(share: Double, marked: Bool, isLagging: Bool = false) {
        for workout in condensableWorkouts() where chance("condense", workout) < share {
            let lengths = [300, 600, 900, 100_000]
            let length = lengths[Int(chance("length", workout, everyStep: true) * 4)]
            for piece in split(members(of: workout), from: workout.start, length: length) where piece.count >= 3 {
                replace(
                    piece, workout: workout, basis: marked ? "condenserIdentifier" : "intervalAndSum", marked: marked,
                    version: 3, count: piece.count, isLagging: isLagging)
            }
        }
    }

    /// Deletes the originals that condensing left for later.
    mutating func finishCondensing() {
        let pending = samples.filter { $0.pendingReplacement != 0 }
        for replacement in samples {
            guard let series = replacement.series else { continue }
            let ids = pending.filter { $0.pendingReplacement == replacement.id }.map(\.id)
            guard !ids.isEmpty else { continue }
            remove(ids, cause: "condensed")
            notes.groups.append(
                StepNotes.Group(
                    basis: "condenserIdentifier", workout: series.workout, replacement: replacement.id,
                    constituents: ids, declaredCount: series.count, isPartial: true))
        }
    }

    /// Condenses the series of a workout again: neighbours become one, under a higher version.
    mutating func recondense(share: Double) {
        for workout in condensableWorkouts() where chance("recondense", workout) < share {
            let series = samples.filter { $0.workout == workout.number && ($0.series?.version ?? 0) > 0 }.byStart
            let size = chance("size", workout) < 0.5 ? 2 : 1000
            for first in stride(from: 0, to: series.count, by: size) {
                recondense(Array(series[first..<min(series.count, first + size)]), workout: workout)
            }
        }
    }

    private mutating func recondense(_ piece: [Sample], workout: SimulatedWorkout) {
        let marks = piece.compactMap(\.series)
        let version = (marks.map(\.version).max() ?? 3) + 1
        let marked = marks.allSatisfy(\.isMarked)
        if piece.count == 1, let index = samples.firstIndex(where: { $0.id == piece[0].id }) {
            // The same bounds and value under a new version: the same sample with another representation.
            samples[index].series?.version = version
            renew(&samples[index])
        } else {
            replace(
                piece, workout: workout, basis: marked ? "condenserIdentifier" : "intervalAndSum", marked: marked,
                version: version, count: marks.reduce(0) { $0 + $1.count })
        }
    }

    /// Merges runs of neighbours: contiguous ones of equal rate, points of equal heart rate less than 11 s apart.
    mutating func coalesce(share: Double) {
        for workout in condensableWorkouts() where chance("coalesce", workout) < share {
            var run: [Sample] = []
            for sample in members(of: workout) {
                if let last = run.last, !continues(last, sample) {
                    coalesce(run, workout: workout)
                    run = []
                }
                run.append(sample)
            }
            coalesce(run, workout: workout)
        }
    }

    private mutating func coalesce(_ run: [Sample], workout: SimulatedWorkout) {
        guard run.count > 1 else { return }
        replace(run, workout: workout, basis: "coalesced", marked: false, version: 0, count: run.count)
    }

    private func continues(_ last: Sample, _ next: Sample) -> Bool {
        guard type.isCumulative else { return last.value == next.value && next.start - last.end < 11 }
        guard last.end == next.start, last.end > last.start, next.end > next.start else { return false }
        let difference = last.value / Double(last.end - last.start) - next.value / Double(next.end - next.start)
        return abs(difference) < 1e-9
    }

    /// Workouts of the day that HealthKit would condense by now: of at least five minutes, ended 120 days ago.
    func condensableWorkouts() -> [SimulatedWorkout] {
        phone.workouts(day).filter {
            $0.isWatchs && $0.end - $0.start >= 300 && $0.end < dump.condensingLimit
        }
    }

    private func split(_ members: [Sample], from start: Int, length: Int) -> [[Sample]] {
        var pieces: [[Sample]] = []
        var current = -1
        for sample in members {
            let piece = (sample.start - start) / length
            if piece != current { pieces.append([]) }
            current = piece
            pieces[pieces.count - 1].append(sample)
        }
        return pieces
    }

    private mutating func replace(
        _ piece: [Sample], workout: SimulatedWorkout, basis: String, marked: Bool, version: Int, count: Int,
        isLagging: Bool = false
    ) {
        guard var result = merged(piece, kind: UInt64(3 + version % 13)) else { return }
        let hash = Hashing.combine(workout.hash, UInt64(type.number), UInt64(result.start))
        let ids = piece.filter { !isLagging || chance("lagging", $0) < 0.6 }.map(\.id)
        result.value = combinedValue(piece)
        result.series = SeriesMark(
            version: version, workout: workout.uuid,
            startTicks: (result.start - 978_307_200) * 100_000 + Int(hash % 100_000),
            endTicks: (result.end - 978_307_200) * 100_000 + Int(hash / 7 % 50_000) + 50_000,
            count: count, isMarked: marked)
        if isLagging {
            for index in samples.indices where piece.contains(where: { $0.id == samples[index].id }) {
                samples[index].isFrozen = true
                samples[index].pendingReplacement = result.id
            }
        }
        put(result, inPlaceOf: ids, cause: basis == "coalesced" ? "coalesced" : "condensed")
        notes.groups.append(
            StepNotes.Group(
                basis: basis, workout: workout.uuid, replacement: result.id, constituents: ids,
                declaredCount: marked ? count : nil, isPartial: isLagging))
    }

    /// The sum of cumulative samples, the mean of the quantities of the others.
    private func combinedValue(_ piece: [Sample]) -> Double {
        if type.isCumulative { return piece.reduce(0) { $0 + $1.value } }
        let weights = piece.map { Double($0.series?.count ?? 1) }
        let total = zip(piece, weights).reduce(0) { $0 + $1.0.value * $1.1 }
        return total / weights.reduce(0, +)
    }
}
