internal import WorkoutReading

/// Which threads answer a request, by how long that may take: what is slow never holds up what is quick.
package enum Lane: Sendable, CaseIterable {
    /// What the archive has ready.
    case page
    /// What may read all rows: it compares two states of the archive, or adds up what no table has added up.
    case long
    /// What may be as long as the archive, and so takes as long as its reader wants.
    case stream

    package init(_ request: Request) {
        let form = request.path.split(separator: ".").dropFirst().first.flatMap { Page.Form(rawValue: String($0)) }
        if form == .csv || form == .ndjson || request.page == .export && request.method == .post {
            self = .stream
        } else {
            self = Self.isLong(request) ? .long : .page
        }
    }

    private static func isLong(_ request: Request) -> Bool {
        switch request.page {
        case .sources, .metrics: true
        // Counts of types and the list of observations are there; a preview of everything else reads all rows.
        case .export: isLongExport(request)
        // Without a type no index has the days or the source.
        case .records: gives([.since, .until, .source], request) && !gives([.type], request)
        // The state before consolidation follows from the analysis of the whole chain.
        case .workouts, .workout:
            request.parameters.contains {
                $0.name == Parameter.state.rawValue && $0.value != WorkoutState.visible.rawValue
            }
        default: request.page?.subject == .comparison
        }
    }

    private static func isLongExport(_ request: Request) -> Bool {
        let kind = request.parameters.first { $0.name == Parameter.kind.rawValue && !$0.value.isEmpty }?.value
        return switch kind {
        case "types", "manifest": false
        // A program that names no kind is told of the first one; a page asks for it.
        case nil: request.path != "/export"
        default: true
        }
    }

    private static func gives(_ parameters: [Parameter], _ request: Request) -> Bool {
        request.given.contains { given in parameters.contains { $0.rawValue == given.name } }
    }

    /// How many answers are made at a time: an export is a stream beside two downloads.
    package var threads: Int { self == .stream ? 3 : 2 }

    /// How long the queries of an answer may run; nil where its reader sets the pace.
    package var timeLimit: Duration? {
        switch self {
        case .page: .seconds(2)
        case .long: .seconds(600)
        case .stream: nil
        }
    }
}
