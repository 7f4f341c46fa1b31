internal import Analysis
internal import Archive
internal import HealthModel

/// How a report was made, in sentences that do not depend on its data.
enum Method {
    static func sentences(_ report: ComparisonReport) -> [String] {
        [
            "Both states are reconstructed from the archive and compared as multisets: equal records first, then records of the "
                + "same sample, then records linked by identifiers that their source gave, by unit conversion or by synonymous "
                + "category values. What is left appeared or is no longer visible.",
            "Records no longer visible are explained as consolidation only where a replacement of the same type, source and "
                + "device covers them and the totals agree within the precision of the export; rules version \(report.rulesVersion).",
            "Daily aggregates use the calendar days of \(report.zone ?? "the first export's offset").",
        ]
    }

    /// Where a reader can check what the report says.
    static func digests(_ side: ObservationReport) -> [(String, String?)] {
        let observation = side.observation
        return [
            ("File SHA-256", observation.sourceSHA256?.hex), ("XML SHA-256", observation.xmlSHA256?.hex),
            ("Stream digest", observation.streamDigest?.hex), ("State digest", observation.stateDigest?.hex),
            ("Imported by", observation.program),
        ]
    }
}
