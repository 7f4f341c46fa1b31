package import Basics
package import HealthModel
package import Importing
package import Store

extension InspectReport: JSONConvertible {
    /// The line of `inspect --json`: the import's, without what only an archive knows.
    package var json: JSON {
        .line(
            "inspect",
            [
                "observation": observation,
                "totals": JSON.row(["read": readCount, "quarantined": quarantinedCount]),
                "types": types.map {
                    JSON.row([
                        "type": $0.type, "status": $0.status.rawValue, "read": $0.read,
                        "earliestStart": JSON.instant($0.earliestStart), "latestEnd": JSON.instant($0.latestEnd),
                    ])
                },
                "repairs": JSON.located(repairs, "kind"), "quarantine": JSON.located(quarantine, "reason"),
                "unknown": unknown, "warnings": warnings, "findings": findings,
                "sideFiles": sideFiles.map {
                    JSON.row(["kind": $0.kind, "count": $0.count, "byteCount": $0.byteCount])
                },
            ])
    }

    private var observation: JSON {
        // A bare XML file is its own container; a folder is none that has a hash.
        let sha256 = sourceSHA256 ?? (sourceForm == "xml" ? xmlSHA256 : nil)
        return .row([
            "observedAt": JSON.instant(observedAt), "status": isComplete ? "completed" : "partial",
            "offsetSeconds": offsetSeconds, "locale": locale, "exportVersion": exportVersion,
            "program": HealthModel.program, "streamDigest": streamDigest,
            "stoppedAt": stop.map {
                JSON.row(["line": $0.line, "byte": $0.byte, "reason": $0.reason, "message": $0.message])
            },
            "source": JSON.row([
                "name": sourceName, "member": sourceMember, "byteCount": sourceByteCount,
                "sha256": sha256, "xmlByteCount": xmlByteCount, "xmlSHA256": xmlSHA256,
            ]),
        ])
    }
}

extension SourceSearch.Occurrence {
    /// A line of `locate --json`.
    package func line(_ identity: Digest256, _ observation: Observation) -> JSON {
        .row([
            "identity": identity, "version": version, "observation": observation.id, "member": member, "line": line,
            "byteStart": byteStart, "byteEnd": byteEnd, "nested": isNested,
            "text": String(decoding: text, as: UTF8.self), "textIsCut": isCut,
        ])
    }
}
