/// What an observation shows of a workout, as far as apps cache it.
package struct CachedTruth: Equatable, Sendable {
    /// Metres.
    package var distance: Double?
    package var activeSeconds: Double
    package var elapsedSeconds: Double

    package init(distance: Double?, activeSeconds: Double, elapsedSeconds: Double) {
        self.distance = distance
        self.activeSeconds = activeSeconds
        self.elapsedSeconds = elapsedSeconds
    }

    /// Seconds per kilometre of a time; nil without a distance.
    fileprivate func pace(_ seconds: Double) -> Double? {
        distance.flatMap { $0 > 0 ? seconds / $0 * 1000 : nil }
    }
}

/// A value that an app cached, beside what an observation shows.
package struct CachedComparison: Equatable, Sendable {
    package enum Name: String, Sendable, CaseIterable {
        case distance, duration, pace
    }

    package enum Verdict: String, Sendable, CaseIterable {
        case agrees, differs
        /// The file has no value, or the observation has none.
        case unknown
    }

    /// Which of a workout's two times a duration or a pace is.
    package enum Match: String, Sendable, CaseIterable {
        case active, elapsed, neither
    }

    package var name: Name
    package var cached: Double?
    /// What the observation shows: metres, active seconds, seconds per kilometre of active time.
    package var truth: Double?
    /// The same with elapsed time; nil for a distance.
    package var elapsedTruth: Double?
    package var verdict: Verdict
    /// Nil for a distance, and where the verdict is unknown.
    package var matches: Match?

    /// The truth that the value agrees with, else that of active time.
    package var shown: Double? { matches == .elapsed ? elapsedTruth : truth }

    /// How its values are rounded.
    package var rounding: Rounding { name == .pace ? .pace : .measure }

    /// The cached value less the nearest truth.
    package var difference: Double? {
        guard let cached else { return nil }
        return [truth, elapsedTruth].compactMap { $0.map { cached - $0 } }.min { abs($0) < abs($1) }
    }

    /// All three values of a run.
    package static func all(_ run: CompanionRun, _ truth: CachedTruth) -> [CachedComparison] {
        [
            CachedComparison(.distance, run.cachedDistance, truth.distance, nil) { max(10, 0.005 * abs($0)) },
            CachedComparison(.duration, run.cachedDuration, truth.activeSeconds, truth.elapsedSeconds) { _ in 2 },
            CachedComparison(.pace, run.cachedPace, truth.pace(truth.activeSeconds), truth.pace(truth.elapsedSeconds)) {
                _ in 1
            },
        ]
    }

    /// - Parameter tolerance: by how much a value may differ from a truth.
    private init(
        _ name: Name, _ cached: Double?, _ truth: Double?, _ elapsedTruth: Double?,
        tolerance: (_ truth: Double) -> Double
    ) {
        (self.name, self.cached, self.truth, self.elapsedTruth) = (name, cached, truth, elapsedTruth)
        guard let cached, let truth else {
            verdict = .unknown
            return
        }
        func agrees(_ truth: Double?) -> Bool {
            // Subtracting rounds away less than that of a difference on the bound.
            truth.map { abs(cached - $0) <= tolerance($0) + 1e-6 } ?? false
        }
        let match: Match = agrees(truth) ? .active : agrees(elapsedTruth) ? .elapsed : .neither
        verdict = match == .neither ? .differs : .agrees
        matches = name == .distance ? nil : match
    }
}

/// Since when an app's values of a run have differed.
package enum Drift {
    /// The first observation from which on some value differs up to the last one; nil where none differs in the last one.
    ///
    /// - Parameter observations: in their order, with the values of the run.
    package static func staleSince(_ observations: [(id: Int64, values: [CachedComparison])]) -> Int64? {
        observations.reversed().prefix { $0.values.contains { $0.verdict == .differs } }.last?.id
    }
}
