internal import ArchiveReading
internal import ArchiveRows
internal import Foundation
internal import HealthModel
internal import TextFormats

/// The items of `types` and `manifest`: what an observation says of its types, and what a chain says of its observations.
struct SummaryItems {
    let filter: ProvenanceFilter
    let names: TypeNames

    /// The members of a type's item.
    func members(_ run: ObservationReport.TypeRun) -> [(String, JSON)] {
        let sums = run.sums.map { sum -> JSON in
            .object([
                ("source", name(sum.source)), ("unit", .optional(sum.unit)),
                ("sum", .string(CanonicalNumber(sum.sum).text)),
                ("number_count", .int(sum.numberCount)),
            ])
        }
        return [
            ("type_identifier", .string(names.printed(run.type))), ("status", .string(run.status.rawValue)),
            ("read_count", .int(run.read)),
            ("visible_count", .int(run.visible)), ("appeared_count", .int(run.appeared)),
            ("disappeared_count", .int(run.disappeared)),
            ("representation_changed_count", .int(run.representationChanged)),
            ("earliest_start_date", .instant(run.earliestStart)),
            ("latest_end_date", .instant(run.latestEnd)), ("sums", .array(sums)),
            ("evidence", counts(run.matchRules)), ("changed_fields", counts(run.changedFields)),
        ]
    }

    /// The members of an observation's item.
    /// - Parameter seals: the observation's seals with their places in the chain of seals.
    func members(_ report: ObservationReport, seals: [(sequence: Int64, seal: Data?)]) -> [(String, JSON)] {
        let observation = report.observation
        func digest(_ value: Digest256?) -> JSON { value.map { .string($0.hex) } ?? .null }
        let types = report.types.map { run -> JSON in
            .object([
                ("type_identifier", .string(names.printed(run.type))), ("status", .string(run.status.rawValue)),
                ("read_count", .int(run.read)), ("visible_count", .int(run.visible)),
                ("appeared_count", .int(run.appeared)), ("disappeared_count", .int(run.disappeared)),
                ("representation_changed_count", .int(run.representationChanged)),
            ])
        }
        let sealed = seals.map { entry -> JSON in
            .object([
                ("sequence", .int(entry.sequence)),
                ("seal", entry.seal.map { .string(Hex.string($0)) } ?? .null),
            ])
        }
        let stopped: JSON =
            observation.stoppedReason.map { reason in
                .object([
                    ("line", .optional(observation.stoppedLine)),
                    ("byte", .optional(observation.stoppedByte)), ("reason", .string(reason)),
                ])
            } ?? .null
        return [
            ("observation_id", .int(observation.id)),
            ("chain_position", .optional(observation.position)),
            ("status", .string(observation.status.rawValue)), ("observed_at", .instant(observation.observedAt)),
            ("started_at", .instant(observation.startedAt)),
            ("completed_at", .instant(observation.endedAt)),
            ("offset_seconds", .optional(observation.offsetSeconds)),
            ("locale", .optional(observation.locale)), ("export_version", .optional(observation.exportVersion)),
            ("program", .string(observation.program)), ("note", name(observation.note)),
            ("type_selection", .optional(observation.typeSelection.text)),
            (
                "source",
                .object([
                    ("name", name(observation.sourceName)), ("member", name(observation.sourceMember)),
                    ("form", .string(observation.sourceForm)), ("byte_count", .int(observation.sourceByteCount)),
                    ("sha256", digest(observation.sourceSHA256)),
                    ("xml_byte_count", .optional(observation.xmlByteCount)),
                    ("xml_sha256", digest(observation.xmlSHA256)),
                ])
            ),
            ("stopped_at", stopped), ("totals", totals(report.totals)), ("types", .array(types)),
            ("repairs", located(report.repairs, "kind")), ("quarantine", located(report.quarantine, "reason")),
            (
                "unknown",
                .array(
                    report.unknown.compactMap { item in
                        filter.name(item.name).map {
                            .object([("name", .string($0)), ("count", .int(item.count))])
                        }
                    })
            ),
            (
                "side_files",
                .array(
                    report.sideFiles.map {
                        .object([
                            ("kind", .string($0.kind)), ("count", .int($0.count)),
                            ("byte_count", .int($0.byteCount)),
                        ])
                    })
            ),
            // A warning may quote names; its number says that there is one.
            (
                "warnings",
                filter.isFull ? .array(report.warnings.map { .string($0) }) : .int(Int64(report.warnings.count))
            ),
            ("stream_digest", observation.streamDigest.map { .string($0.hex) } ?? .null),
            ("state_digest", observation.stateDigest.map { .string($0.hex) } ?? .null),
            ("seal", sealed.isEmpty ? .null : .array(sealed)),
        ]
    }

    private func name(_ text: String?) -> JSON {
        .optional(text.flatMap { filter.identifying($0, domain: "source") })
    }

    private func counts(_ counts: [ObservationReport.NamedCount]) -> JSON {
        .object(counts.map { ($0.name, .int($0.count)) })
    }

    private func located(_ found: [ObservationReport.Located], _ name: String) -> JSON {
        .array(
            found.map {
                .object([
                    (name, .string($0.name)), ("count", .int($0.count)), ("first_line", .int($0.firstLine)),
                ])
            })
    }

    private func totals(_ totals: ObservationReport.Totals) -> JSON {
        .object([
            ("read", .int(totals.read)), ("visible", .int(totals.visible)),
            ("appeared", .int(totals.appeared)),
            ("disappeared", .int(totals.disappeared)),
            ("representation_changed", .int(totals.representationChanged)),
            ("quarantined", .int(totals.quarantined)),
        ])
    }
}
