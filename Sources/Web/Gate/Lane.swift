/// Which threads answer a request, by how long that may take: what is slow never holds up what is quick.
package enum Lane: Sendable, CaseIterable {
    /// What the archive has ready.
    case page
    /// What compares two states of the archive, which may run the comparison anew.
    case comparison
    /// What may be as long as the archive, and so takes as long as its reader wants.
    case stream

    package init(_ request: Request) {
        let form = request.path.split(separator: ".").dropFirst().first.flatMap { Page.Form(rawValue: String($0)) }
        if form == .csv || form == .ndjson || request.page == .export && request.method == .post {
            self = .stream
        } else {
            self = request.page?.subject == .comparison ? .comparison : .page
        }
    }

    /// How long the queries of an answer may run; nil where its reader sets the pace.
    package var timeLimit: Duration? {
        switch self {
        case .page: .seconds(2)
        case .comparison: .seconds(60)
        case .stream: nil
        }
    }
}
