internal import ArgumentParser
internal import Days
internal import Exporting
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// The ECGs of an observation, and the trace of one.
struct ECGCommand: ParsableCommand {
    /// The forms of a trace.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv, svg
    }

    static let configuration = CommandConfiguration(
        commandName: "ecg", abstract: "Lists the ECGs of an observation, and writes the trace of one.",
        discussion: """
            Name an ECG by the first digits of its identity, latest, latest~1, or @2024-05-01 (the one of that day). \
            --format csv writes its samples in microvolts; --format svg draws it at 25 mm/s and 10 mm/mV on a millimetre \
            grid, in millimetres, so that it prints to scale.

            No diagnosis and no medical advice: the classification is that of the device, and nothing is derived from \
            the trace.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var sql: ShowSQL

    @Argument(help: ArgumentHelp("One ECG; without it, all are listed.", valueName: "ecg"))
    var ecg: String?

    @Option(help: .observation) var at = "latest"

    @Option(help: ArgumentHelp("Write the trace as csv or svg.", valueName: "format"))
    var format: Format?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The trace's file; it must not exist, or needs --force. Without it, standard output.", valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace an earlier file at the output path.")
    var force = false

    @Flag(help: .csv) var csv = false

    func validate() throws {
        try common.requireOneForm(csv: csv)
        if format != nil, ecg == nil { throw ValidationError("--format goes with one ECG.") }
        if output != nil, format == nil { throw ValidationError("--output goes with --format.") }
        if force, output == nil { throw ValidationError("--force goes with --output.") }
        if csv, ecg != nil { throw ValidationError("--csv is the list; one ECG's trace is --format csv.") }
        if common.json, format != nil { throw ValidationError("Choose one of --json and --format.") }
    }

    func run() throws {
        let zone = try display.zone()
        guard let ecg else { return try list(zone) }
        let archive = try common.openReader()
        defer { archive.close() }
        let place = try output.map {
            try OutputPlace($0, .file("trace"), OutputGuard(archive: archive.path), replaces: force)
        }
        try archive.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            let observation = try snapshot.observation(at)
            var clock = try ChainZone.recorded(db, chain: snapshot.chain.id)?.clock
            let found = try sql.answer(common, db) {
                let reader = try ElectrocardiogramReader(snapshot, at: observation)
                let one = try reader.find(ecg) { clock?.day(of: $0) ?? $0 / 86_400 }
                return (one, format == nil ? nil : try reader.trace(of: one))
            }
            guard let (one, trace) = found else { return }
            guard let format else {
                return try common.print(
                    .of(
                        Electrocardiogram.columns.json(one, of: observation.id),
                        ElectrocardiogramDocument.one(one, at: observation, zone)))
            }
            guard let trace else {
                throw HealthProbeError(
                    .noSuchInput, "The archive does not have the trace of this ECG, or not its sample rate.",
                    hint: "Import an export.zip whose electrocardiograms folder has it.")
            }
            let bytes = format == .csv ? trace.csv : ElectrocardiogramDrawing.file(one, trace)
            guard let place, let output else { return try Output.with { try $0.write(bytes) } }
            let digest = try place.publish(bytes)
            try Output.with { try $0.write(digest, of: output) }
        }
    }

    private func list(_ zone: DisplayZone) throws {
        try Output.with { output in
            try common.read { db, _ in
                let snapshot = try Snapshot(db, chain: common.chain)
                let reader = try sql.answer(common, db) {
                    try ElectrocardiogramReader(snapshot, at: snapshot.observation(at))
                }
                guard let reader else { return }
                try common.print(
                    reader.lines, ElectrocardiogramDocument.list(reader, zone), asCSV: csv, to: output
                ) { reader.csv(forTerminal: $0) }
            }
        }
    }
}
