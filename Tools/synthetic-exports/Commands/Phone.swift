import ArgumentParser
import SyntheticExportGenerator

struct Phone: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes successive dumps of one phone, with the truth about what changed between them.",
        discussion: """
            Writes dump-1.xml (or dump-1/, dump-1.zip), dump-1.summary.json, ...
            and truth.ndjson into the folder. Days pass between the dumps anyway.

            --changes takes a list separated by commas: what happens between all
            dumps or, with a number and a colon before it, before that dump:
            --changes '2: condense=0.5,rename:watch' --changes '3: restore'.
            '1: condense' says what had happened before the first dump.

            Workouts agree with themselves: statistics, kilometre and mile segments and
            routes follow from the records of distance and heart rate, and condensing
            changes none of them. There are pauses, intervals, rides with power,
            triathlons, an app's copies and overlapping workouts; truth.ndjson says of
            each workout splits, heart rates, TRIMP and power as the records say before
            and after. --athlete records them at full resolution on most of the first
            days.

            Sources: \(Source.allCases.map(\.key).joined(separator: ", ")).
            SHARE is between 0 and 1. A change is one of

            \(Change.help)

            Examples:
              synthetic-exports phone --days 400 --records 20000 \\
                --changes condense,delete=0.005 --output /tmp/p
              synthetic-exports phone --athlete 30 --days 30 --records 60000 --dumps 3 \\
                --new-days 90 --changes 'condense=0.7,revise=3' --output /tmp/r
              synthetic-exports phone --dumps 3 --form zip --records 5000 --days 300 \\
                --changes '2: rename:watch,unit:DistanceWalkingRunning:mi' \\
                --changes '3: offset:-0500,restore' --output /tmp/q
            """)

    @OptionGroup var sizing: SizeOptions

    @Option(help: "How many dumps.")
    var dumps: Int = 2

    @Option(help: "Days that pass between two dumps.")
    var newDays: Int = 30

    @Option(help: ArgumentHelp("What happens between the dumps; may repeat.", valueName: "list"))
    var changes: [String] = []

    @Option(help: "Export version of the last dump: the phone's system was upgraded before it.")
    var lastVersion: Int?

    @Option(help: ArgumentHelp("Damage in the last dump; may repeat. See malformed --help.", valueName: "kind"))
    var malformed: [Malformation] = []

    @Option(help: ArgumentHelp("Form of the dumps: xml, folder or zip.", valueName: "form"))
    var form: ExportForm = .xml

    @Option(
        help: ArgumentHelp(
            "Truth record by record: full, groups (consolidation, decoys, revisions) or counts.", valueName: "detail"))
    var truth: TruthDetail = .full

    @Option(name: .shortAndLong, help: "The folder to write into.")
    var output: String

    func validate() throws {
        guard (1...1000).contains(dumps), (0...3650).contains(newDays) else {
            throw ValidationError("--dumps must be between 1 and 1000, --new-days between 0 and 3650")
        }
    }

    func run() throws {
        var scenario = try sizing.scenario()
        scenario.dumps[0].changes = try changes(before: 1)
        scenario.dumps += try (1..<dumps).map { DumpPlan(days: newDays, changes: try changes(before: $0 + 1)) }
        if let lastVersion { scenario.dumps[dumps - 1].version = try SizeOptions.version(lastVersion) }
        scenario.dumps[dumps - 1].malformations = malformed
        try SyntheticExportGenerator(scenario: scenario, form: form, truthDetail: truth)
            .writeAll(to: output, progress: report)
    }

    /// The changes before a dump: those given for its number, and before all but the first those given for all.
    private func changes(before number: Int) throws -> [Change] {
        try changes.flatMap { list -> [Change] in
            let halves = list.split(separator: ":", maxSplits: 1)
            let target = halves.count == 2 ? Int(halves[0]) : nil
            guard target == number || (target == nil && number > 1) else { return [] }
            let items = target == nil ? list[...] : halves[1]
            return try items.split(separator: ",").map {
                do {
                    return try Change(parsing: String($0.filter { $0 != " " }))
                } catch let error as Change.SyntaxError {
                    throw ValidationError(error.description)
                }
            }
        }
    }
}
