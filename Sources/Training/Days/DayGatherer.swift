internal import Days

/// Cuts records at midnight and hands on the parts of each day, day after day.
final class DayGatherer {
    private var clock: ZoneClock
    private let body: (Int64, [DayTotal.Record]) -> Void
    private var days: [Int64: [DayTotal.Record]] = [:]
    /// The day of the record before.
    private var last = Int64.min
    private var bounds = Interval(0, 0)

    init(_ clock: ZoneClock, _ body: @escaping (Int64, [DayTotal.Record]) -> Void) {
        self.clock = clock
        self.body = body
    }

    /// No record is spread over more days than this; a longer one belongs to its first days.
    static let mostDays: Int64 = 31

    /// Takes the next record in the order of starts.
    func add(_ record: DayTotal.Record) {
        let first = clock.day(of: Int64(record.interval.start))
        if first != last {
            handOn(before: first)
            last = first
            bounds = interval(of: first)
        }
        if record.interval.end <= bounds.end, record.interval.end > record.interval.start {
            days[first, default: []].append(record)
            return
        }
        for day in first..<first + Self.mostDays {
            let bounds = day == first ? self.bounds : interval(of: day)
            if day > first, bounds.start >= record.interval.end { break }
            if let part = record.clipped(to: bounds) { days[day, default: []].append(part) }
        }
    }

    func finish() { handOn(before: .max) }

    private func interval(of day: Int64) -> Interval {
        Interval(Double(clock.start(of: day)), Double(clock.start(of: day + 1)))
    }

    private func handOn(before day: Int64) {
        for (past, records) in days.filter({ $0.key < day }).sorted(by: { $0.key < $1.key }) {
            body(past, records)
            days[past] = nil
        }
    }
}
