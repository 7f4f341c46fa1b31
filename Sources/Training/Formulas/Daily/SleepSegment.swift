/// One sleep record: a stretch of time of one source in one stage.
package struct SleepSegment: Sendable, Hashable {
    /// HealthKit's stages. `asleep` is the one of earlier exports, which know no others, and of sources that do not say which.
    package enum Stage: String, Sendable, CaseIterable {
        case inBed = "InBed"
        case awake = "Awake"
        case unspecified = "AsleepUnspecified"
        case core = "AsleepCore"
        case deep = "AsleepDeep"
        case rem = "AsleepREM"

        /// The stage of a record's value; nil for any other text.
        package init?(value: String) {
            let prefix = "HKCategoryValueSleepAnalysis"
            guard value.hasPrefix(prefix) else { return nil }
            let name = String(value.dropFirst(prefix.count))
            // Exports before iOS 16.
            guard let stage = name == "Asleep" ? .unspecified : Stage(rawValue: name) else { return nil }
            self = stage
        }

        package var isAsleep: Bool { self != .inBed && self != .awake }
        /// Whether the source tells stages apart.
        package var isStaged: Bool { self == .core || self == .deep || self == .rem }
    }

    package var interval: Interval
    package var stage: Stage

    package init(_ start: Double, _ end: Double, _ stage: Stage) {
        interval = Interval(start, end)
        self.stage = stage
    }
}

extension [SleepSegment] {
    /// Seconds asleep: the union of what is asleep without the union of what is awake, whichever comes first in an export.
    package var asleepSeconds: Double {
        let asleep = filter { $0.stage.isAsleep }.map(\.interval).united
        return asleep.seconds - asleep.overlapSeconds(filter { $0.stage == .awake }.map(\.interval).united)
    }

    /// Seconds in bed; nil where no record says so.
    package var inBedSeconds: Double? {
        let inBed = filter { $0.stage == .inBed }
        return inBed.isEmpty ? nil : inBed.map(\.interval).united.seconds
    }
}
