internal import Archive
internal import HealthModel
package import TextFormats

/// The line of `inspect --json`: the import's, without what only an archive knows.
package enum InspectJSON {
    /// One export's line.
    package static func line(_ report: InspectReport) -> JSON {
        [
            "schema": .string(Reporting.schema("inspect")), "observation": observation(report),
            "totals": ["read": .int(report.readCount), "quarantined": .int(report.quarantinedCount)],
            "types": .array(
                report.types.map {
                    [
                        "type": .string($0.type), "status": .string($0.status.rawValue), "read": .int($0.read),
                        "earliestStart": .instant($0.earliestStart), "latestEnd": .instant($0.latestEnd),
                    ]
                }),
            "repairs": ReportJSON.repairs(report.repairs), "quarantine": ReportJSON.quarantine(report.quarantine),
            "unknown": ReportJSON.unknown(report.unknown), "warnings": ReportJSON.warnings(report.warnings),
            "sideFiles": .array(
                report.sideFiles.map {
                    ["kind": .string($0.kind), "count": .int($0.count), "byteCount": .int($0.byteCount)]
                }),
        ]
    }

    private static func observation(_ report: InspectReport) -> JSON {
        var stop = JSON.null
        if let place = report.stop {
            stop = ["line": .int(place.line), "byte": .int(place.byte), "reason": .string(place.reason)]
        }
        return [
            "observedAt": .instant(report.observedAt), "status": report.isComplete ? "completed" : "partial",
            "offsetSeconds": .optional(report.offsetSeconds), "locale": .optional(report.locale),
            "exportVersion": .optional(report.exportVersion), "program": .string(HealthModel.program),
            "streamDigest": .optional(report.streamDigest), "stoppedAt": stop,
            "source": [
                "name": .string(report.sourceName), "member": .string(report.sourceMember),
                "byteCount": .int(report.sourceByteCount), "sha256": .hex(report.sourceSHA256 ?? report.xmlSHA256),
                "xmlByteCount": .int(report.xmlByteCount), "xmlSHA256": .hex(report.xmlSHA256),
            ],
        ]
    }
}
