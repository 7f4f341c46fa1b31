internal import Basics

/// A day's heart rate variability: the mean of the SDNN records that start in its main sleep, or else of all of its records.
package struct HeartRateVariability: Sendable, Equatable {
    /// One record.
    package struct Record: Sendable, Equatable {
        /// Unix seconds.
        package var start: Double
        /// The local day on which it starts.
        package var day: Int64
        /// Milliseconds.
        package var value: Double
        /// Derived from its beats, in milliseconds; nil without enough of them.
        package var rmssd: Double?
        /// Whether its beats do not have its value.
        package var disagrees: Bool

        package init(start: Double, day: Int64, value: Double, rmssd: Double? = nil, disagrees: Bool = false) {
            self.start = start
            self.day = day
            self.value = value
            self.rmssd = rmssd
            self.disagrees = disagrees
        }
    }

    /// The values that are believed, in milliseconds. A day with another one is shown, and left out of baselines and scores.
    package static let plausible = 1.0...350

    /// Milliseconds; nil without a record.
    package private(set) var sdnn: Double?
    /// How many records the mean is of.
    package private(set) var count = 0
    /// Milliseconds: the mean of the phone's own RMSSD records, or else of those derived from the beats of the records
    /// averaged. The two measures are never mixed.
    package private(set) var rmssd: Double?
    package private(set) var labels: Set<Label> = []

    /// - Parameters:
    ///   - sdnn: the SDNN records in the order of their starts.
    ///   - native: the RMSSD records (iOS 27) in that order.
    ///   - night: the day's main sleep; nil without one.
    package init(_ sdnn: [Record], native: [Record], day: Int64, night: Interval?) {
        let (used, isAllDay) = Self.records(sdnn, day: day, night: night)
        count = used.count
        self.sdnn = used.map(\.value).mean
        if isAllDay { labels.insert(.hrvAllDay) }
        if !used.allSatisfy({ Self.plausible.contains($0.value) }) { labels.insert(.implausibleHRV) }
        if used.contains(where: \.disagrees) { labels.insert(.hrvValueDisagrees) }
        rmssd =
            Self.records(native, day: day, night: night).records.map(\.value).mean ?? used.compactMap(\.rmssd).mean
    }

    /// The records that start in the night, or else all of the day.
    private static func records(
        _ all: [Record], day: Int64, night: Interval?
    ) -> (records: ArraySlice<Record>, isAllDay: Bool) {
        if let night {
            let first = all.partitionPoint { $0.start < night.start }
            let last = all.partitionPoint { $0.start < night.end }
            if first < last { return (all[first..<last], false) }
        }
        // The records are in order of their starts, and so of their days.
        let ofDay = all[all.partitionPoint { $0.day < day }..<all.partitionPoint { $0.day <= day }]
        return (ofDay, !ofDay.isEmpty)
    }
}
