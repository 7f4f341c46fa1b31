/// The pages by their paths: the commands' names, and below them what a page of its own shows of one.
package enum Page: String, CaseIterable, Sendable {
    case timeline, show, records, aggregates, type, types, sources, history
    case diff
    case changes = "diff/records"
    case consolidation
    case groups = "consolidation/groups"
    case report, exports, export, health
    case workouts, workout, metrics, impact
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
        case json, ndjson, csv, html
        case markdown = "md"
    }

    /// What the parameters name: nothing, a chain, one or two of its observations, or as many as are named.
    enum Subject {
        case archive, chain, observation, comparison, oneOrTwo
    }

    var subject: Subject {
        switch self {
        case .timeline, .type, .types, .sources, .history, .exports: .chain
        case .show, .records, .aggregates, .quarantine, .workouts, .metrics: .observation
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
        case .aggregates, .workouts, .metrics: [.json, .csv]
        case .changes, .groups, .log: [.json, .ndjson]
        case .report: [.html, .json, .markdown]
        case .upload, .help: []
        default: [.json]
        }
    }

    /// The parameters in the order in which a URL has them.
    package var parameters: [Parameter] {
        switch self {
        case .timeline: [.chain, .all, .limit, .after]
        case .show: [.at, .chain]
        case .records: [.at, .chain, .type, .since, .until, .source, .limit, .after]
        case .aggregates: [.at, .chain, .type, .by, .since, .until, .source, .limit]
        case .type, .sources: [.chain, .type]
        case .types: [.chain]
        case .exports: [.chain, .limit, .after]
        case .history: [.identity, .chain]
        case .diff: [.from, .to, .chain, .through, .type, .source]
        case .changes: [.from, .to, .chain, .through, .type, .source, .change, .limit, .after]
        case .consolidation, .report: [.from, .to, .chain, .through, .type]
        case .groups: [.from, .to, .chain, .through, .type, .limit, .after]
        case .workouts: [.at, .chain, .type, .since, .until, .source, .state, .limit, .after]
        case .workout: [.workout, .at, .from, .to, .chain, .include, .state, .splits]
        case .metrics: [.at, .chain, .since, .until, .last, .state, .totals]
        case .impact: [.from, .to, .chain, .through, .metric, .limit]
        case .export:
            [
                .kind, .at, .from, .to, .chain, .through, .type, .since, .until, .change, .provenance, .include,
                .format, .csvProfile, .state, .offset, .fillCreationDates,
            ]
        case .log: [.limit, .after]
        case .quarantine: [.at, .chain, .limit, .after]
        case .health, .jobs, .job, .settings, .upload, .help: []
        }
    }
}
