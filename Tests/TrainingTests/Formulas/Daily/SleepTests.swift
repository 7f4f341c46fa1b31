internal import Foundation
internal import Testing
internal import Training

@Suite struct SleepTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    /// Unix seconds of a local time.
    private func at(_ text: String) -> Double {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = Self.berlin
        format.dateFormat = "yyyy-MM-dd HH:mm"
        return format.date(from: text)?.timeIntervalSince1970 ?? .nan
    }

    private func day(_ instant: Double) -> Int64 {
        let offset = Self.berlin.secondsFromGMT(for: Date(timeIntervalSince1970: instant))
        return Int64(((instant + Double(offset)) / 86_400).rounded(.down))
    }

    private func segment(_ start: String, _ end: String, _ stage: SleepSegment.Stage) -> SleepSegment {
        SleepSegment(at(start), at(end), stage)
    }

    private func watch(_ segments: SleepSegment...) -> SleepEpisode.Source {
        .init(name: "Watch", kind: .watch, segments: segments)
    }

    private func phone(_ segments: SleepSegment...) -> SleepEpisode.Source {
        .init(name: "Phone", kind: .phone, segments: segments)
    }

    private func days(_ sources: SleepEpisode.Source...) -> [Int64: SleepDay] {
        SleepDay.byDay(SleepEpisode.find(sources), day: day) { day in
            let midnight = Double(day) * 86_400
            let offset = Double(Self.berlin.secondsFromGMT(for: Date(timeIntervalSince1970: midnight + 43_200)))
            return Interval(midnight + 9 * 3600 - offset, midnight + 21 * 3600 - offset)
        }
    }

    @Test(
        "eight hours by the clock are seven and nine where clocks change",
        arguments: [
            ("2025-06-10", "2025-06-11", 28_800.0), ("2025-10-25", "2025-10-26", 32_400),
            ("2025-03-29", "2025-03-30", 25_200),
        ])
    func clockChanges(evening: String, morning: String, seconds: Double) throws {
        let found = days(watch(segment("\(evening) 23:00", "\(morning) 07:00", .core)))
        #expect(found.count == 1)
        let night = try #require(found[day(at("\(morning) 12:00"))])
        #expect(night.durationSeconds == seconds)
        #expect(night.napSeconds == 0)
    }

    @Test("the watch's stages count, the phone's time in bed stands beside them")
    func twoSources() throws {
        let found = days(
            watch(
                segment("2025-06-10 23:00", "2025-06-11 07:00", .core),
                segment("2025-06-11 03:00", "2025-06-11 03:10", .awake)),
            phone(segment("2025-06-10 22:30", "2025-06-11 07:15", .inBed)))
        let night = try #require(found[day(at("2025-06-11 12:00"))])
        #expect(night.durationSeconds == 28_200)
        #expect(night.unionSeconds == 28_200)
        #expect(night.night?.inBedSeconds == 31_500)
        #expect(night.night?.sourceName == "Watch")
        #expect(night.night?.interval == Interval(at("2025-06-10 23:00"), at("2025-06-11 07:00")))
        #expect(night.labels.isEmpty)
    }

    @Test("the winner has stages, then any sleep, then the better kind, then more of it, then the first name")
    func winner() throws {
        func name(_ sources: SleepEpisode.Source...) throws -> String {
            try #require(SleepEpisode.find(sources).first).sourceName
        }
        let night = ("2025-06-10 23:00", "2025-06-11 07:00")
        let short = ("2025-06-10 23:00", "2025-06-11 06:00")
        func source(_ name: String, _ kind: SourceKind, _ time: (String, String), _ stage: SleepSegment.Stage)
            -> SleepEpisode.Source
        { .init(name: name, kind: kind, segments: [segment(time.0, time.1, stage)]) }
        #expect(try name(source("a", .watch, night, .unspecified), source("b", .other, short, .deep)) == "b")
        #expect(try name(source("a", .watch, night, .inBed), source("b", .other, short, .unspecified)) == "b")
        #expect(try name(source("a", .other, night, .core), source("b", .phone, short, .core)) == "b")
        #expect(try name(source("a", .watch, short, .core), source("b", .watch, night, .core)) == "b")
        #expect(try name(source("b", .watch, night, .core), source("a", .watch, night, .core)) == "a")
    }

    @Test("gaps of two hours hang together, longer ones do not; the longest episode of a day is the night")
    func episodes() throws {
        let joined = days(
            watch(
                segment("2025-06-10 22:00", "2025-06-11 02:00", .core),
                segment("2025-06-11 04:00", "2025-06-11 07:00", .core)))
        #expect(joined[day(at("2025-06-11 12:00"))]?.durationSeconds == 25_200)
        let parted = days(
            watch(
                segment("2025-06-10 22:00", "2025-06-11 02:00", .core),
                segment("2025-06-11 04:01", "2025-06-11 07:01", .core),
                segment("2025-06-11 14:00", "2025-06-11 14:30", .core)))
        let sleep = try #require(parted[day(at("2025-06-11 12:00"))])
        #expect(sleep.durationSeconds == 14_400)
        #expect(sleep.napSeconds == 3 * 3600 + 1800)
    }

    @Test("of two episodes of one length the later is the night")
    func ties() throws {
        let found = days(
            watch(
                segment("2025-06-11 01:00", "2025-06-11 04:00", .core),
                segment("2025-06-11 13:00", "2025-06-11 16:00", .core)))
        let sleep = try #require(found[day(at("2025-06-11 12:00"))])
        #expect(sleep.night?.interval.start == at("2025-06-11 13:00"))
        #expect(sleep.napSeconds == 3 * 3600)
    }

    @Test("time in bed alone is no sleep, and more than 16 hours are not believed")
    func labels() throws {
        let inBed = try #require(days(phone(segment("2025-06-10 22:30", "2025-06-11 07:15", .inBed))).values.first)
        #expect(inBed.durationSeconds == nil && inBed.unionSeconds == nil)
        #expect(inBed.labels == [.inBedOnly])
        let awake = try #require(days(watch(segment("2025-06-11 03:00", "2025-06-11 03:10", .awake))).values.first)
        #expect(awake.durationSeconds == nil && awake.labels.isEmpty)
        let long = try #require(days(watch(segment("2025-06-10 10:00", "2025-06-11 02:01", .core))).values.first)
        #expect(long.labels == [.implausible])
    }

    @Test("equal segments count once, and those without a length not at all")
    func repeated() throws {
        let same = segment("2025-06-10 23:00", "2025-06-11 07:00", .core)
        let none = segment("2025-06-11 20:00", "2025-06-11 20:00", .core)
        let found = days(watch(same, same, none))
        #expect(found.count == 1)
        #expect(found.values.first?.durationSeconds == 28_800)
    }

    @Test("the values of exports, those before iOS 16 too")
    func values() {
        #expect(SleepSegment.Stage(value: "HKCategoryValueSleepAnalysisAsleep") == .unspecified)
        #expect(SleepSegment.Stage(value: "HKCategoryValueSleepAnalysisAsleepREM") == .rem)
        #expect(SleepSegment.Stage(value: "HKCategoryValueSleepAnalysisInBed") == .inBed)
        #expect(SleepSegment.Stage(value: "HKCategoryValueSleepAnalysisDreaming") == nil)
        #expect(SleepSegment.Stage(value: "Awake") == nil)
    }

    @Test("of overlapping stages awake counts first, then deep, REM, core, none")
    func stages() throws {
        let found = days(
            watch(
                segment("2025-06-10 22:50", "2025-06-10 23:00", .awake),
                segment("2025-06-10 23:00", "2025-06-11 07:00", .unspecified),
                segment("2025-06-10 23:00", "2025-06-11 03:00", .core),
                segment("2025-06-11 00:00", "2025-06-11 01:00", .deep),
                segment("2025-06-11 00:30", "2025-06-11 02:00", .rem),
                segment("2025-06-11 01:30", "2025-06-11 01:40", .awake)))
        let night = try #require(found.values.first?.night)
        let stages = try #require(night.stages)
        #expect(stages.deep == 3600 && stages.rem == 3000)
        #expect(stages.core == 7200 && stages.unspecified == 14_400)
        // Awake before falling asleep is not of the night.
        #expect(stages.awake == 600)
        #expect(night.fellAsleep == at("2025-06-10 23:00") && night.wakes == at("2025-06-11 07:00"))
        let asleep = 28_200.0
        #expect(stages.efficiency == asleep / 28_800)
        let parts = [stages.core, stages.deep, stages.rem, stages.unspecified].compactMap(\.self).reduce(0, +)
        #expect(parts == night.asleepSeconds)
    }

    @Test("what a source does not tell apart is nothing, and not 0")
    func noStages() throws {
        let plain = try #require(
            days(phone(segment("2025-06-10 23:00", "2025-06-11 07:00", .unspecified))).values.first)
        let stages = try #require(plain.night?.stages)
        #expect(stages.core == nil && stages.deep == nil && stages.rem == nil && stages.unspecified == 28_800)
        #expect(stages.awake == nil && stages.efficiency == nil)
        let inBed = try #require(days(phone(segment("2025-06-10 22:30", "2025-06-11 07:15", .inBed))).values.first)
        #expect(inBed.night?.stages == nil && inBed.night?.fellAsleep == nil)
        #expect(inBed.night?.inBed == Interval(at("2025-06-10 22:30"), at("2025-06-11 07:15")))
    }

    @Test(
        "less than three hours by day are a nap; a minute of the night, or three hours, are none",
        arguments: [
            ("2025-06-11 14:00", "2025-06-11 14:40", true), ("2025-06-11 09:00", "2025-06-11 11:59", true),
            ("2025-06-11 18:30", "2025-06-11 21:00", true), ("2025-06-11 18:31", "2025-06-11 21:01", false),
            ("2025-06-11 08:59", "2025-06-11 10:00", false), ("2025-06-11 12:00", "2025-06-11 15:00", false),
            ("2025-10-26 09:00", "2025-10-26 10:00", true), ("2025-10-26 08:59", "2025-10-26 10:00", false),
        ])
    func naps(start: String, end: String, isNap: Bool) throws {
        let sleep = try #require(days(watch(segment(start, end, .core))).values.first)
        #expect((sleep.night == nil) == isNap && sleep.labels == (isNap ? [.napOnly] : []))
        #expect((sleep.durationSeconds == nil) == isNap && sleep.napSeconds == (isNap ? at(end) - at(start) : 0))
        let withNight = days(watch(segment("2025-06-11 02:00", "2025-06-11 03:00", .core), segment(start, end, .core)))
        guard start.hasPrefix("2025-06"), isNap else { return }
        // A night of an hour is the night beside a longer nap.
        #expect(withNight[day(at("2025-06-11 12:00"))]?.durationSeconds == 3600)
    }
}
