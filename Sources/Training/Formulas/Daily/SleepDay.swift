/// A day's sleep: the episodes whose last asleep segment ends on it, of which the longest that is no nap is the night.
package struct SleepDay: Sendable, Equatable {
    /// The episode with most seconds asleep, then the later one; nil on a day with naps only.
    package private(set) var night: SleepEpisode?
    /// The other episodes, by their beginning.
    package private(set) var naps: [SleepEpisode] = []

    /// Seconds asleep in the other episodes together.
    package var napSeconds: Double { naps.reduce(0) { $0 + $1.asleepSeconds } }
    /// Seconds asleep in the night; nil where nobody recorded sleep.
    package var durationSeconds: Double? { slept?.asleepSeconds }
    /// Seconds asleep in the night by all sources together; nil where nobody recorded sleep.
    package var unionSeconds: Double? { slept?.unionSeconds }

    private var slept: SleepEpisode? { night.flatMap { $0.isWithoutSleep ? nil : $0 } }

    package var labels: Set<Label> {
        guard let night else { return [.napOnly] }
        var labels: Set<Label> = night.isWithoutSleep && night.inBedSeconds != nil ? [.inBedOnly] : []
        if night.asleepSeconds > Self.longestSeconds { labels.insert(.implausible) }
        return labels
    }

    /// A night beyond this is not believed.
    package static let longestSeconds = 16 * 3600.0

    /// The sleep of each day.
    ///
    /// - Parameters:
    ///   - day: the local day of an instant.
    ///   - daytime: from 09:00 to 21:00 of a local day: what is short and lies within it is a nap.
    package static func byDay(
        _ episodes: [SleepEpisode], day: (Double) -> Int64, daytime: (Int64) -> Interval
    ) -> [Int64: SleepDay] {
        var days: [Int64: SleepDay] = [:]
        for episode in episodes {
            days[day(episode.wakes), default: SleepDay()].add(
                episode, isNap: episode.isNap(daytime(day(episode.interval.start))))
        }
        return days
    }

    /// Adds an episode; they come by their beginning.
    private mutating func add(_ episode: SleepEpisode, isNap: Bool) {
        guard !isNap else { return naps.append(episode) }
        guard let known = night else { return night = episode }
        let isLonger =
            (episode.asleepSeconds, episode.wakes, episode.interval.start)
            > (known.asleepSeconds, known.wakes, known.interval.start)
        if isLonger { night = episode }
        naps.append(isLonger ? known : episode)
    }
}
