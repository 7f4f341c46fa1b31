extension DayStep {
    mutating func delete(_ share: Double) {
        let gone = samples.filter { chance("delete", $0) < share }
        remove(gone.map(\.id), cause: "deleted")
    }

    /// Adds exact copies of a share of the samples, right after them.
    mutating func duplicate(_ share: Double) {
        var result: [Sample] = []
        var taken = ids
        for sample in samples {
            result.append(sample)
            // A copied workout sample would be merged with its original, which no phone does.
            guard chance("duplicate", sample) < share, sample.workout == 0 || !type.isCondensable else { continue }
            var copy = sample
            copy.id = derivedId(sample.id, kind: 1, besides: taken)
            taken.insert(copy.id)
            notes.causes[copy.id] = "duplicated"
            result.append(copy)
        }
        samples = result
    }

    /// Moves every creation date to the restore; a restored phone lists its samples by start.
    mutating func restore() {
        samples = samples.byStart
        for index in samples.indices where samples[index].creation < dump.changeInstant(day: 0) {
            renew(&samples[index])
        }
    }

    /// Gives daily values of the last days before the older dump another value.
    mutating func revise(days: Int) {
        guard dump.number > 0, day >= dump.previousDays - days, day < dump.previousDays else { return }
        for index in samples.indices {
            let old = samples[index].id
            let shift = Double(1 + Int(chance("revise", samples[index]) * 3))
            samples[index].id = derivedId(old, kind: 2, besides: ids)
            samples[index].value += chance("revise-up", samples[index]) < 0.5 ? shift : -shift
            renew(&samples[index])
            notes.causes[old] = "revised"
            notes.causes[samples[index].id] = "revised"
            notes.revisions.append((old, samples[index].id))
        }
    }

    /// A third party writes a share of its samples again, with a higher sync version and other content.
    mutating func rewrite(_ share: Double) {
        for index in samples.indices where chance("rewrite", samples[index]) < share {
            samples[index].value = ((samples[index].value + 0.3) * 100).rounded() / 100
            samples[index].revision += 1
            renew(&samples[index])
        }
    }

    mutating func remove(_ ids: [UInt64], cause: String) {
        guard !ids.isEmpty else { return }
        let gone = Set(ids)
        for id in ids { notes.causes[id] = cause }
        samples.removeAll { gone.contains($0.id) }
    }
}
