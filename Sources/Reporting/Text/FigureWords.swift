internal import Training

/// What the figures of workouts and days are called in tables; JSON has their short names.
enum FigureWords {
    /// The words for a figure, with the unit of its values in brackets where it has one.
    ///
    /// - Parameter name: as JSON names it; an unknown one stays as it is.
    static func name(_ name: String) -> String {
        guard let (words, unit) = words[name] else { return name }
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

    private static let words: [String: (words: String, unit: String?)] = [
        "distance": ("Distance", "m"),
        "activeSeconds": ("Active time", nil),
        "pace": ("Pace", "/km"),
        "heartRateAverage": ("Heart rate, average", "bpm"),
        "heartRateMaximum": ("Heart rate, maximum", "bpm"),
        "pointsPerMinute": ("Heart-rate records per minute", nil),
        "zoneSeconds": ("Zone whose time changed most", nil),
        "normalizedPower": ("Normalized power", "W"),
        "best20minPower": ("Best 20 minutes", "W"),
        "splits": ("Most changed split", nil),
        "trimp": ("TRIMP", nil),
        "hrTSS": ("Stress by heart rate", nil),
        "tss": ("Stress (TSS)", nil),
        "energy": ("Active energy", "kcal"),
        "elevation": ("Climb by the route", "m"),
        "triggers": ("Messages triggered differently", nil),
        "hrv": ("Heart rate variability", "ms"),
        "rhr": ("Resting heart rate", "bpm"),
        "sleepDuration": ("Sleep", nil),
        "ctl": ("Fitness (CTL)", nil),
        "atl": ("Fatigue (ATL)", nil),
        "tsb": ("Form (TSB)", nil),
        "eftp": ("Estimated threshold power", "W"),
        "recoveryScore": ("Recovery score", nil),
        "sleepScore": ("Sleep score", nil),
        "strainScore": ("Strain score", nil),
        "effortTarget": ("Effort target", nil),
        "quality": ("Data quality", nil),
    ]
}
