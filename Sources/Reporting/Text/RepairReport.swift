package import Archive
internal import Presentation
package import TextFormats

/// What a repair saved and what not, for people and for scripts.
package enum RepairReport {
    /// The line of `archive repair --json`.
    package static func line(_ report: ArchiveRepair.Report, path: String) -> JSON {
        [
            "schema": .string(Reporting.schema("repair")), "path": .string(path),
            "complete": .bool(isComplete(report)), "lost": .array(report.lost.map { .string($0) }),
            "dropped": .object(report.dropped.map { ($0.table, .int($0.count)) }),
            "rederivedObservations": .array(report.rederived.map { .int(Int($0)) }),
            "failedInvariants": .array(failed(report).map { .string($0) }),
        ]
    }

    /// Sentences.
    package static func text(_ report: ArchiveRepair.Report, path: String) -> String {
        var lines = ["\(path): \(isComplete(report) ? "everything was saved" : "not everything could be saved")."]
        lines += report.lost.map { "Could not be read: \($0)." }
        lines += report.dropped.map { "Rows that cannot stand alone: \($0.table), \(Counts.grouped($0.count))." }
        if !report.rederived.isEmpty {
            let ids = report.rederived.map { "\($0)" }.joined(separator: ", ")
            lines.append("Observations that are not as they were sealed: \(ids).")
        }
        let failed = failed(report)
        lines.append(
            failed.isEmpty
                ? "The new archive passes its deep check."
                : "The new archive does not pass its deep check: \(failed.joined(separator: ", ")).")
        return lines.map { TerminalText.safe($0) + "\n" }.joined()
    }

    private static func isComplete(_ report: ArchiveRepair.Report) -> Bool {
        report.lost.isEmpty && report.dropped.isEmpty && report.rederived.isEmpty && report.check.healthy
    }

    private static func failed(_ report: ArchiveRepair.Report) -> [String] {
        report.check.invariants.filter { !$0.holds }.map(\.id)
    }
}
