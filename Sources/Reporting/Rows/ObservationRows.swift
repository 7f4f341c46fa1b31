package import Basics
internal import HealthModel
package import Importing
package import Questions
package import Store

/// The contract's `observation`.
extension Observation: JSONConvertible {
    package static let columns = Columns<Observation, Void>(nil) {
        Figure("id", .count, "Its id, which names it everywhere.") { $0.row.id }
        Figure("chain", .text, "Its chain, one per phone.") { $0.row.chain }
        Figure("observedAt", .instant, "When the export was made.") { JSON.instant($0.row.observedAt) }
        Figure(
            "status", .choice(["started", "partial", "completed", "failed", "cancelled", "withdrawn"]),
            "How the import ended."
        ) { $0.row.status.rawValue }
        Figure("offsetSeconds", .integer.optional, "The phone's UTC offset at the export.") { $0.row.offsetSeconds }
        Figure("locale", .text.optional, "The export's locale.") { $0.row.locale }
        Figure("exportVersion", .text.optional, "The export's version of its format.") { $0.row.exportVersion }
        Figure("note", .text.optional, "The note of the import.") { $0.row.note }
        Figure("program", .text, "What imported it.") { $0.row.program }
        Figure("streamDigest", .digest.optional, "The digest of what the export shows.") { $0.row.streamDigest?.hex }
        Figure("stateDigest", .digest.optional, "The digest of the visible state.") { $0.row.stateDigest?.hex }
        Figure("stoppedAt", .stop.optional, "Where a partial export ends.") { shown in
            shown.row.stoppedReason.map {
                JSON.row([
                    "line": shown.row.stoppedLine, "byte": shown.row.stoppedByte, "reason": $0,
                    "message": shown.row.stoppedMessage,
                ])
            }
        }
        Figure("name", .text, "The file's name.", in: ["source"]) { $0.row.sourceName }
        Figure("member", .text.optional, "The XML's name in a zip or a folder.", in: ["source"]) { $0.row.sourceMember }
        Figure("byteCount", .count.optional, "The file's length.", in: ["source"]) { $0.row.sourceByteCount }
        // A bare XML file is its own container.
        Figure("sha256", .digest.optional, "The file's SHA-256.", in: ["source"]) { shown in
            shown.row.sourceSHA256 ?? (shown.row.sourceForm == "xml" ? shown.row.xmlSHA256 : nil)
        }
        Figure("xmlByteCount", .count.optional, "The XML's length.", in: ["source"]) { $0.row.xmlByteCount }
        Figure("xmlSHA256", .digest.optional, "The XML's SHA-256.", in: ["source"]) { $0.row.xmlSHA256 }
    }

    private typealias Figure = Column<Observation, Void>

    package var json: JSON { Self.columns.json(self, of: ()) }
}

extension ValueType {
    fileprivate static let stop = ValueType(
        "object",
        [
            "type": "object", "additionalProperties": false, "required": ["line", "byte", "reason"],
            "properties": [
                "line": ["type": ["integer", "null"]], "byte": ["type": ["integer", "null"]],
                "reason": ["type": "string"], "message": ["type": ["string", "null"]],
            ],
        ])
    fileprivate static let sum = ValueType(
        "object",
        [
            "type": "object", "additionalProperties": false, "required": ["source", "unit", "sum"],
            "properties": [
                "source": ["type": ["string", "null"]], "unit": ["type": ["string", "null"]],
                "sum": ["type": ["number", "null"]],
            ],
        ])
}

/// What a timeline says of an observation.
extension ObservationReport.TimelineEntry {
    package static let columns = Columns<ObservationReport.TimelineEntry, Void>(nil) {
        Observation.columns.all.map { $0.of { $0.observation } }
        Column<ObservationReport.TimelineEntry, Void>(
            "totals", .object(ObservationReport.Totals.columns, defined: "totals"), "Counts over all types."
        ) { $0.row.totals }
    }
}

