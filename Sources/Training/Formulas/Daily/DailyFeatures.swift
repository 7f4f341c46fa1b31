/// The sixteen features of a day, in their order, for programs that learn from them. No model is trained here.
package struct DailyFeatures: Sendable, Equatable {
    /// The names, in order.
    package enum Name: String, Sendable, CaseIterable {
        case hrv
        case hrvBaseline = "hrv_baseline"
        case hrvDelta = "hrv_delta"
        case rhr
        case rhrBaseline = "rhr_baseline"
        case rhrDelta = "rhr_delta"
        case sleepDuration = "sleep_duration"
        case sleepBaseline = "sleep_baseline"
        case sleepDelta = "sleep_delta"
        case yesterdayStrain = "yesterday_strain"
        case yesterdayStress = "yesterday_tss"
        case ctl, atl, tsb
        case dayOfWeek = "day_of_week"
        case recoveryTrend = "recovery_trend_7d"

        /// How the value is rounded.
        package var rounding: Rounding {
            switch self {
            case .yesterdayStrain, .yesterdayStress, .ctl, .atl, .tsb, .recoveryTrend: .score
            default: .measure
            }
        }
    }

    private var values: [Name: Double] = [:]
    /// Whether the load began so long ago that its values count as present.
    package private(set) var isLoadSettled = false
    /// Whether heart rate variability and resting heart rate are believed.
    private var isPlausible = true

    /// The days behind the load's first one from which its values count as present.
    package static let settledDays: Int64 = 42
    /// The quality from which a day with heart rate variability and resting heart rate is good for learning.
    package static let leastQuality = 0.75

    /// No features.
    init() {}

    /// - Parameters:
    ///   - yesterday: the day before; nil for the first one.
    ///   - trend: the mean recovery of the 7 days before.
    ///   - loadBegins: the first day of the load; nil without one.
    init(_ day: DailyMetrics, yesterday: DailyMetrics?, trend: Double?, loadBegins: Int64?) {
        func difference(_ value: Double?, _ baseline: Double?) -> Double? {
            value.flatMap { value in baseline.map { value - $0 } }
        }
        let physio = day.physio
        isPlausible = day.labels.isDisjoint(with: [.implausibleHRV, .implausibleRestingHeartRate])
        isLoadSettled = loadBegins.map { day.day - $0 >= Self.settledDays } ?? false
        values[.hrv] = physio.hrv
        values[.hrvBaseline] = physio.hrvBaseline
        values[.hrvDelta] = difference(physio.hrv, physio.hrvBaseline)
        values[.rhr] = physio.rhr
        values[.rhrBaseline] = physio.rhrBaseline
        values[.rhrDelta] = difference(physio.rhr, physio.rhrBaseline)
        values[.sleepDuration] = physio.sleepDuration
        values[.sleepBaseline] = physio.sleepBaseline
        values[.sleepDelta] = difference(physio.sleepDuration, physio.sleepBaseline)
        values[.yesterdayStrain] = yesterday?.scores.strain
        values[.yesterdayStress] = yesterday?.stress?.tss
        values[.ctl] = day.load?.ctl
        values[.atl] = day.load?.atl
        values[.tsb] = day.load?.tsb
        values[.dayOfWeek] = Double(Self.weekday(day.day))
        values[.recoveryTrend] = trend.map { $0 / 100 }
    }

    package subscript(name: Name) -> Double? { values[name] }

    /// The share of the features that are present, 0 to 1.
    package var quality: Double {
        let present = Name.allCases.filter { name in
            switch name {
            case .ctl, .atl, .tsb: isLoadSettled && values[name] != nil
            default: values[name] != nil
            }
        }
        return Double(present.count) / Double(Name.allCases.count)
    }

    /// Whether the day is good for learning.
    package var isValid: Bool {
        isPlausible && quality >= Self.leastQuality && self[.hrv] != nil && self[.rhr] != nil
    }

    /// 0 for Monday to 6 for Sunday.
    package static func weekday(_ day: Int64) -> Int64 {
        // 1970-01-01 was a Thursday.
        let place = (day + 3) % 7
        return place < 0 ? place + 7 : place
    }
}
