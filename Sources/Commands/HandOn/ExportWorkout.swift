internal import ArgumentParser
internal import Basics
internal import Exporting
internal import HealthModel
internal import Questions
internal import Store
internal import Training

/// One workout as a file for training tools.
struct ExportWorkout: ParsableCommand {
    /// What `--include` takes.
    enum Part: String, CaseIterable {
        case routes

        /// Whether positions are written.
        static func areRoutesGiven(_ include: [String], _ provenance: Provenance) throws -> Bool {
            let parts: [Self] = try ListArgument.values(include, option: "--include")
            return provenance == .full || parts.contains(.routes)
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "workout", abstract: "Exports one workout as a TCX, GPX or CSV file for training tools.",
        discussion: """
            TCX has laps, pauses, distance, heart rate, cadence and watts and needs no position; GPX has the route; CSV has \
            a row for each instant at which something was recorded. With --state finest, merged records are replaced by \
            the originals that the archive has: an old run at full resolution.

            Nothing is interpolated: a merged record is its two ends. The same archive and question give the same bytes. \
            The file is not recorded in the archive.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var athlete: SettingsOption

    @Argument(help: ArgumentHelp("The workout, as for healthprobe workout.", valueName: "workout"))
    var workout: String

    @Option(help: .observation) var at = "latest"

    @Option(help: .state) var state = WorkoutState.visible

    @Option(help: ArgumentHelp("tcx, gpx or csv.", valueName: "format"))
    var format: WorkoutFileFormat

    @Option(
        help: ArgumentHelp(
            "Where laps end in a TCX file: km (the default), mile, segments or none.", valueName: "laps"))
    var laps: WorkoutLaps?

    @Option(
        help: ArgumentHelp("hashed and none leave positions out, unless --include routes.", valueName: "profile"))
    var provenance = Provenance.full

    @Option(help: ArgumentHelp("routes: positions with hashed and none, too.", valueName: "parts"))
    var include: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file; it must not exist, or needs --force. - writes to standard output.", valueName: "path"),
        completion: .file())
    var output: String

    @Flag(help: "Replace an earlier file at the output path.")
    var force = false

    func validate() throws {
        _ = try withPositions()
        if laps != nil, format != .tcx { throw ValidationError("--laps goes with --format tcx.") }
        if output == "-", force { throw ValidationError("--force goes with an output path, not with --output -.") }
    }

    private func withPositions() throws -> Bool { try Part.areRoutesGiven(include, provenance) }

    func run() throws {
        let settings = try athlete.read(common.environment)
        try sql.keepHistory(common, state, at: at)
        let reader = try common.openReader()
        defer { reader.close() }
        let place =
            output == "-" || sql.showSql
            ? nil : try OutputPlace(output, .file("workout file"), OutputGuard(archive: reader.path), replaces: force)
        let answer = try reader.read { db in try sql.answer(common, db) { try bytes(db, settings) } }
        guard let bytes = answer else { return }
        guard let place else { return try Output.with { try $0.write(bytes) } }
        let digest = try place.publish(bytes)
        try Output.with { output in
            if common.json {
                return try output.writeLine(
                    JSON.line(
                        "export.workout",
                        [
                            "path": self.output, "format": format.rawValue, "byteCount": bytes.count,
                            "sha256": digest.hex, "definitionsVersion": Metrics.definitionsVersion,
                            "settingsSHA256": settings.sha256,
                        ]))
            }
            try output.write(digest, of: self.output)
        }
    }

    /// The file's content.
    private func bytes(_ db: ArchiveDatabase, _ settings: AthleteSettings) throws -> [UInt8] {
        var question = WorkoutTruth.Question()
        question.length = laps == .mile ? .mile : .km
        question.source = laps == .segments ? .segments : nil
        let snapshot = try Snapshot(db, chain: common.chain)
        let workouts = try WorkoutReader(snapshot, at: snapshot.observation(at), settings, state: state)
        defer { workouts.close() }
        let finding = try workouts.finding(workouts.place(of: workout), question)
        if format == .gpx, finding.truth.route?.untimed.isEmpty == false { common.note(GPXFile.untimedNote) }
        return try format.bytes(finding, laps: laps, withPositions: withPositions())
    }
}

extension WorkoutLaps: ExpressibleByArgument {}
extension WorkoutFileFormat: ExpressibleByArgument {}
