internal import Evidence
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// How a report was made and how it can be checked, for people and as data.
enum Method {
    /// How the two states were compared.
    static func sentences(_ report: ComparisonReport) -> [String] {
        [
            "Both states are reconstructed from the archive and compared as multisets: equal records first, then records of the "
                + "same sample, then records linked by identifiers that their source gave, by unit conversion or by synonymous "
                + "category values. What is left appeared or is no longer visible.",
            "Records no longer visible are explained as consolidation only where a replacement of the same type, source and "
                + "device covers them and the totals agree within the precision of the export; rules version \(report.rulesVersion).",
            "Daily aggregates use the calendar days of \(Wording.zone(report.zone)).",
        ]
    }

    /// Where a reader can check what the report says of an export, and what the reading of it met.
    static func side(
        _ title: String, _ side: ObservationReport, _ seal: ComparisonReport.SealNote?
    ) -> Document.Side {
        let observation = side.observation
        let libraries = seal.map { $0.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ") }
        let facts: [Document.Fact] = [
            .init("File SHA-256", observation.sourceSHA256?.hex, isHash: true),
            .init("XML SHA-256", observation.xmlSHA256?.hex, isHash: true),
            .init("Document type (DTD) SHA-256", side.doctypeSHA256?.hex, isHash: true),
            .init("XML bytes not parsed", side.unreadByteCount.map { Counts.grouped($0) } ?? "unknown"),
            .init("Stream digest", observation.streamDigest?.hex, isHash: true),
            .init("State digest", observation.stateDigest?.hex, isHash: true),
            .init("Imported by", observation.program), .init("Libraries", libraries),
            .init("Seal", seal?.text, isHash: true),
        ]
        return Document.Side(
            title, facts,
            lists: [
                ("Repairs", located(Wording.notable(side.repairs), Wording.repair)),
                ("Quarantine", located(side.quarantine, Wording.quarantine)),
                (
                    "Unknown elements and attributes",
                    side.unknown.map { "\($0.name.quoted): \(Counts.grouped($0.count))" }
                ), ("Warnings", side.warnings),
            ])
    }

    private static func located(_ entries: [ObservationReport.Located], _ word: (String) -> String) -> [String] {
        entries.isEmpty
            ? ["none"]
            : entries.map {
                "\(word($0.name)): \(Counts.grouped($0.count)), first in line \(Counts.grouped($0.firstLine))"
            }
    }

    /// The archive and its newest seal.
    static func head(_ report: ComparisonReport) -> String {
        "Archive \(report.head.archive), newest seal \(report.head.sequence) \(report.head.head.hex)"
    }

    /// Commands by which a reader with the files can check the report.
    static func verification(_ report: ComparisonReport) -> [(command: String, shows: String)] {
        let chain = report.to.observation.chain
        let words =
            ["report", "\(report.from.observation.id)", "\(report.to.observation.id)"]
            + (report.through ? ["--through"] : [])
            + report.selection.flatMap { CommandText.option("type", $0) }
        return [
            ("sha256sum FILE", "the SHA-256 of an export's file"),
            ("healthprobe inspect FILE", "hashes and stream digest of an export, read again"),
            ("healthprobe seal", "the archive's newest seal"),
            ("healthprobe seal --all", "every seal with its statement"),
            ("healthprobe check --deep", "whether the archive is what its seals and hashes say"),
            (
                CommandText.line(words + ["--output", "report.html"], chain: chain),
                "this comparison again, the same bytes from the same archive and settings"
            ),
            (CommandText.line(words + ["--show-sql"], chain: chain), "the queries behind the numbers"),
        ]
    }
}
