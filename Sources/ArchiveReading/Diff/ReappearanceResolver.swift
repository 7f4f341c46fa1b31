internal import ArchiveComparing

/// Which of one sample's rows that were removed inside a span stay removed.
///
/// A sample is its strict key, and counts as often as rows of it were there at once. A row that appears takes the
/// place of one that is gone: of itself, else of one of its version, else of the one that went last. Where such a row is
/// linked with another record, the sample's own return weighs more, and that other record is what is gone. So it is where
/// a row became another one of a version that is gone: that version is there again, and the row is gone.
struct ReappearanceResolver {
    /// A row that was closed without being continued, or opened.
    struct Event {
        enum Kind: Int64 {
            case closing = 0
            case opening = 1
        }

        var position: Int64
        var kind: Kind
        var rowID: Int64
        /// Equal for rows of one version.
        var payload: Int64
        var rule: Int64?
        var previous: Int64?
        var previousPayload: Int64?
        /// Whether another row continues the one that was closed.
        var isReleased = false
    }

    /// A row that counts as gone since a position although another one continues it.
    struct Release: Hashable {
        var rowID: Int64
        var position: Int64
    }

    /// Rows that went and whose place another one took.
    private(set) var returned: Set<Int64> = []
    /// Rows of the sample that count as gone although another one continues them.
    private(set) var released: Set<Int64> = []
    /// Records of other samples that count as gone since this one came back.
    private(set) var releases: [Release] = []

    private var gone: [Event] = []

    /// - Parameter events: by position, closings first, and those of equal position and kind by version.
    init(_ events: [Event]) {
        var start = 0
        while start < events.count {
            let position = events[start].position
            let end = events[start...].firstIndex { $0.position != position } ?? events.count
            apply(events[start..<end], at: position)
            start = end
        }
        let left = Set(gone.map(\.rowID))
        returned = Set(events.filter { $0.kind == .closing }.map(\.rowID)).subtracting(left)
        released = Set(gone.filter(\.isReleased).map(\.rowID))
    }

    private mutating func apply(_ events: ArraySlice<Event>, at position: Int64) {
        gone += events.filter { $0.kind == .closing }
        guard !gone.isEmpty else { return }
        let opened = events.filter { $0.kind == .opening }
        let strictKey = MatchRule.strictKey.rawValue
        _ = fillPlaces(with: opened.filter { $0.rule == nil }, ofAnyVersion: true)
        for event in fillPlaces(with: opened.filter { $0.rule.map { $0 != strictKey } ?? false }, ofAnyVersion: true) {
            if let previous = event.previous { releases.append(Release(rowID: previous, position: position)) }
        }
        for event in fillPlaces(with: opened.filter { $0.rule == strictKey }, ofAnyVersion: false) {
            guard let previous = event.previous, let payload = event.previousPayload else { continue }
            gone.append(
                Event(position: position, kind: .closing, rowID: previous, payload: payload, isReleased: true))
        }
    }

    /// Gives rows that were opened the places of removed ones; returns those that found one.
    private mutating func fillPlaces(with opened: [Event], ofAnyVersion: Bool) -> [Event] {
        var found: [Event] = []
        var rest = opened
        var steps: [(Event, Event) -> Bool] = [{ $0.rowID == $1.rowID }, { $0.payload == $1.payload }]
        if ofAnyVersion { steps.append { _, _ in true } }
        for matches in steps {
            rest.removeAll { event in
                let matching = gone.indices.filter { matches(gone[$0], event) }
                // Of those that went together the first by version.
                guard let last = matching.map({ gone[$0].position }).max(),
                    let index = matching.first(where: { gone[$0].position == last })
                else { return false }
                gone.remove(at: index)
                found.append(event)
                return true
            }
        }
        return found
    }
}
