internal import History

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

    /// What went, in the order of its positions, and whether nothing has its place yet.
    private var gone: [Event] = []
    private var isFree: [Bool] = []
    private var freeCount = 0
    /// Where rows are in `gone`: a sample may have a million that went and as many that came.
    private var ofRow: [Int64: Places] = [:]
    private var ofPayload: [Int64: Places] = [:]
    private var ofAll = Places()

    /// Places in `gone`, grouped by the position at which they went.
    private struct Places {
        private struct Group {
            var position: Int64
            var places: [Int]
            /// Those before it are taken.
            var next = 0
        }

        private var groups: [Group] = []

        mutating func add(_ place: Int, at position: Int64) {
            if groups.last?.position == position {
                groups[groups.count - 1].places.append(place)
            } else {
                groups.append(Group(position: position, places: [place]))
            }
        }

        /// The first free one of those that went last; nil where none is free.
        mutating func last(_ isFree: [Bool]) -> Int? {
            while let index = groups.indices.last {
                while groups[index].next < groups[index].places.count {
                    let place = groups[index].places[groups[index].next]
                    if isFree[place] { return place }
                    groups[index].next += 1
                }
                groups.removeLast()
            }
            return nil
        }
    }

    /// By what a row takes the place of a removed one.
    private enum Step: CaseIterable {
        case row, payload, all
    }

    /// - Parameter events: by position, closings first, and those of equal position and kind by version.
    init(_ events: [Event]) {
        var start = 0
        while start < events.count {
            let position = events[start].position
            let end = events[start...].firstIndex { $0.position != position } ?? events.count
            apply(events[start..<end], at: position)
            start = end
        }
        let left = gone.indices.filter { isFree[$0] }.map { gone[$0] }
        returned = Set(events.filter { $0.kind == .closing }.map(\.rowID)).subtracting(left.map(\.rowID))
        released = Set(left.filter(\.isReleased).map(\.rowID))
    }

    private mutating func add(_ event: Event) {
        let place = gone.count
        gone.append(event)
        isFree.append(true)
        freeCount += 1
        ofRow[event.rowID, default: Places()].add(place, at: event.position)
        ofPayload[event.payload, default: Places()].add(place, at: event.position)
        ofAll.add(place, at: event.position)
    }

    private mutating func apply(_ events: ArraySlice<Event>, at position: Int64) {
        for event in events where event.kind == .closing { add(event) }
        guard freeCount > 0 else { return }
        let opened = events.filter { $0.kind == .opening }
        let strictKey = MatchRule.strictKey.rawValue
        _ = fillPlaces(with: opened.filter { $0.rule == nil }, ofAnyVersion: true)
        for event in fillPlaces(with: opened.filter { $0.rule.map { $0 != strictKey } ?? false }, ofAnyVersion: true) {
            if let previous = event.previous { releases.append(Release(rowID: previous, position: position)) }
        }
        for event in fillPlaces(with: opened.filter { $0.rule == strictKey }, ofAnyVersion: false) {
            guard let previous = event.previous, let payload = event.previousPayload else { continue }
            add(Event(position: position, kind: .closing, rowID: previous, payload: payload, isReleased: true))
        }
    }

    /// Gives rows that were opened the places of removed ones; returns those that found one.
    private mutating func fillPlaces(with opened: [Event], ofAnyVersion: Bool) -> [Event] {
        var found: [Event] = []
        var rest = opened
        for step in Step.allCases where ofAnyVersion || step != .all {
            rest.removeAll { event in
                guard let place = lastGone(like: event, step) else { return false }
                isFree[place] = false
                freeCount -= 1
                found.append(event)
                return true
            }
        }
        return found
    }

    /// The removed row whose place is free and that went last; of those that went together the first by version.
    private mutating func lastGone(like event: Event, _ step: Step) -> Int? {
        switch step {
        case .row: ofRow[event.rowID]?.last(isFree)
        case .payload: ofPayload[event.payload]?.last(isFree)
        case .all: ofAll.last(isFree)
        }
    }
}
