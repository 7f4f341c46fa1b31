package import ArchiveReading
package import ArchiveRows
internal import HealthModel
package import Importing
package import TextFormats

/// The contract's `observation`, and the lines of `import`, `show` and `timeline`.
extension Observation: JSONConvertible {
    package var json: JSON {
        // A bare XML file is its own container.
        let sha256 = sourceSHA256 ?? (sourceForm == "xml" ? xmlSHA256 : nil)
        return .row([
            "id": id, "chain": chain, "observedAt": JSON.instant(observedAt), "status": status.rawValue,
            "offsetSeconds": offsetSeconds, "locale": locale, "exportVersion": exportVersion, "note": note,
            "program": program, "streamDigest": streamDigest?.hex, "stateDigest": stateDigest?.hex,
            "stoppedAt": stoppedReason.map {
                JSON.row(["line": stoppedLine, "byte": stoppedByte, "reason": $0])
            },
            "source": JSON.row([
                "name": sourceName, "member": sourceMember, "byteCount": sourceByteCount, "sha256": sha256,
                "xmlByteCount": xmlByteCount, "xmlSHA256": xmlSHA256,
            ]),
        ])
    }
}

extension ObservationReport {
    /// The line of `import --json`.
    package func importLine(_ outcome: ImportOutcome) -> JSON {
        let line = JSON.line(
            "import",
            [
                "alreadyImported": outcome.alreadyImported, "supplemented": outcome.supplemented,
                "observation": observation, "totals": totals, "types": types.map(\.json),
                "repairs": JSON.located(repairs, "kind"), "quarantine": JSON.located(quarantine, "reason"),
                "unknown": unknown, "warnings": warnings,
            ])
        guard let file = outcome.otherFile else { return line }
        return line.adding(["offered": file])
    }

    /// The line of `show --json`.
    package var showLine: JSON {
        .line(
            "show",
            [
                "observation": observation, "totals": totals, "types": types.map(\.jsonWithSums),
                "repairs": JSON.located(repairs, "kind"), "quarantine": JSON.located(quarantine, "reason"),
                "unknown": unknown, "warnings": warnings,
                "sideFiles": sideFiles.map {
                    JSON.row(["kind": $0.kind, "count": $0.count, "byteCount": $0.byteCount])
                },
            ])
    }

    /// The line of `timeline --json`.
    package static func timelineLine(_ entries: [TimelineEntry]) -> JSON {
        .line("timeline", ["observations": entries.map { $0.observation.json.adding(["totals": $0.totals]) }])
    }
}

extension ObservationReport.Totals: JSONConvertible {
    package var json: JSON {
        .row([
            "read": read, "visible": visible, "appeared": appeared, "disappeared": disappeared,
            "representationChanged": representationChanged, "quarantined": quarantined,
        ])
    }
}

extension ObservationReport.TypeRun {
    fileprivate var json: JSON {
        .row([
            "type": type, "status": status.rawValue, "read": read, "visible": visible, "appeared": appeared,
            "disappeared": disappeared, "representationChanged": representationChanged,
            "evidence": JSON.counts(matchRules), "changedFields": JSON.counts(changedFields),
        ])
    }

    fileprivate var jsonWithSums: JSON {
        json.adding([
            "earliestStart": JSON.instant(earliestStart), "latestEnd": JSON.instant(latestEnd),
            "sums": sums.map { JSON.row(["source": $0.source, "unit": $0.unit, "sum": $0.sum]) },
        ])
    }
}

extension ObservationReport.NamedCount: JSONConvertible {
    package var json: JSON { .row(["name": name, "count": count]) }
}

extension Digest256: JSONConvertible {
    package var json: JSON { .string(hex) }
}

extension JSON {
    /// An object of names and their counts.
    static func counts(_ counts: [ObservationReport.NamedCount]) -> JSON {
        .object(counts.map { ($0.name, $0.count.json) })
    }

    /// Repairs or quarantined items with what is called `name`.
    static func located(_ entries: [ObservationReport.Located], _ name: String) -> JSON {
        entries.map { JSON.row([name: $0.name, "count": $0.count, "firstLine": $0.firstLine]) }.json
    }
}
