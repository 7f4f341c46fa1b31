internal import ArgumentParser
internal import Basics
internal import Days
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store
internal import Training

/// Many workouts as files for training tools.
struct ExportWorkouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts", abstract: "Exports many workouts: one TCX, GPX or CSV file each, and an index.",
        discussion: """
            The output is a folder, or a zip where its name ends with .zip. A file is named by local date, time and \
            activity: 2022-10-21_0712_Running.gpx; index.csv lists all with source, figures and SHA-256. A workout \
            without positions has no GPX file; it is listed without one.

            The files are those of export workout. They are not recorded in the archive.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var athlete: SettingsOption

    @Option(help: .observation) var at = "latest"

    @Option(help: .state) var state = WorkoutState.visible

    @Option(help: ArgumentHelp("Only this activity, such as Running.", valueName: "activity"))
    var type: String?

    @Option(help: ArgumentHelp("Only workouts that end at or after this day or instant.", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Only workouts that start before this instant, or on this day at the latest.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only workouts of this source; see healthprobe sources.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("tcx, gpx or csv.", valueName: "format"))
    var format: WorkoutFileFormat

    @Option(
        help: ArgumentHelp(
            "Where laps end in a TCX file: km (the default), mile, segments or none.", valueName: "laps"))
    var laps: WorkoutLaps?

    @Option(
        help: ArgumentHelp(
            "Source names; hashed: as pseudonyms; none: left out. Both leave positions out, unless --include routes.",
            valueName: "profile"))
    var provenance = Provenance.full

    @Option(help: ArgumentHelp("routes: positions with hashed and none, too.", valueName: "parts"))
    var include: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The folder or zip; it must not exist, or needs --force. - writes a zip to standard output.",
            valueName: "path"),
        completion: .file())
    var output: String

    @Flag(help: "Replace an earlier export of workouts at the output path.")
    var force = false

    private var isStream: Bool { output == BagExport.Options.standardOutput }

    func validate() throws {
        _ = try withPositions()
        if laps != nil, format != .tcx { throw ValidationError("--laps goes with --format tcx.") }
        if isStream, force { throw ValidationError("--force goes with an output path, not with --output -.") }
    }

    private func withPositions() throws -> Bool { try ExportWorkout.Part.areRoutesGiven(include, provenance) }

    func run() throws {
        if isStream, Terminal.isTerminal(STDOUT_FILENO) {
            throw HealthProbeError(
                .usage, "A zip is not written to a terminal.", hint: "Redirect it: --output - > workouts.zip")
        }
        let settings = try athlete.read(common.environment)
        let reader = try common.openReader()
        defer { reader.close() }
        let progress = common.progress("Writing workouts")
        defer { progress.finish() }
        let outcome = try reader.read { db in
            let snapshot = try Snapshot(db, chain: common.chain)
            var question = WorkoutPage.Question()
            (question.since, question.until) = try TimeArgument.interval(since: since, until: until, zone: .gmt)
            question.source = try common.sources(named: source, db)
            question.activity = type
            var files = WorkoutFiles(format)
            (files.laps, files.withPositions, files.provenance) = (laps, try withPositions(), provenance)
            files.key = try KeyFile(ArchiveIdentity.read(db), common.keys).key(for: provenance)
            (files.force, files.isCancelled) = (force, { Interruption.isRequested })
            files.progress = { progress.update(done: $0, total: nil) }
            let workouts = try WorkoutReader(snapshot, at: snapshot.observation(at), settings, state: state)
            defer { workouts.close() }
            return try files.write(workouts, question, to: output, archive: reader.path)
        }
        progress.finish()
        let answer = Answer.of(
            JSON.line(
                "export.workouts",
                [
                    "path": isStream ? nil : output, "format": format.rawValue, "workouts": outcome.workouts,
                    "withoutFile": outcome.withoutFile, "byteCount": outcome.byteCount,
                    "indexSHA256": outcome.indexSHA256, "definitionsVersion": Metrics.definitionsVersion,
                    "settingsSHA256": settings.sha256,
                ]), document(outcome))
        if !isStream { return try common.print(answer) }
        if common.json || !common.quiet { try Output.with(STDERR_FILENO) { try common.print(answer, to: $0) } }
    }

    private func document(_ outcome: WorkoutFiles.Outcome) -> Document {
        var text = "\(Counts.of(outcome.workouts, "workout")), \(Bytes.text(outcome.byteCount))."
        if outcome.withoutFile > 0 {
            text += " \(Counts.grouped(outcome.withoutFile)) without positions have no GPX file."
        }
        return Document([.paragraph(text), .paragraph(provenance.sentence)])
    }
}
