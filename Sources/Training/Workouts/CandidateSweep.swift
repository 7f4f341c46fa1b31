internal import Basics
internal import Questions
internal import Store

/// The records of one type around windows of time.
///
/// Windows that follow one another in the order of time are answered from one sweep along the index: each record is read
/// once, however many workouts ask for it. A window that lies before what is kept, or far behind it, begins a new sweep.
final class CandidateSweep {
    /// A record, or why it is left out.
    enum Content {
        case usable(FoundRecord)
        case left(Label)
        /// Left out without a word.
        case nothing
    }

    private struct Item {
        /// Unix seconds; what ends before it starts is where it starts.
        var start: Int64
        var end: Int64
        var content: Content
    }

    private let snapshot: Snapshot
    private let set: RecordSet
    private let type: Int64
    private let read: (VersionCursor) throws -> Content
    /// Nil before the first window. No query stays open between windows: temporary tables can go meanwhile.
    private var rows: VersionCursor?
    /// In the order of readings: what windows from `first` on need, as far as it starts before `through`.
    private var items: [Item] = []
    private var first: Int64 = 0
    private var through: Int64 = 0

    /// Records of more seconds than this may be passed over.
    private static let longest: Int64 = 2 * 86_400
    /// How many seconds before the last window another one may begin without a new sweep.
    private static let kept: Int64 = 86_400

    /// - Parameter read: what a row has.
    init(_ snapshot: Snapshot, _ set: RecordSet, type: Int64, read: @escaping (VersionCursor) throws -> Content) {
        (self.snapshot, self.set, self.type, self.read) = (snapshot, set, type, read)
    }

    /// Calls `body` with what ends at or after `since` and starts before `until`, in the order of readings; what starts more
    /// than two days before `since` is passed over.
    ///
    /// - Complexity: of windows in the order of time, the records between the first and the last one; memory for those of
    ///   four days and of the window.
    func forEach(since: Int64, until: Int64, _ body: (Interval, Content) throws -> Void) throws {
        let earliest = since - Self.longest
        if rows == nil || since < first || earliest > through { (items, first, through) = ([], since, earliest) }
        forget(before: earliest - Self.kept)
        try readOn(to: until)
        var place = items.partitionPoint { $0.start < earliest }
        while place < items.count, items[place].start < until {
            let item = items[place]
            place += 1
            if item.end >= since { try body(Interval(Double(item.start), Double(item.end)), item.content) }
        }
    }

    /// Forgets what starts before an instant; now and then, since what stays is moved.
    private func forget(before start: Int64) {
        guard let oldest = items.first, oldest.start < start - Self.kept else { return }
        items.removeFirst(items.partitionPoint { $0.start < start })
        first = max(first, start + Self.longest)
    }

    private func readOn(to until: Int64) throws {
        guard until > through else { return }
        let rows = try rows ?? VersionCursor.starting(snapshot.db, of: set, type: type)
        self.rows = rows
        rows.restart(from: through, below: until)
        defer { rows.reset() }
        while try rows.next() {
            guard let start = try rows.start else { continue }
            let end = try max(start, rows.end ?? start)
            // No window from here on needs what ends before the first one.
            if end >= first { try items.append(Item(start: start, end: end, content: read(rows))) }
        }
        through = until
    }
}
