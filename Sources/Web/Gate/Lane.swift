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
        // The state before consolidation follows from the analysis of the whole chain.
        case .workouts, .workout:
            request.parameters.contains {
                $0.name == Parameter.state.rawValue && $0.value != WorkoutState.visible.rawValue
            }
        default: request.page?.subject == .comparison
        }
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
