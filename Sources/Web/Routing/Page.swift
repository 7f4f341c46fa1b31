internal import Reporting

/// The pages by their paths: the commands' names, and below them what a page of its own shows of one.
package enum Page: String, CaseIterable, Sendable {
    /// The story of the archive, at `/`.
    case home
    case go, more
    case timeline, show, records, aggregates, type, types, sources, history
    case diff
    case changes = "diff/records"
    case consolidation
    case groups = "consolidation/groups"
    case report, exports, export, health
    case workouts, workout, metrics, day, nights, ecg, impact
    case log = "health/log"
    case quarantine
    case jobs
    case job = "jobs/ID"
    case settings
    case upload = "import"
    case help

    /// In what form an answer is asked for, as the ending of the path.
    package enum Form: String, CaseIterable, Sendable {
        /// A page for people, without an ending.
        case page = ""
        case json, ndjson, csv, html, svg, tcx, gpx
        case markdown = "md"
    }

    /// What the parameters name: nothing, a chain, one or two of its observations, or as many as are named.
    enum Subject {
        case archive, chain, observation, comparison, oneOrTwo
    }

    var subject: Subject {
        switch self {
        case .home, .go, .more, .timeline, .type, .types, .sources, .history, .exports: .chain
        case .show, .records, .aggregates, .quarantine, .workouts, .metrics, .day, .nights, .ecg: .observation
        case .diff, .changes, .consolidation, .groups, .report, .impact: .comparison
        case .workout: .oneOrTwo
        case .export, .health, .log, .jobs, .job, .settings, .upload, .help: .archive
        }
    }

    /// Whether its command answers about one chain, and has to be told which.
    var isOfOneChain: Bool { self == .export || subject != .archive && self != .exports }

    /// The forms in which the page's content is there for programs.
    package var twins: [Form] {
        switch self {
        case .records: [.json, .ndjson, .csv]
        case .aggregates: [.json, .csv]
        case .workouts, .metrics, .nights: [.json, .ndjson, .csv]
        case .workout: [.json, .tcx, .gpx, .csv]
        case .ecg: [.json, .ndjson, .csv, .svg]
        case .changes, .groups, .log: [.json, .ndjson]
        case .report: [.html, .json, .markdown]
        case .upload, .help, .go, .more: []
        default: [.json]
        }
    }

    /// The parameters in the order in which a URL has them.
    package var parameters: [Parameter] { Self.parametersByPage[self] ?? [] }

    private static let parametersByPage = Dictionary(
        allCases.map { page in
            let answer = AnswerDefinition.of(page: page.rawValue)
            return (
                page,
                answer.map { $0.fields.compactMap { Parameter(rawValue: $0.name) } + page.looks } ?? page.ownParameters
            )
        }
    ) { first, _ in first }

    /// What the page alone takes beside the question of its answer.
    package var looks: [Parameter] {
        switch self {
        case .type: [.at, .since, .until]
        default: []
        }
    }

    /// Those of a page that is no answer of the program.
    private var ownParameters: [Parameter] {
        switch self {
        case .home: [.chain]
        case .go: [.q, .chain]
        case .more: [.chain]
        case .export:
            [
                .kind, .at, .from, .to, .chain, .through, .type, .since, .until, .change, .provenance, .include,
                .format, .state, .offset, .fillCreationDates,
            ]
        case .log: [.limit, .after]
        case .quarantine: [.at, .chain, .limit, .after]
        default: []
        }
    }
}
