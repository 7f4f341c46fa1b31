internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// What a report says of one of its exports at its head.
enum SideFacts {
    /// The facts of one side, in the order in which they are shown.
    static func facts(_ report: ObservationReport) -> [Document.Fact] {
        let observation = report.observation
        return [
            .init("File", observation.sourceName.quoted), .init("Exported", exported(observation)),
            .init(
                "Phone's UTC offset at export",
                observation.offsetSeconds.map { "UTC" + ISO8601.offsetText($0) } ?? "not stated"),
            .init("Language", observation.locale?.quoted),
            .init("Export version", observation.exportVersion?.quoted),
            .init("Size", Bytes.text(observation.sourceByteCount)),
            .init("Records", Counts.grouped(report.totals.visible)), .init("Status", observation.status.rawValue),
            .init("Ends early", observation.stopSentence),
            .init("SHA-256", (observation.sourceSHA256 ?? observation.xmlSHA256)?.hex, isHash: true),
        ]
    }

    /// `2024-05-01 12:00:00`, on the phone's clock.
    private static func exported(_ observation: Observation) -> String {
        Sentences.utc.time(observation.observedAt + (observation.offsetSeconds ?? 0))
    }

    /// The day of an observation on the phone's own clock.
    static func day(_ observation: Observation) -> String { String(exported(observation).prefix(10)) }
}
