internal import Basics
internal import Days
package import Foundation
package import Presentation
package import Training

extension NightsDocument {
    /// From the top down, as hypnograms have them.
    private static let stages: [(stage: SleepSegment.Stage, name: String)] = [
        (.inBed, "In bed"), (.awake, "Awake"), (.rem, "REM"), (.core, "Core"), (.deep, "Deep"),
        (.unspecified, "Asleep"),
    ]

    /// The stages of a night over time, a drawing for each source.
    package static func hypnograms(_ night: NightsAnswer.Night, _ zone: TimeZone) -> [Chart] {
        guard let episode = night.sleep.night else { return [] }
        let ends = episode.tracks.flatMap(\.segments).map(\.interval)
        guard let start = ends.map(\.start).min(), let end = ends.map(\.end).max() else { return [] }
        return episode.tracks.map { track in
            let lanes = stages.enumerated().compactMap { index, stage -> Chart.Lane? in
                let own = track.segments.filter { $0.stage == stage.stage }.map { range($0.interval) }
                return own.isEmpty ? nil : .init(stage.name, [.init(index, own)])
            }
            var chart = Chart(
                "Night to \(LocalDate.text(day: night.day))",
                track.sourceName == episode.sourceName
                    ? "\(track.sourceName.quoted), the source that counts." : "\(track.sourceName.quoted).",
                .lanes(lanes))
            (chart.zone, chart.isOfTime, chart.span) = (zone, true, start...max(end, start + 60))
            return chart
        }
    }

    private static func range(_ interval: Interval) -> Range<Int64> {
        let start = Int64(interval.start)
        return start..<max(start + 1, Int64(interval.end))
    }

    /// The last nights as bars over the hours, asleep and awake, each under the other.
    static func month(_ answer: NightsAnswer) -> Chart {
        let zone = answer.zone.timeZone
        func local(_ instant: Double, _ day: Int64) -> Int64 {
            Int64(instant) + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: instant))) - day * 86_400
        }
        let last = answer.nights.last?.day ?? 0
        let lanes = answer.nights.filter { $0.day > last - 31 }.compactMap { night -> Chart.Lane? in
            guard let episode = night.sleep.night,
                let track = episode.tracks.first(where: { $0.sourceName == episode.sourceName })
            else { return nil }
            func part(_ kind: Int, _ isOfIt: (SleepSegment.Stage) -> Bool) -> Chart.Lane.Part {
                .init(
                    kind,
                    track.segments.filter { isOfIt($0.stage) }.map {
                        let start = local($0.interval.start, night.day)
                        return start..<max(start + 1, local($0.interval.end, night.day))
                    })
            }
            let date = LocalDate.text(day: night.day)
            return .init(
                String(date.dropFirst(5)),
                [
                    part(5) { $0 == .inBed }, part(3) { $0.isAsleep && $0 != .deep }, part(0) { $0 == .deep },
                    part(1) { $0 == .awake },
                ]
                .filter { !$0.intervals.isEmpty }, link: .init("day", ["date": date]))
        }
        return Chart(
            "From falling asleep to waking",
            "The last nights over the hours; deep sleep is darker, awake the other colour.",
            .lanes(lanes))
    }
}
