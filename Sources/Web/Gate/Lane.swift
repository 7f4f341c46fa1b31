internal import Training

/// Which threads answer a request, by how long that may take: what is slow never holds up what is quick.
package enum Lane: Sendable, CaseIterable {
    /// What the archive has ready.
    case page
    /// What may read all rows, or be as long as the archive and take as long as its reader wants.
    case long

    package init(_ request: Request) {
        self = Self.isStream(request) || request.method != .post && Self.isLong(request) ? .long : .page
    }

    /// Whether an answer is sent while it is made.
    package static func isStream(_ request: Request) -> Bool {
        let form = request.path.split(separator: ".").dropFirst().first.flatMap { Page.Form(rawValue: String($0)) }
        return form == .csv || form == .ndjson
    }

    private static func isLong(_ request: Request) -> Bool {
        switch request.page {
        // The merged totals of days follow from the records of the days.
        case .sources, .metrics, .aggregates: true
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

    /// How many answers are made at a time: two comparisons beside two downloads.
    package var threads: Int { self == .long ? 4 : 2 }

    /// How long the queries of an answer may run that is not sent while it is made.
    package var timeLimit: Duration { self == .page ? .seconds(2) : .seconds(600) }
}
