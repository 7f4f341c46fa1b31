internal import ArgumentParser
internal import Exporting
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

extension Splits.Length: ExpressibleByArgument {}
extension Splits.Source: ExpressibleByArgument {}

/// One workout at one observation, or at two beside each other.
struct WorkoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout",
        abstract: "Shows one workout at an observation, or at two side by side.",
        discussion: """
            Name the workout by the first digits of its identity, latest, latest~1 (by start), @2024-05-01 (the one that \
            starts on that day), the UUID in its condensed records, or the value of a link key.

            With --from and --to the same workout is shown as two observations have it: what Health's consolidation \
            changed in it. With --state finest, merged records are replaced by the originals that the archive has.

            docs/metrics.md says what the numbers mean. They are not medical advice.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var sql: ShowSQL
    @OptionGroup var athlete: SettingsOption

    @Argument(help: ArgumentHelp("The workout.", valueName: "workout"))
    var workout: String

    @Option(help: .observation) var at: String?

    @Option(help: ArgumentHelp("The earlier of two observations.", valueName: "observation"))
    var from: String?

    @Option(help: ArgumentHelp("The later of two observations; without it, latest.", valueName: "observation"))
    var to: String?

    @Option(help: .state) var state = WorkoutState.visible

    @Option(help: ArgumentHelp("km or mile.", valueName: "length"))
    var splits = Splits.Length.km

    @Option(help: ArgumentHelp("Where the splits come from: distance, route or segments.", valueName: "source"))
    var splitSource: Splits.Source?

    @Flag(help: "With --json: also the records and the points of the route that were used.")
    var series = false

    @Option(help: ArgumentHelp("Write a page to this file.", valueName: "path"), completion: .file())
    var html: String?

    @Option(help: ArgumentHelp("With --html: routes, the way as an outline without a map.", valueName: "parts"))
    var include: [String] = []

    @Flag(help: "Replace an earlier page at the path.")
    var force = false

    func validate() throws {
        if at != nil, from != nil || to != nil { throw ValidationError("Choose one of --at, and --from with --to.") }
        if html != nil, common.json { throw ValidationError("Choose one of --json and --html.") }
        if force, html == nil { throw ValidationError("--force goes with --html.") }
        if html == nil, !include.isEmpty { throw ValidationError("--include goes with --html.") }
        _ = try parts()
        if series, !common.json { throw ValidationError("--series goes with --json.") }
    }

    private func parts() throws -> Set<WorkoutDocument.Part> {
        Set(try ListArgument.values(include, option: "--include"))
    }

    func run() throws {
        try sql.keepHistory(common, state, at: at, from: from, to: to)
        guard let html else {
            return try common.print(athlete) { db, settings, output in
                let answer = try sql.answer(common, db) { try finding(db, settings) }
                if let answer { try common.print(answer, to: output) }
                return nil
            }
        }
        let settings = try athlete.read(common.environment)
        let reader = try common.openReader()
        defer { reader.close() }
        let place = try OutputPlace(html, .file("page"), OutputGuard(archive: reader.path), replaces: force)
        let answer = try reader.read { db in try sql.answer(common, db) { try finding(db, settings) } }
        guard case .finding(_, let document)? = answer else { return }
        let page = document()
        let title = page.blocks.lazy.compactMap { if case .title(let text) = $0 { text } else { nil } }.first
        let text = PageRenderer.text(page, title: title ?? "Workout")
        let digest = try place.publish(Array(text.utf8))
        try Output.with { try $0.write(digest, of: html) }
    }

    private func finding(_ db: ArchiveDatabase, _ settings: AthleteSettings) throws -> Answer {
        let snapshot = try Snapshot(db, chain: common.chain)
        let parts = try parts()
        var question = WorkoutTruth.Question()
        (question.length, question.source) = (splits, splitSource)
        guard from != nil || to != nil else {
            let reader = try WorkoutReader(snapshot, at: snapshot.observation(at ?? "latest"), settings, state: state)
            defer { reader.close() }
            let finding = try reader.finding(reader.place(of: workout), question)
            return .of(finding.json(withSeries: series), WorkoutDocument(finding, parts: parts).document)
        }
        let pair = try ObservationResolver.pair(from: from, to: to, in: snapshot.chain)
        let comparison = try WorkoutComparison.read(
            snapshot, workout, from: pair.from, to: pair.to, settings, state: state, question)
        return .of(comparison.json(withSeries: series), WorkoutDocument(comparison, parts: parts).document)
    }
}
