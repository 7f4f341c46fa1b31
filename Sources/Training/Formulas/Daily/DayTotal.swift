internal import Basics

/// A day's total of a cumulative type that several sources recorded at the same time: each stretch of time counts once.
///
/// Sources that the settings order come first, then what a person entered, watches, phones and others; within these, records
/// are in the order (start, end, identity). A record counts with the share of its interval that none before it covers; of
/// records without length at one instant, those of the first source count. HealthKit's own order of sources is in no export.
package struct DayTotal: Sendable, Equatable {
    /// One record, or its part within a day.
    package struct Record: Sendable {
        package var interval: Interval
        package var value: Double
        package var sourceName: String
        /// What comes first counts first.
        package var rank: Int

        package init(_ start: Double, _ end: Double, _ value: Double, sourceName: String, rank: Int) {
            interval = Interval(start, end)
            self.value = value
            self.sourceName = sourceName
            self.rank = rank
        }

        /// The part of a record within a day, with the share of its value; nil for none.
        package func clipped(to day: Interval) -> Record? {
            if interval.seconds <= 0 { return day.contains(interval.start) ? self : nil }
            guard let part = interval.intersection(day) else { return nil }
            if part == interval { return self }
            return Record(
                part.start, part.end, value * (part.seconds / interval.seconds), sourceName: sourceName, rank: rank)
        }

        /// The rank of a record: its place in the settings' order, or else behind it by kind.
        ///
        /// - Parameter source: the source's name, folded.
        package static func rank(
            of source: String, _ kind: SourceKind, isUserEntered: Bool, order: SourceOrder
        ) -> Int {
            order[source] ?? order.end + (isUserEntered ? 0 : 1 + kind.rawValue)
        }
    }

    /// What counts once.
    package private(set) var value = 0.0
    /// The seconds that any record covers.
    package private(set) var coveredSeconds = 0.0
    /// The plain sum of all records.
    package private(set) var naiveSum = 0.0
    /// The plain sum of each source, by name.
    package private(set) var sources: [(sourceName: String, sum: Double)] = []

    /// - Parameter records: of one day in the order (start, end, identity).
    package init(_ records: [Record]) {
        var covered = CoveredTime()
        var (value, naive) = (CompensatedSum(), CompensatedSum())
        var bySource: [String: CompensatedSum] = [:]
        for record in records {
            naive.add(record.value)
            bySource[record.sourceName, default: CompensatedSum()].add(record.value)
        }
        let sums = bySource.mapValues(\.value)
        let firstAt = Self.firstSources(ofInstants: records, sums)
        for rank in Set(records.map(\.rank)).sorted() {
            for record in records where record.rank == rank {
                let share = covered.add(record.interval)
                if record.interval.seconds <= 0, firstAt[record.interval.start] != record.sourceName { continue }
                value.add(record.value * share)
            }
        }
        coveredSeconds = covered.seconds
        self.value = value.value
        naiveSum = naive.value
        sources = sums.map { ($0.key, $0.value) }
            .sorted { $0.sourceName.utf8.lexicographicallyPrecedes($1.sourceName.utf8) }
    }

    /// Whose records count at each instant with records without length: of the first rank, of several sources of it the one
    /// that recorded more of the day, then the first name.
    private static func firstSources(ofInstants records: [Record], _ sums: [String: Double]) -> [Double: String] {
        var first: [Double: Record] = [:]
        func precedes(_ a: Record, _ b: Record) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            let (left, right) = (sums[a.sourceName] ?? 0, sums[b.sourceName] ?? 0)
            return left != right ? left > right : a.sourceName.utf8.lexicographicallyPrecedes(b.sourceName.utf8)
        }
        for record in records where record.interval.seconds <= 0 {
            if let known = first[record.interval.start], !precedes(record, known) { continue }
            first[record.interval.start] = record
        }
        return first.mapValues(\.sourceName)
    }

    package static func == (a: DayTotal, b: DayTotal) -> Bool {
        a.value == b.value && a.naiveSum == b.naiveSum && a.sources.elementsEqual(b.sources, by: ==)
    }

    /// How far apart a total and the activity rings may be before they are said to disagree.
    package static let ringTolerance = 0.05

    /// Whether the activity rings have another value.
    package func disagrees(withRing ring: Double) -> Bool { abs(value - ring) > Self.ringTolerance * abs(ring) }
}

/// The time that records before covered: disjoint intervals in order.
private struct CoveredTime {
    private var intervals: [Interval] = []

    var seconds: Double { intervals.seconds }

    /// Covers an interval.
    ///
    /// - Returns: the share of it that was not covered; for an instant 1 outside of covered time and 0 inside.
    /// - Complexity: O(log n), and more where it joins intervals or comes before others.
    mutating func add(_ interval: Interval) -> Double {
        if interval.seconds <= 0 {
            let index = intervals.partitionPoint { $0.end <= interval.start }
            return index < intervals.count && intervals[index].start <= interval.start ? 0 : 1
        }
        let first = intervals.partitionPoint { $0.end < interval.start }
        let last = intervals.partitionPoint { $0.start <= interval.end }
        guard first < last else {
            intervals.insert(interval, at: first)
            return 1
        }
        let known = intervals[first..<last]
        let covered = known.reduce(0) { $0 + $1.overlap(interval) }
        let joined = Interval(min(interval.start, intervals[first].start), max(interval.end, intervals[last - 1].end))
        intervals.replaceSubrange(first..<last, with: [joined])
        return (interval.seconds - covered) / interval.seconds
    }
}
