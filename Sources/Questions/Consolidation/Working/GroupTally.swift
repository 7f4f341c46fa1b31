internal import HealthModel
internal import Store

/// Adds up the records of one group.
struct GroupTally {
    /// One constituent as the heuristics see it.
    struct Member {
        var id: Int64
        var start: Int64
        var end: Int64
        var value: Double
        var tolerance: Double
        var weight: Int64
        var closed: Int64
    }

    /// The replacement's interval in whole seconds.
    let low: Int64
    let high: Int64
    private(set) var count: Int64 = 0
    private(set) var weight: Int64 = 0
    private(set) var tolerance: Double = 0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    private(set) var firstStart = Int64.max
    private(set) var lastEnd = Int64.min
    private(set) var covered: Double = 0
    private(set) var overlap: Double = 0
    private(set) var exact = ExactSum()
    private var weighted = 0.0
    private var timed = 0.0
    private var seconds = 0.0
    private var pending: (value: Double, start: Int64)?

    init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }

    /// Adds a record; records come in the order of their starts.
    mutating func add(_ member: Member) {
        count += 1
        weight += member.weight
        tolerance += member.tolerance
        minimum = min(minimum, member.value)
        maximum = max(maximum, member.value)
        firstStart = min(firstStart, member.start)
        lastEnd = max(lastEnd, member.end)
        exact.add(member.value)
        weighted += member.value * Double(member.weight)
        settle(until: member.start)
        if member.end > member.start {
            timed += member.value * Double(member.end - member.start)
            seconds += Double(member.end - member.start)
        } else {
            pending = (member.value, member.start)
        }
        // An instant counts for one second, also at the interval's end, and so does an interval of no length.
        let end = max(member.end, member.start + 1)
        let last = member.end > member.start ? max(high, low + 1) : high + 1
        covered += Double(end - member.start)
        overlap += Double(max(0, min(end, last) - max(member.start, low)))
    }

    /// A reading at an instant counts for the time to the next one.
    private mutating func settle(until next: Int64) {
        guard let reading = pending else { return }
        let length = Double(max(0, next - reading.start))
        timed += reading.value * length
        seconds += length
        pending = nil
    }

    /// The sum of the values, rounded once.
    var sum: Double { exact.value }

    /// The mean in which a condensed record counts for the samples that it declares.
    var mean: Double? { weight > 0 ? weighted / Double(weight) : nil }

    /// The mean by duration.
    var timeWeightedMean: Double? {
        var copy = self
        copy.settle(until: high)
        return copy.seconds > 0 ? copy.timed / copy.seconds : nil
    }
}

extension GroupTally.Member {
    /// The columns of `analysis_records`, as `c`, from which `init(_:from:)` reads.
    static let columns = "c.id, c.start, c.end, c.value, c.tolerance, c.weight, c.closed"

    init(_ row: PreparedStatement, from first: Int32 = 0) {
        self.init(
            id: row.int(first), start: row.int(first + 1), end: row.int(first + 2), value: row.double(first + 3),
            tolerance: row.double(first + 4), weight: row.int(first + 5), closed: row.int(first + 6))
    }
}
