internal import Basics
internal import Foundation

/// Which local day an instant belongs to, from a zone's offsets as the archive recorded them.
///
/// A day begins at the first instant at which clocks show it and ends where the next one begins, so days never overlap,
/// even where clocks are set back across midnight. Days are counted from 1970-01-01.
package struct ZoneClock: Sendable, Equatable {
    /// When each offset begins to hold, and the seconds east of UTC; the first one holds for all time before as well.
    private(set) var begins: [Int64]
    private(set) var offsets: [Int64]
    /// The day that was asked for last, as instants: most records are of the same one.
    private var day: Int64 = 0
    private var dayStart: Int64 = 0
    private var dayEnd: Int64 = 0

    private static let beyondReason: UInt64 = 1 << 55

    /// The years whose offsets are recorded; the last one holds for ever.
    private static let firstInstant: Int64 = -2_208_988_800  // 1900-01-01
    private static let lastInstant: Int64 = 4_102_444_800  // 2100-01-01
    /// Offsets are looked for in steps of four days: no two changes of a zone are that close and cancel each other.
    static let step: Int64 = 4 * 86_400

    /// A zone whose offset never changes.
    init(offsetSeconds: Int64) {
        begins = [Self.firstInstant]
        offsets = [offsetSeconds]
    }

    /// The offsets of a zone as this machine knows them, with the changes between two instants.
    init(_ zone: TimeZone, from first: Int64 = Self.firstInstant, to last: Int64 = Self.lastInstant) {
        func offset(_ seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
        begins = [first]
        offsets = [offset(first)]
        var from = first
        while from < last {
            let to = from + Self.step
            var known = offsets[offsets.count - 1]
            while offset(to) != known {
                var low = begins.count > 1 ? max(from, begins[begins.count - 1]) : from
                var high = to
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == known { low = middle } else { high = middle }
                }
                known = offset(high)
                begins.append(high)
                offsets.append(known)
            }
            from = to
        }
    }

    /// Offsets as `recorded` wrote them; nil for anything else.
    init?(recorded: String) {
        let pairs = JSON.parse(recorded)?.elements.map { $0.elements.compactMap(\.int) } ?? []
        guard !pairs.isEmpty,
            pairs.allSatisfy({ $0.count == 2 && $0[1].magnitude < 86_400 * 2 }),
            zip(pairs, pairs.dropFirst()).allSatisfy({ $0[0] < $1[0] })
        else { return nil }
        begins = pairs.map { $0[0] }
        offsets = pairs.map { $0[1] }
    }

    /// The offsets as JSON: pairs of (first instant, seconds east of UTC).
    var recorded: String {
        "[" + zip(begins, offsets).map { "[\($0),\($1)]" }.joined(separator: ",") + "]"
    }

    /// The local day of an instant.
    @inline(__always)
    package mutating func day(of instant: Int64) -> Int64 {
        if instant >= dayStart, instant < dayEnd { return day }
        return find(instant)
    }

    /// When a local day begins: the first instant at which clocks show it or a later day.
    package func start(of day: Int64) -> Int64 { first(showing: day &* 86_400) }

    /// From 09:00 to 21:00 on a local day.
    package func daytime(of day: Int64) -> (start: Int64, end: Int64) {
        (first(showing: day &* 86_400 &+ 9 * 3600), first(showing: day &* 86_400 &+ 21 * 3600))
    }

    /// The first instant at which clocks show a local time (seconds since the midnight of 1970-01-01) or a later one.
    func first(showing local: Int64) -> Int64 {
        var index = segment(at: local &- 86_400 * 2)
        while true {
            let candidate = index == 0 ? local &- offsets[0] : max(begins[index], local &- offsets[index])
            if index + 1 == begins.count || candidate < begins[index + 1] { return candidate }
            index += 1
        }
    }

    private mutating func find(_ instant: Int64) -> Int64 {
        // Only a damaged archive has such instants, and nothing may overflow there.
        guard instant.magnitude < Self.beyondReason else { return instant / 86_400 }
        let offset = offsets[segment(at: instant)]
        let local = instant + offset
        day = Int64(CivilDate.dayAndSecond(local).day)
        // Clocks that were set back show a day again that is over.
        while start(of: day + 1) <= instant { day += 1 }
        dayStart = start(of: day)
        dayEnd = start(of: day + 1)
        return day
    }

    /// The offset that holds at an instant, by its place.
    private func segment(at instant: Int64) -> Int { max(0, begins.partitionPoint { $0 <= instant } - 1) }

    package static func == (a: ZoneClock, b: ZoneClock) -> Bool { a.begins == b.begins && a.offsets == b.offsets }
}
