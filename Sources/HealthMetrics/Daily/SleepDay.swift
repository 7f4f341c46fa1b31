/// A day's sleep: the episodes whose last asleep segment ends on it, of which the longest is the night.
package struct SleepDay: Sendable, Equatable {
    /// The episode with most seconds asleep, then the later one.
    package private(set) var night: SleepEpisode
    /// Seconds asleep in the other episodes together.
    package private(set) var napSeconds: Double

    /// Seconds asleep in the night; nil where nobody recorded sleep.
    package var durationSeconds: Double? { night.isWithoutSleep ? nil : night.asleepSeconds }
    /// Seconds asleep in the night by all sources together; nil where nobody recorded sleep.
    package var unionSeconds: Double? { night.isWithoutSleep ? nil : night.unionSeconds }

    package var labels: Set<Label> {
        var labels: Set<Label> = night.isWithoutSleep && night.inBedSeconds != nil ? [.inBedOnly] : []
        if night.asleepSeconds > Self.longestSeconds { labels.insert(.implausible) }
        return labels
    }

    /// A night beyond this is not believed.
    package static let longestSeconds = 16 * 3600.0

    /// The sleep of each day.
    ///
    /// - Parameter day: the local day of an instant.
    package static func byDay(_ episodes: [SleepEpisode], day: (Double) -> Int64) -> [Int64: SleepDay] {
        var days: [Int64: SleepDay] = [:]
        for episode in episodes {
            let date = day(episode.wakes)
            guard let known = days[date] else {
                days[date] = SleepDay(night: episode, napSeconds: 0)
                continue
            }
            let isLonger =
                (episode.asleepSeconds, episode.wakes, episode.interval.start)
                > (known.night.asleepSeconds, known.night.wakes, known.night.interval.start)
            let nap = isLonger ? known.night : episode
            days[date] = SleepDay(
                night: isLonger ? episode : known.night, napSeconds: known.napSeconds + nap.asleepSeconds)
        }
        return days
    }
}
