/// Writes one dump of a history into a container, and what became of the dump before into the truth.
final class DumpWriter {
    let history: History
    let dump: Dump
    private let container: any ExportContainer
    private let renderer: DumpRenderer
    private let comparison: Comparison
    let truth: TruthWriter?
    private let out: OutputBuffer
    private(set) var summary: DumpSummary

    /// The attributes of `Me` and the version from which each is printed.
    private static let characteristics = [
        ("DateOfBirth", "1984-05-17", 3), ("BiologicalSex", "HKBiologicalSexNotSet", 3),
        ("BloodType", "HKBloodTypeABPositive", 3), ("FitzpatrickSkinType", "HKFitzpatrickSkinTypeNotSet", 3),
        ("CardioFitnessMedicationsUse", "None", 12),
    ].map { (name: "HKCharacteristicTypeIdentifier" + $0, value: $1, since: $2) }

    /// The file ends here, in the middle of a record.
    private struct Truncation: Error {}

    init(
        history: History, number: Int, container: any ExportContainer, truth: TruthWriter?, file: String
    ) {
        self.history = history
        self.container = container
        self.truth = truth
        dump = history.dumps[number]
        renderer = DumpRenderer(phone: history.phone, dump: dump)
        let before = number > 0 ? DumpRenderer(phone: history.phone, dump: history.dumps[number - 1]) : nil
        comparison = Comparison(before: before, after: renderer, truth: truth)
        out = OutputBuffer { try container.write($0) }
        summary = DumpSummary(
            dump: number + 1, file: file, exportDate: dump.printed(dump.exportDate), offsetSeconds: dump.offsetSeconds,
            locale: dump.locale, exportVersion: dump.version.number, days: dump.days)
        summary.changes = dump.changes.map(\.text)
    }

    /// Writes the XML, then the files beside it.
    func write() throws {
        try container.begin(MainFile.name(locale: dump.locale))
        do {
            try document()
        } catch is Truncation {
            summary.isTruncated = true
            noteDamage(.truncated)
        }
        try out.flush()
        summary.xmlByteCount = out.byteCount
        summary.xmlLineCount = out.lines
        try container.end()
        if container.keepsSideFiles { try sideFiles() }
        try container.finish()
        summary.types = comparison.types
        countCharacteristics()
        summary.groups = comparison.groups
        summary.decoys = comparison.decoys
        summary.items = summary.types.values.reduce(0) { $0 + $1.after }
        summary.records = SampleCatalog.types.filter { $0.element == .record }
            .reduce(0) { $0 + (comparison.types[$1.identifier]?.after ?? 0) }
    }