extension ObservationReport {
    /// The line of `import --json`.
    package func importLine(_ outcome: ImportOutcome) -> JSON {
        let line = JSON.line(
            "import",
            [
                "alreadyImported": outcome.alreadyImported, "supplemented": outcome.supplemented,
                "observation": observation, "totals": totals,
                "types": types.map { TypeRun.columns.json($0, of: .counts) },
                "repairs": JSON.located(repairs, "kind"), "quarantine": JSON.located(quarantine, "reason"),
                "unknown": unknown, "warnings": warnings, "findings": findings,
            ])
        guard let file = outcome.otherFile else { return line }
        return line.adding(["offered": file])
    }

    /// The line of `show --json`.
    package var showLine: JSON {
        .line(
            "show",
            [
                "observation": observation, "totals": totals,
                "types": types.map { TypeRun.columns.json($0, of: .sums) },
                "repairs": JSON.located(repairs, "kind"), "quarantine": JSON.located(quarantine, "reason"),
                "unknown": unknown, "warnings": warnings, "findings": findings,
                "sideFiles": sideFiles.map {
                    JSON.row(["kind": $0.kind, "count": $0.count, "byteCount": $0.byteCount])
                },
            ])
    }

    /// The line of `timeline --json`.
    package static func timelineLine(_ entries: [TimelineEntry]) -> JSON {
        .line("timeline", ["observations": entries.map { TimelineEntry.columns.json($0, of: ()) }])
    }
}

extension ObservationReport.Totals: JSONConvertible {
    package static let columns = Columns<ObservationReport.Totals, Void>(nil) {
        Figure("read", .count, "Items that the file itself shows.") { $0.row.read }
        Figure("visible", .count, "Items visible at the observation.") { $0.row.visible }
        Figure("appeared", .count, "Items that the one before does not show.") { $0.row.appeared }
        Figure("disappeared", .count, "Items of the one before that are no longer visible.") { $0.row.disappeared }
        Figure("representationChanged", .count, "Items with another representation.") { $0.row.representationChanged }
        Figure("quarantined", .count, "Items that could not be stored as samples.") { $0.row.quarantined }
    }

    private typealias Figure = Column<ObservationReport.Totals, Void>

    package var json: JSON { Self.columns.json(self, of: ()) }
}

extension ObservationReport.TypeRun {
    /// How much is said of a type.
    package enum Detail: Sendable {
        /// By `import`.
        case counts
        /// By `show`: dates and sums as well.
        case sums
    }

    /// What an observation shows of a type.
    package static let columns = Columns<ObservationReport.TypeRun, Detail>(nil) {
        Figure("type", .text, "The type's identifier.") { $0.row.type }
        Figure(
            "status", .choice(["completed", "incomplete", "excluded", "absent"]), "How completely the type was read."
        ) { $0.row.status.rawValue }
        Figure("read", .count, "Items that the file itself shows.") { $0.row.read }
        Figure("visible", .count, "Items visible at the observation.") { $0.row.visible }
        Figure("appeared", .count, "Items that the one before does not show.") { $0.row.appeared }
        Figure("disappeared", .count, "Items of the one before that are no longer visible.") { $0.row.disappeared }
        Figure("representationChanged", .count, "Items with another representation.") { $0.row.representationChanged }
        Figure("evidence", .counts, "Changed representations by match rule.") { JSON.counts($0.row.matchRules) }
        Figure("changedFields", .counts, "Changed representations by field.") { JSON.counts($0.row.changedFields) }
        Figure("earliestStart", .instant.optional, "The first start.", when: withSums) {
            JSON.instant($0.row.earliestStart)
        }
        Figure("latestEnd", .instant.optional, "The last end.", when: withSums) { JSON.instant($0.row.latestEnd) }
        Figure("sums", .list(.sum), "Sums of the numbers per source and unit.", when: withSums) {
            $0.row.sums.map { JSON.row(["source": $0.source, "unit": $0.unit, "sum": $0.sum]) }
        }
    }

    private typealias Figure = Column<ObservationReport.TypeRun, Detail>

    private static let withSums = Figure.Condition("of `show`") { $0 == .sums }
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
