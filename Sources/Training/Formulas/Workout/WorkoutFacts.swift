/// What an export states about a workout itself, in the units of the formulas: seconds, metres, kcal, bpm.
package struct WorkoutFacts: Sendable, Equatable {
    /// The raw activity type; nil for a nested activity, whose type the export does not print.
    package var activity: String?
    package var interval: Interval
    /// The duration that the export states; nil where it is absent or its unit unknown.
    package var appleDuration: Double?
    /// Sorted by their start.
    package var events: [WorkoutEvent] = []
    package var statistics: [WorkoutStatistic] = []
    /// The totals that exports of before iOS 16 print as attributes.
    package var totalDistance: Double?
    package var totalEnergy: Double?
    /// `HKElevationAscended` in metres.
    package var elevationAscended: Double?
    /// `HKIndoorWorkout`; nil where the workout does not say.
    package var isIndoor: Bool?
    /// The heart-rate zones that the export prints (iOS 27); nil without.
    package var zones: PrintedZones?
    /// The zones of cycling power that it prints, in W; nil without.
    package var powerZones: PrintedZones?
    /// The nested activities: of a triathlon or of intervals.
    package var activities: [NestedActivity] = []
    /// What was noticed while reading: units that are unknown.
    package var labels: Set<Label> = []

    package init(activity: String?, interval: Interval) {
        self.activity = activity
        self.interval = interval
    }

    /// What there is to say of the workout whatever its records are.
    package func labels(_ pauses: Pauses) -> Set<Label> {
        switch interval.seconds {
        case ..<0: labels.union([.invalidInterval])
        default:
            labels.union(interval.seconds > Self.longestSeconds ? [.implausible] : [])
                .union(pauses.isMismatched ? [.durationMismatch] : [])
        }
    }

    private static let longestSeconds = 48.0 * 3600

    /// The statistic of a type.
    package func statistic(_ type: SeriesType) -> WorkoutStatistic? { statistics.first { $0.type == type } }
}

/// A `WorkoutEvent` of an export.
package struct WorkoutEvent: Sendable, Hashable {
    /// The raw type: `HKWorkoutEventTypePause`, …
    package var type: String
    package var interval: Interval

    package init(_ type: String, _ interval: Interval) {
        (self.type, self.interval) = (type, interval)
    }

    package static let pause = "HKWorkoutEventTypePause"
    package static let resume = "HKWorkoutEventTypeResume"
    package static let motionPaused = "HKWorkoutEventTypeMotionPaused"
    package static let motionResumed = "HKWorkoutEventTypeMotionResumed"
    package static let segment = "HKWorkoutEventTypeSegment"
}

/// A `WorkoutStatistics` of an export, in the unit of its series.
package struct WorkoutStatistic: Sendable, Hashable {
    package var type: SeriesType
    package var sum: Double?
    package var average: Double?
    package var minimum: Double?
    package var maximum: Double?

    package init(
        _ type: SeriesType, sum: Double? = nil, average: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
    ) {
        (self.type, self.sum, self.average) = (type, sum, average)
        (self.minimum, self.maximum) = (minimum, maximum)
    }
}

/// The zones that an export prints in a `WorkoutZoneGroup`.
package struct PrintedZones: Sendable, Hashable {
    /// The bounds between the zones, ascending, in the unit of their quantity.
    package var bounds: [Double]
    /// The seconds that Apple counts in each zone.
    package var seconds: [Double]

    package init(bounds: [Double], seconds: [Double]) { (self.bounds, self.seconds) = (bounds, seconds) }
}

/// A `WorkoutActivity` inside a workout: a workout of its own over its interval.
package struct NestedActivity: Sendable, Equatable {
    package var uuid: String?
    /// `WOIntervalStepKeyPath`: which step of a planned workout it is.
    package var stepKeyPath: String?
    package var facts: WorkoutFacts

    package init(uuid: String?, stepKeyPath: String?, facts: WorkoutFacts) {
        (self.uuid, self.stepKeyPath, self.facts) = (uuid, stepKeyPath, facts)
    }
}
