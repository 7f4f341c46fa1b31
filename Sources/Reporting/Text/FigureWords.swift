internal import HealthMetrics

/// What the figures of workouts and days are called in tables; JSON has their short names.
enum FigureWords {
    /// The words for a figure, with the unit of its values in brackets where it has one.
    ///
    /// - Parameter name: as JSON names it; an unknown one stays as it is.
    static func name(_ name: String) -> String {
        guard let (words, unit) = words(name) else { return name }
        return unit.map { "\(words) (\($0))" } ?? words
    }

    /// A figure's value or difference: times as on a clock, others with as many decimals as their threshold asks for; `-` without
    /// one.
    ///
    /// - Parameter name: as JSON names it.
    static func text(_ name: String, _ value: Double?) -> String {
        switch name {
        case "activeSeconds", "pace", "splits", "zoneSeconds", "sleepDuration": WorkoutText.clock(value)
        case "distance", "heartRateMaximum", "normalizedPower", "best20minPower", "energy", "elevation", "triggers":
            WorkoutText.whole(value)
        case "quality": Wording.fixed(value, 2)
        default: Wording.fixed(value)
        }
    }

    /// What a difference beside consolidation comes from.
    static func cause(_ cause: ImpactCause) -> String {
        switch cause {
        case .workoutAppeared: "the workout is new"
        case .workoutDisappeared: "the workout is no longer visible"
        case .workoutChanged: "the workout states something else"
        case .disappeared: "records no longer visible"
        case .appearedLater: "records that were not visible before"
        case .valueRevised: "a revised value"
        case .notRestorable: "originals that the archive lacks"
        case .partialObservation: "a partial observation"
        case .parameter: "another parameter"
        case .earlierDays: "earlier days"
        }
    }

    private static func words(_ name: String) -> (words: String, unit: String?)? {
        let known: (String, String?)? =
            switch name {
            case "distance": ("Distance", "m")
            case "activeSeconds": ("Active time", nil)
            case "pace": ("Pace", "/km")
            case "heartRateAverage": ("Heart rate, average", "bpm")
            case "heartRateMaximum": ("Heart rate, maximum", "bpm")
            case "pointsPerMinute": ("Heart-rate records a minute", nil)
            case "zoneSeconds": ("Most changed zone", nil)
            case "normalizedPower": ("Normalized power", "W")
            case "best20minPower": ("Best 20 minutes", "W")
            case "splits": ("Most changed split", nil)
            case "trimp": ("TRIMP", nil)
            case "hrTSS": ("Stress by heart rate", nil)
            case "tss": ("Stress", nil)
            case "energy": ("Active energy", "kcal")
            case "elevation": ("Climb by the route", "m")
            case "triggers": ("Messages that fire otherwise", nil)
            case "hrv": ("Heart rate variability", "ms")
            case "rhr": ("Resting heart rate", "bpm")
            case "sleepDuration": ("Sleep", nil)
            case "ctl": ("Fitness, 42 days", nil)
            case "atl": ("Fatigue, 7 days", nil)
            case "tsb": ("Form", nil)
            case "eftp": ("Estimated threshold power", "W")
            case "recoveryScore": ("Recovery score", nil)
            case "sleepScore": ("Sleep score", nil)
            case "strainScore": ("Strain score", nil)
            case "effortTarget": ("Effort target", nil)
            case "quality": ("Data quality", nil)
            default: nil
            }
        return known.map { (words: $0.0, unit: $0.1) }
    }
}
