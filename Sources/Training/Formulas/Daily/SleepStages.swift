/// Seconds of a night in each stage, of one source.
///
/// Where segments overlap, the stage counts that comes first: awake, deep, REM, core, asleep without a stage.
package struct SleepStages: Sendable, Equatable {
    /// Nil where the source tells no stages apart.
    package private(set) var core: Double?
    package private(set) var deep: Double?
    package private(set) var rem: Double?
    /// Asleep without a stage.
    package private(set) var unspecified: Double
    /// Awake between falling asleep and waking; nil where the source tells no stages apart and says nothing of waking.
    package private(set) var awake: Double?
    /// Asleep by asleep and awake between falling asleep and waking, 0 to 1; nil where awake is.
    package private(set) var efficiency: Double?

    /// - Parameter night: from falling asleep to waking.
    init(_ segments: [SleepSegment], within night: Interval) {
        var taken: [Interval] = []
        /// The seconds of a stage that none before it has.
        func seconds(_ stage: SleepSegment.Stage) -> Double {
            let own = segments.filter { $0.stage == stage }.map(\.interval).clipped(to: night).united
            let seconds = own.seconds - own.overlapSeconds(taken)
            taken = (taken + own).united
            return seconds
        }
        let isStaged = segments.contains { $0.stage.isStaged }
        let found = [SleepSegment.Stage.awake, .deep, .rem, .core, .unspecified].map(seconds)
        if isStaged { (deep, rem, core) = (found[1], found[2], found[3]) }
        unspecified = found[4]
        if isStaged || segments.contains(where: { $0.stage == .awake }) {
            let asleep = found[1...].reduce(0, +)
            awake = found[0]
            efficiency = asleep > 0 ? asleep / (asleep + found[0]) : nil
        }
    }
}
