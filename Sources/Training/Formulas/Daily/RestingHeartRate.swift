/// A day's resting heart rate: of the records that start on it the one of the best kind of source, then the latest.
package enum RestingHeartRate {
    /// The full identifier of the records' type.
    package static let type = "HKQuantityTypeIdentifierRestingHeartRate"

    /// The rates that are believed, a minute. Others are shown, and left out of baselines, scores and medians.
    package static let plausible = 25.0...150

    /// One record.
    package struct Record: Sendable {
        /// The local day on which it starts.
        package var day: Int64
        /// Beats per minute.
        package var value: Double
        package var kind: SourceKind
        /// Unix seconds; nil where the export states none.
        package var creation: Double?
        /// Unix seconds.
        package var end: Double

        package init(day: Int64, value: Double, kind: SourceKind, creation: Double?, end: Double) {
            self.day = day
            self.value = value
            self.kind = kind
            self.creation = creation
            self.end = end
        }
    }

    /// Beats per minute by day.
    ///
    /// - Parameter records: in the order (start, end, identity); of records that are otherwise alike the last one counts.
    package static func byDay(_ records: [Record]) -> [Int64: Double] {
        var best: [Int64: Record] = [:]
        for record in records {
            if let known = best[record.day], rank(known) > rank(record) { continue }
            best[record.day] = record
        }
        return best.mapValues(\.value)
    }

    private static func rank(_ record: Record) -> (Int, Double, Double) {
        (-record.kind.rawValue, record.creation ?? -.infinity, record.end)
    }

    /// The days whose values count for a workout's resting heart rate, and how many of them must have one.
    package static let medianDays: Int64 = 30
    package static let leastMedianValues = 7

    /// The median of the 30 days before a day; nil where fewer than 7 have a value.
    package static func median(before day: Int64, _ values: [Int64: Double]) -> Double? {
        let known = (day - medianDays..<day).compactMap { values[$0] }.filter(plausible.contains)
        return known.count < leastMedianValues ? nil : known.median
    }
}