    private func document() throws {
        out.block("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        for kind in [Malformation.noDTD, .malformedDTD] where dump.malformations.contains(kind) { noteDamage(kind) }
        if !dump.malformations.contains(.noDTD) {
            out.block(DocumentType.text(dump.malformations.contains(.malformedDTD) ? .v12 : dump.version))
        }
        out.block("<HealthData locale=\"\(dump.locale)\">\n <ExportDate")
        out.attribute("value", dump.exportDate, offsetSeconds: dump.offsetSeconds)
        out.block("/>\n <Me")
        for (name, value, since) in Self.characteristics where dump.version.number >= since {
            out.text(" \(name)=\"\(value)\"")
        }
        out.block("/>\n")
        for type in SampleCatalog.types where dump.version.number >= type.since {
            if type.element == .electrocardiogram && !container.keepsSideFiles { continue }
            try list(type)
            if type.isStepCount { damagedItems() }
        }
        out.block("</HealthData>\n")
    }

    /// Every attribute of `Me` is an item that no change touches.
    private func countCharacteristics() {
        for (name, _, since) in Self.characteristics where dump.version.number >= since {
            let before = dump.number > 0 && history.dumps[dump.number - 1].version.number >= since
            summary.types[name] = DumpSummary.TypeCounts(before: before ? 1 : 0, after: 1)
            if dump.number > 0 && !before { summary.types[name]?.appeared = ["exportVersion": 1] }
        }
    }

    private func list(_ type: SampleType) throws {
        let cutDay =
            dump.malformations.contains(.truncated) && type.isStepCount ? dump.days / 2 : -1
        for pass in history.passes(of: type, in: dump.number) {
            for day in pass.days {
                let state = history.state(of: type, day: day, in: dump.number)
                if pass.isBase {
                    try comparison.add(state, type)
                    if type.element == .workout { try workoutTruth(state, day: day) }
                }
                if state.after.isEmpty { continue }
                var list = state.after
                if !pass.isBase { list.sort { ($0.creation, $0.start, $0.id) < ($1.creation, $1.start, $1.id) } }
                for sample in list where sample.epoch == pass.epoch {
                    element(sample, type)
                    try out.flushIfFull()
                }
                if day == cutDay {
                    out.text(" <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Rob")
                    throw Truncation()
                }
            }
        }
    }

    private func element(_ sample: Sample, _ type: SampleType) {
        switch type.element {
        case .record: renderer.record(sample, type, indent: 1, to: out)
        case .correlation: renderer.correlation(sample, type, to: out)
        case .workout:
            guard let workout = history.phone.workout(of: sample) else { return }
            renderer.workout(sample, type, workout, to: out)
        case .activitySummary: renderer.activitySummary(sample, to: out)
        case .clinicalRecord: renderer.clinicalRecord(sample, type, to: out)
        case .audiogram: renderer.audiogram(sample, type, to: out)
        case .visionPrescription: renderer.visionPrescription(sample, type, to: out)
        case .electrocardiogram: break
        }
    }

    private func damagedItems() {
        for kind in dump.malformations {
            let expected = MalformedItems.expected(kind)
            guard expected.stored + expected.quarantined > 0 else { continue }
            noteDamage(kind)
            MalformedItems(dump: dump).write(kind, to: out)
        }
    }

    private func noteDamage(_ kind: Malformation) {
        let expected = MalformedItems.expected(kind)
        summary.malformations[kind.rawValue] = DumpSummary.Damage(
            firstLine: out.lines + 1, stored: expected.stored, quarantined: expected.quarantined)
    }

    private func sideFiles() throws {
        for type in SampleCatalog.types
        where dump.version.number >= type.since
            && [.workout, .clinicalRecord, .electrocardiogram].contains(type.element)
        {
            for day in 0..<dump.days {
                var seen: Set<UInt64> = []
                for sample in history.state(of: type, day: day, in: dump.number).after
                where seen.insert(sample.key).inserted {
                    try sideFile(sample, type)
                }
            }
        }
        try member("export_cda.xml") { renderer.clinicalDocument(to: $0) }
    }

    private func sideFile(_ sample: Sample, _ type: SampleType) throws {
        switch type.element {
        case .workout:
            guard let workout = history.phone.workout(of: sample), workout.hasRoute, dump.version.number >= 11 else {
                return
            }
            try member(RouteFile.path(workout, dump: dump)) {
                RouteFile.write(workout, phone: history.phone, dump: dump, to: $0)
            }
        case .clinicalRecord:
            let kind = String(type.identifier.dropFirst("ClinicalRecord/".count))
            try member(renderer.clinicalPath(sample, kind)) { renderer.clinicalRecord(sample, kind: kind, to: $0) }
        case .electrocardiogram:
            try member(renderer.electrocardiogramPath(sample)) { renderer.electrocardiogram(sample, to: $0) }
        default: break
        }
    }

    private func member(_ path: String, _ body: (OutputBuffer) -> Void) throws {
        try container.begin(path)
        let buffer = OutputBuffer(limit: 1 << 12) { [container] in try container.write($0) }
        body(buffer)
        try buffer.flush()
        try container.end()
    }
}
