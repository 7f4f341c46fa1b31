internal import Analysis
internal import Archive
internal import HealthModel
internal import Presentation

/// What a report says of one of its exports at its head.
enum SideFacts {
    /// How a value is shown.
    enum Kind {
        case plain, foreign, hash
    }

    /// One fact; without a value where the export does not state it.
    typealias Fact = (name: String, value: String?, kind: Kind)

    /// The facts of one side, in the order in which they are shown.
    static func facts(_ report: ObservationReport) -> [Fact] {
        let observation = report.observation
        return [
            ("File", observation.sourceName, .foreign), ("Exported", exported(observation), .plain),
            ("Phone offset", observation.offsetSeconds.map { "UTC" + ReportText.offset($0) } ?? "not stated", .plain),
            ("Language", observation.locale, .foreign), ("Export version", observation.exportVersion, .foreign),
            ("Size", Bytes.text(observation.sourceByteCount), .plain),
            ("Records", Counts.grouped(report.totals.visible), .plain),
            ("Status", observation.status.rawValue, .plain), ("Ends early", stop(observation), .foreign),
            ("SHA-256", (observation.sourceSHA256 ?? observation.xmlSHA256)?.hex, .hash),
        ]
    }

    /// Where and why reading stopped; nil for a whole document.
    private static func stop(_ observation: Observation) -> String? {
        ReportText.stopSentence(
            line: observation.stoppedLine, byte: observation.stoppedByte, reason: observation.stoppedReason)
    }

    /// `2024-05-01 12:00:00`, on the phone's clock.
    private static func exported(_ observation: Observation) -> String {
        Sentences.time(observation.observedAt + (observation.offsetSeconds ?? 0))
    }

    /// The day of an observation on the phone's own clock.
    static func day(_ observation: Observation) -> String { String(exported(observation).prefix(10)) }
}
