/// Sleep that hangs together: the segments of one source without gaps of more than two hours, and those of other sources at
/// the same time.
///
/// Of several sources the best one counts; what the others recorded is in the union alone. There is no fixed hour at which a
/// night begins: rules of that kind invent nights of people who work shifts.
package struct SleepEpisode: Sendable, Equatable {
    /// The segments of one source.
    package struct Source: Sendable {
        package var name: String
        package var kind: SourceKind
        package var segments: [SleepSegment]

        package init(name: String, kind: SourceKind, segments: [SleepSegment]) {
            self.name = name
            self.kind = kind
            self.segments = segments
        }
    }

    /// From the first start to the last end of the source that counts.
    package private(set) var interval: Interval
    /// Seconds asleep by the source that counts; 0 where it recorded no sleep.
    package private(set) var asleepSeconds: Double
    /// The end of its last asleep segment, or of its last one where none is asleep.
    package private(set) var wakes: Double
    /// The start of its first asleep segment; nil where none is asleep.
    package private(set) var fellAsleep: Double?
    /// Seconds in each stage that the source tells apart, awake between falling asleep and waking included; nil without
    /// sleep.
    package private(set) var stages: SleepStages?
    /// In bed by all sources together, from the first instant to the last; nil where none says so.
    package private(set) var inBed: Interval?
    /// What each source recorded, by its name.
    package private(set) var tracks: [Track] = []
    package private(set) var sourceName: String
    /// Whether no source recorded sleep.
    package private(set) var isWithoutSleep: Bool
    /// Seconds asleep by all sources together.
    package private(set) var unionSeconds: Double
    /// Seconds in bed by all sources together; nil where none says so.
    package private(set) var inBedSeconds: Double?

    /// The segments of one source within an episode, by their starts.
    package struct Track: Sendable, Equatable {
        package var sourceName: String
        package var segments: [SleepSegment]
    }

    /// Asleep for less than this and by day only, it is a nap.
    package static let longestNapSeconds = 3 * 3600.0

    /// Whether it is a nap.
    ///
    /// - Parameter daytime: from 09:00 to 21:00 on the local day on which it begins.
    package func isNap(_ daytime: Interval) -> Bool {
        asleepSeconds > 0 && asleepSeconds < Self.longestNapSeconds && daytime.start <= interval.start
            && interval.end <= daytime.end
    }

    /// The longest gap within an episode.
    package static let gapSeconds = 7200.0

    /// The episodes of all sources, by their beginning.
    ///
    /// - Complexity: that of sorting the segments.
    package static func find(_ sources: [Source]) -> [SleepEpisode] {
        var parts: [(span: Interval, source: Int, segments: [SleepSegment])] = []
        for (index, source) in sources.enumerated() {
            let known = Set(source.segments.filter { $0.interval.seconds > 0 })
            let segments = known.sorted {
                ($0.interval.start, $0.interval.end, $0.stage.rawValue)
                    < ($1.interval.start, $1.interval.end, $1.stage.rawValue)
            }
            for segment in segments {
                if let last = parts.last, last.source == index,
                    segment.interval.start - last.span.end <= gapSeconds
                {
                    parts[parts.count - 1].span.end = max(last.span.end, segment.interval.end)
                    parts[parts.count - 1].segments.append(segment)
                } else {
                    parts.append((segment.interval, index, [segment]))
                }
            }
        }
        parts.sort { ($0.span.start, $0.span.end, $0.source) < ($1.span.start, $1.span.end, $1.source) }
        var groups: [[(source: Int, segments: [SleepSegment])]] = []
        var end = -Double.infinity
        for part in parts {
            if part.span.start >= end { groups.append([]) }
            groups[groups.count - 1].append((part.source, part.segments))
            end = max(end, part.span.end)
        }
        return groups.compactMap { SleepEpisode($0, sources) }
    }

    /// The episode of parts that overlap; nil for none.
    private init?(_ parts: [(source: Int, segments: [SleepSegment])], _ sources: [Source]) {
        var bySource: [Int: [SleepSegment]] = [:]
        for part in parts { bySource[part.source, default: []] += part.segments }
        let candidates = bySource.map { Candidate(source: sources[$0.key], segments: $0.value) }
        guard let winner = candidates.min(by: Candidate.precedes), let first = winner.segments.first else { return nil }
        let end = winner.segments.reduce(first.interval.end) { max($0, $1.interval.end) }
        interval = Interval(first.interval.start, end)
        asleepSeconds = winner.asleepSeconds
        let asleep = winner.segments.filter { $0.stage.isAsleep }.map(\.interval)
        let wakes = asleep.map(\.end).max() ?? end
        self.wakes = wakes
        fellAsleep = asleep.first?.start
        stages = asleep.first.map { SleepStages(winner.segments, within: Interval($0.start, wakes)) }
        sourceName = winner.source.name
        isWithoutSleep = winner.rank == 2
        let all = parts.flatMap(\.segments)
        unionSeconds = all.asleepSeconds
        inBedSeconds = all.inBedSeconds
        let beds = all.filter { $0.stage == .inBed }.map(\.interval)
        inBed = beds.map(\.start).min().map { Interval($0, beds.map(\.end).max() ?? $0) }
        tracks = bySource.map { Track(sourceName: sources[$0.key].name, segments: $0.value) }
            .sorted { $0.sourceName.utf8.lexicographicallyPrecedes($1.sourceName.utf8) }
    }

    /// A source of an episode, with what decides whether it counts.
    private struct Candidate {
        let source: Source
        let segments: [SleepSegment]
        let asleepSeconds: Double
        /// 0 with stages, 1 asleep, 2 without sleep.
        let rank: Int

        init(source: Source, segments: [SleepSegment]) {
            self.source = source
            self.segments = segments
            asleepSeconds = segments.asleepSeconds
            rank =
                segments.contains { $0.stage.isStaged } ? 0 : segments.contains { $0.stage.isAsleep } ? 1 : 2
        }

        static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
            if a.rank != b.rank { return a.rank < b.rank }
            if a.source.kind != b.source.kind { return a.source.kind < b.source.kind }
            if a.asleepSeconds != b.asleepSeconds { return a.asleepSeconds > b.asleepSeconds }
            return a.source.name.utf8.lexicographicallyPrecedes(b.source.name.utf8)
        }
    }
}
