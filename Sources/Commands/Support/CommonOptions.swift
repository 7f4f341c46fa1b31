internal import ArgumentParser
internal import Basics
internal import Care
internal import Evidence
internal import Foundation
internal import HealthModel
internal import History
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The archive; without it, $HEALTHPROBE_ARCHIVE or HealthProbeArchive.sqlite in the data folder.",
            valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var archive: String?

    @Option(
        name: .customLong("chain"),
        help: ArgumentHelp("The chain of observations; use one per phone. Without it, default.", valueName: "name"),
        transform: NamedArgument.read)
    var namedChain: String?

    @Option(
        help: ArgumentHelp("The archive's key, if it is not in the data folder.", valueName: "path"),
        completion: .file(), transform: NamedArgument.read)
    var secretFile: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    @Flag(help: "Print only errors, and the warning about an older copy of the archive.")
    var quiet = false

    /// The name of the chain.
    var chain: String { namedChain ?? "default" }

    /// The environment, for paths.
    var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Where keys are looked for.
    var keys: KeySearch { KeySearch(secretFile: secretFile, environment: environment) }

    /// Where the archive is, absolute and without symbolic links.
    var archivePath: String { ArchivePath.ofReader(namedArchive) }

    private var namedArchive: String {
        if let archive { return archive }
        if let path = environment["HEALTHPROBE_ARCHIVE"], !path.isEmpty { return path }
        return UserFolder.data.path(environment) + "/HealthProbeArchive.sqlite"
    }

    /// Opens the archive for reading; an older copy of it is reported on standard error. A signal ends its statements.
    func openReader() throws -> ArchiveReader {
        Interruption.watch()
        let reader = try ArchiveReader(path: archivePath) { Interruption.isRequested }
        if let what = try? reader.headAnswer(environment: environment).missing { warnOfOlderCopy(what) }
        return reader
    }

    /// Opens the archive for writing; one that is not there is made, unless it must exist.
    func openWriter(mustExist: Bool = true, acceptsForeignObjects: Bool = false) throws -> ArchiveWriter {
        try mustExist
            ? ArchiveWriter(
                existing: archivePath, secretFile: secretFile, environment: environment,
                acceptsForeignObjects: acceptsForeignObjects)
            : ArchiveWriter(path: archivePath, secretFile: secretFile, environment: environment)
    }

    /// Reports an older copy of the archive where a command reads it in another way than with a reader. What cannot be
    /// opened is reported by the command itself.
    func reportOlderCopy() { (try? openReader())?.close() }

    /// One line on standard error, also with `--quiet`: the archive lacks what it had when it was last used here.
    func warnOfOlderCopy(_ what: String) {
        let message = "\(OlderCopy.finding): \(what)."
        if json { return StandardError.write(code: "olderCopy", message, OlderCopy.hint, as: "warning") }
        StandardError.write("warning: \(TerminalText.safe("\(message) \(OlderCopy.hint)"))\n")
    }

    /// - Throws: `ValidationError` where CSV is asked for as well as JSON.
    func requireOneForm(csv: Bool) throws {
        if csv, json { throw ValidationError("Choose one of --json and --csv.") }
    }

    /// A message for people on standard error, unless `--quiet`.
    func note(_ text: String) {
        if !quiet { StandardError.write(TerminalText.safe(text) + "\n") }
    }

    /// Shows on a terminal how long a comparison takes.
    func comparing<R>(_ work: () throws -> R) rethrows -> R { try progress("Comparing observations").showElapsed(work) }

    /// A progress reporter on standard error.
    func progress(_ label: String) -> ProgressReporter {
        ProgressReporter(label: label, mode: ProgressReporter.mode(quiet: quiet))
    }
}

/// The zone in which times are printed and read.
struct DisplayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Print times and read days in this zone instead of UTC.", valueName: "zone"))
    var timeZone: String?

    /// The zone.
    /// - Throws: `usage` where there is none of that name.
    func zone() throws -> DisplayZone { DisplayZone(try Self.zone(timeZone)) }

    /// The zone of a name; UTC without one.
    static func zone(_ name: String?) throws -> TimeZone {
        guard let name else { return .gmt }
        guard let zone = TimeZone(identifier: name) else {
            throw HealthProbeError(
                .usage, "There is no time zone called '\(name)'.",
                hint: "Write it like Europe/Bucharest or America/New_York.")
        }
        return zone
    }
}

/// `--show-sql`: the queries behind a command's numbers instead of the numbers.
struct ShowSQL: ParsableArguments {
    @Flag(help: "Print the SQL behind the numbers instead, for the sqlite3 shell.")
    var showSql = false

