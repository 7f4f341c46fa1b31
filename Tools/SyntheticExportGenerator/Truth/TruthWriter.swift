/// Writes `truth.ndjson`: one line for everything that was done to a record between two dumps.
///
/// Every line names `kind`, `from` and `to` (dumps, 1 for the first); a RECORD is `{"type","startDate","endDate","value",
/// "unit","sourceName","creationDate","syncIdentifier"}` as the dump at hand prints it, dates in UTC:
/// - `record`: `change` (`appeared`, `disappeared`, `representationChanged`), `cause`, `before` and/or `after` (RECORDs).
/// - `group`: `type`, `basis` (`condenserIdentifier`, `intervalAndSum`, `coalesced`), `workout`, `declaredCount`,
///   `partial`, `neverSeen` (constituents that the dump before did not show), `replacements`, `constituents` (RECORDs).
/// - `decoy`: `type`, `decoy` (`deletion`, `otherSource`, `wrongTotal`, `category`), `disappeared`, `appeared` (RECORDs).
/// - `revision`: `type`, `before`, `after` (RECORDs).
/// - `workout`: every workout in the first dump, later those that are new or of which records changed: `activity`,
///   `startDate`, `endDate`, `sourceName`, `condenserUUID`, `aarcRunId`, `sharedSeconds` (with other workouts of the
///   watch), `isCopy` (an app's), `parameters` (of `trimp` and zones), `current` and `previous` (what the records of dumps `to`
///   and `from` say: times in seconds, `distance` in m, `energy` in kcal, `cadence` a minute, `heartRate` with TRIMP and zones,
///   `power`, kilometre `splits`, the `activities` of a triathlon). See ``WorkoutMeasures``.
final class TruthWriter {
    let detail: TruthDetail
    /// The dump to which the lines lead; 1 for the first.
    var dump = 1
    let out: OutputBuffer
    private let sink: FileSink

    init(path: String, detail: TruthDetail) throws {
        self.detail = detail
        let sink = try FileSink(path: path)
        self.sink = sink
        out = OutputBuffer { try sink.write($0) }
    }

    func close() throws {
        try out.flush()
        try sink.close()
    }

    /// A record that is new, gone or printed otherwise.
    func record(
        _ change: String, cause: String, _ type: SampleType, before: (Sample, DumpRenderer)?,
        after: (Sample, DumpRenderer)?
    ) throws {
        guard detail == .full else { return }
        begin("record")
        out.text(",\"change\":\"\(change)\",\"cause\":\"\(cause)\"")
        field("before", type, before)
        field("after", type, after)
        try end()
    }

    func group(
        _ group: StepNotes.Group, _ type: SampleType, replacement: (Sample, DumpRenderer),
        constituents: [(Sample, DumpRenderer)]
    ) throws {
        guard detail != .counts else { return }
        begin("group")
        out.text(",\"type\":\"\(type.identifier)\",\"basis\":\"\(group.basis)\",\"workout\":\"\(group.workout.text)\"")
        out.text(",\"declaredCount\":\(group.declaredCount.map { "\($0)" } ?? "null")")
        out.text(",\"partial\":\(group.isPartial)")
        out.text(",\"neverSeen\":\(group.constituents.count - constituents.count)")
        list("replacements", type, [replacement])
        list("constituents", type, constituents)
        try end()
    }

    func decoy(
        _ decoy: StepNotes.Decoy, _ type: SampleType, removed: [(Sample, DumpRenderer)],
        added: [(Sample, DumpRenderer)]
    ) throws {
        guard detail != .counts else { return }
        begin("decoy")
        out.text(",\"type\":\"\(type.identifier)\",\"decoy\":\"\(decoy.kind)\"")
        list("disappeared", type, removed)
        list("appeared", type, added)
        try end()
    }

    /// A daily value that was revised: one record gone, another new.
    func revision(_ type: SampleType, before: (Sample, DumpRenderer), after: (Sample, DumpRenderer)) throws {
        guard detail != .counts else { return }
        begin("revision")
        out.text(",\"type\":\"\(type.identifier)\"")
        field("before", type, before)
        field("after", type, after)
        try end()
    }

    /// Opens a line.
    func begin(_ kind: String) {
        out.text("{\"kind\":\"\(kind)\",\"from\":\(dump - 1),\"to\":\(dump)")
    }

    func end() throws {
        out.line("}")
        try out.flushIfFull()
    }

    private func list(_ name: String, _ type: SampleType, _ samples: [(Sample, DumpRenderer)]) {
        out.text(",\"\(name)\":[")
        for (position, sample) in samples.enumerated() {
            if position > 0 { out.byte(0x2C) }
            describe(type, sample)
        }
        out.byte(0x5D)
    }

    private func field(_ name: String, _ type: SampleType, _ sample: (Sample, DumpRenderer)?) {
        guard let sample else { return }
        out.text(",\"\(name)\":")
        describe(type, sample)
    }

    private func describe(_ type: SampleType, _ pair: (Sample, DumpRenderer)) {
        let (sample, renderer) = pair
        out.text("{\"type\":\"\(type.identifier)\"")
        date("startDate", sample.start)
        date("endDate", sample.end)
        if sample.value >= 0 {
            out.text(",\"value\":\"")
            renderer.value(sample, type, to: out)
            out.byte(0x22)
        }
        if let unit = renderer.dump.units[type.number] { out.text(",\"unit\":\"\(unit.name)\"") }
        out.text(",\"sourceName\":\"\(renderer.dump.names[sample.source.rawValue])\"")
        date("creationDate", sample.creation)
        if let series = sample.series, series.isMarked {
            out.text(",\"syncIdentifier\":\"\(DumpRenderer.seriesIdentifier(series))\"")
        }
        out.byte(0x7D)
    }

    /// A member that holds an instant.
    func date(_ name: String, _ instant: Int) {
        out.text(",\"\(name)\":\"")
        out.isoDate(instant, milliseconds: true)
        out.byte(0x22)
    }
}

/// How much of the truth is written record by record; the counts are always complete.
package enum TruthDetail: String, CaseIterable, Sendable {
    /// Every record that changed, except those of new days.
    case full
    /// Consolidation groups, decoys and revisions.
    case groups
    /// Counts only.
    case counts
}