    /// What `body` answers; nil where the queries behind it were asked for, which are printed.
    func answer<R>(_ common: CommonOptions, _ db: ArchiveDatabase, _ body: () throws -> R) throws -> R? {
        guard showSql else { return try body() }
        let queries = try PrintedQuery.run(on: db, body).queries
        try common.print(.queries(GroupExpansion.tables(db, readBy: queries) + queries))
        return nil
    }
}

/// Which visible records a command shows.
struct SelectionOptions: ParsableArguments {
    @Option(help: .observation) var at = "latest"

    @Option(help: .types, transform: NamedArgument.read) var type: [String] = []

    @Option(help: .source) var source: String?

    @Flag(help: .csv) var csv = false

    /// The types asked for; nil for all.
    var types: TypeFilter? { type.isEmpty ? nil : TypeFilter(type) }

    /// The observation asked for.
    func observation(in chain: Chain) throws -> Observation { try ObservationResolver.resolve(at, in: chain) }
}

/// Two observations, by arguments or options.
struct PairOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The two observations, the earlier one first.", valueName: "observation"))
    var sides: [String] = []
    @Option(help: .earlier) var from: String?
    @Option(help: .later) var to: String?

    /// The two observations; by default `latest` and the one before.
    ///
    /// - Throws: `usage` where a side is given twice, `unknownObservation` where the first of a chain has none before it.
    func pair(in chain: Chain) throws -> (from: Observation, to: Observation) {
        guard sides.count <= 2, sides.isEmpty || (from == nil && to == nil) else {
            throw HealthProbeError(
                .usage, "A comparison takes two observations.",
                hint: "Give FROM TO, or --from FROM --to TO.")
        }
        return try ObservationResolver.pair(
            from: sides.first ?? from, to: sides.count == 2 ? sides[1] : to, in: chain)
    }
}

/// What is compared of two observations: which types, and what counts as the earlier side.
struct ComparisonOptions: ParsableArguments {
    @Option(help: .typesAlone, transform: NamedArgument.read) var type: [String] = []

    @Flag(help: "Also compare what was visible only between the two observations.")
    var through = false

    /// The question about a chain; by default `latest` is compared with the one before.
    ///
    /// - Throws: what `PairOptions.pair` throws.
    func question(_ pair: PairOptions, in chain: Chain) throws -> ConsolidationQuestion {
        let (first, second) = try pair.pair(in: chain)
        return ConsolidationQuestion(
            from: first, to: second, through: through, types: type.isEmpty ? nil : TypeFilter(type))
    }
}

extension ArgumentHelp {
    /// What the question of an answer says of a field.
    static func of(_ answer: AnswerDefinition, _ name: String) -> ArgumentHelp {
        guard let field = answer[name] else { return "" }
        var words = field.meaning
        if case .count(let range) = field.kind, range.upperBound < .max {
            words = "\(words.dropLast()), \(range.lowerBound) to \(range.upperBound)."
        }
        return ArgumentHelp("\(words)", valueName: field.placeholder)
    }
}

/// What several commands say of an option.
extension ArgumentHelp {
    static let observation = ArgumentHelp(
        "The observation: id, first, latest, latest~N, @2024-05-01.", valueName: "observation")
    static let earlier = ArgumentHelp(
        "The earlier observation; without it, the one before --to.", valueName: "observation")
    static let later = ArgumentHelp("The later observation; without it, latest.", valueName: "observation")
    static let types = ArgumentHelp(
        "Only these types (HeartRate, ClinicalRecord/*); may repeat.", valueName: "type")
    static let typesAlone = ArgumentHelp("Only these types; may repeat.", valueName: "type")
    static let source = ArgumentHelp("Only records of this source; see healthprobe sources.", valueName: "name")
    static let since = ArgumentHelp("Only records that end at or after this day or instant.", valueName: "time")
    static let until = ArgumentHelp(
        "Only records that start before this instant, or on this day at the latest.", valueName: "time")
    static let identity = ArgumentHelp("The identity, or its first digits: at least four.", valueName: "identity")
    static let export = ArgumentHelp("export.zip, an unpacked folder or a bare XML file.", valueName: "path")
    static let destination = ArgumentHelp("The file to write; it must not exist yet.", valueName: "destination")
    static let state = ArgumentHelp(
        "visible, or finest: merged records replaced by their originals.", valueName: "state")
    static let recordState = ArgumentHelp(
        "visible; finest: originals of merged records; ever: all up to it; everything: both.", valueName: "state")
    static let csv: ArgumentHelp = "Print CSV; cells that a spreadsheet would run as formulas get an apostrophe."
}
