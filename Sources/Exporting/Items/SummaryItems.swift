internal import Archive
internal import Foundation
internal import HealthModel

/// The items of `types` and `manifest`: what an observation says of its types, and what a chain says of its observations.
struct SummaryItems {
    let filter: ProvenanceFilter
    let names: TypeNames

    /// The members of a type's item.
    func members(_ run: ObservationReport.TypeRun) -> [(String, CanonicalJSON)] {
        let sums = run.sums.map { sum -> CanonicalJSON in
            .object([
                ("source", name(sum.source)), ("unit", text(sum.unit)), ("sum", .string(CanonicalNumber(sum.sum).text)),
                ("number_count", .integer(sum.numberCount)),
            ])
        }
        return [
            ("type_identifier", .string(names.printed(run.type))), ("status", .string(run.status)),
            ("read_count", .integer(run.read)),
            ("visible_count", .integer(run.visible)), ("appeared_count", .integer(run.appeared)),
            ("disappeared_count", .integer(run.disappeared)),
            ("representation_changed_count", .integer(run.representationChanged)),
            ("earliest_start_date", InstantText.json(run.earliestStart)),
            ("latest_end_date", InstantText.json(run.latestEnd)), ("sums", .array(sums)),
            ("evidence", counts(run.evidence)), ("changed_fields", counts(run.changedFields)),
        ]
    }

    /// The members of an observation's item.
    /// - Parameter seals: the observation's seals with their places in the chain of seals.
    func members(_ report: ObservationReport, seals: [(sequence: Int64, seal: Data?)]) -> [(String, CanonicalJSON)] {
        let observation = report.observation
        func digest(_ value: Digest256?) -> CanonicalJSON { value.map { .string($0.hex) } ?? .null }
        let types = report.types.map { run -> CanonicalJSON in
            .object([
                ("type_identifier", .string(names.printed(run.type))), ("status", .string(run.status)),
                ("read_count", .integer(run.read)), ("visible_count", .integer(run.visible)),
                ("appeared_count", .integer(run.appeared)), ("disappeared_count", .integer(run.disappeared)),
                ("representation_changed_count", .integer(run.representationChanged)),
            ])
        }
        let sealed = seals.map { entry -> CanonicalJSON in
            .object([
                ("sequence", .integer(entry.sequence)),
                ("seal", entry.seal.map { .string(Hex.string($0)) } ?? .null),
            ])
        }
        let stopped: CanonicalJSON =
            observation.stoppedReason.map { reason in
                .object([
                    ("line", observation.stoppedLine.map { .integer($0) } ?? .null),
                    ("byte", observation.stoppedByte.map { .integer($0) } ?? .null), ("reason", .string(reason)),
                ])
            } ?? .null
        return [
            ("observation_id", .integer(observation.id)),
            ("chain_position", observation.position.map { .integer(Int64($0)) } ?? .null),
            ("status", .string(observation.status.rawValue)), ("observed_at", InstantText.json(observation.observedAt)),
            ("started_at", InstantText.json(observation.startedAt)),
            ("completed_at", InstantText.json(observation.endedAt)),
            ("offset_seconds", observation.offsetSeconds.map { .integer($0) } ?? .null),
            ("locale", text(observation.locale)), ("export_version", text(observation.exportVersion)),
            ("program", .string(observation.program)), ("note", name(observation.note)),
            ("type_selection", text(observation.typeSelection)),
            (
                "source",
                .object([
                    ("name", name(observation.sourceName)), ("member", name(observation.sourceMember)),
                    ("form", .string(observation.sourceForm)), ("byte_count", .integer(observation.sourceByteCount)),
                    ("sha256", digest(observation.sourceSHA256)),
                    ("xml_byte_count", observation.xmlByteCount.map { .integer($0) } ?? .null),
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
                            .object([("name", .string($0)), ("count", .integer(item.count))])
                        }
                    })
            ),
            (
                "side_files",
                .array(
                    report.sideFiles.map {
                        .object([
                            ("kind", .string($0.kind)), ("count", .integer($0.count)),
                            ("byte_count", .integer($0.byteCount)),
                        ])
                    })
            ),
            // A warning may quote names; its number says that there is one.
            (
                "warnings",
                filter.isFull ? .array(report.warnings.map { .string($0) }) : .integer(Int64(report.warnings.count))
            ),
            ("stream_digest", observation.streamDigest.map { .string($0.hex) } ?? .null),
            ("state_digest", observation.stateDigest.map { .string($0.hex) } ?? .null),
            ("seal", sealed.isEmpty ? .null : .array(sealed)),
        ]
    }

    private func name(_ text: String?) -> CanonicalJSON {
        text.flatMap { filter.identifying($0, domain: "source") }.map { .string($0) } ?? .null
    }

    private func text(_ text: String?) -> CanonicalJSON { text.map { .string($0) } ?? .null }

    private func counts(_ counts: [ObservationReport.NamedCount]) -> CanonicalJSON {
        .object(counts.map { ($0.name, .integer($0.count)) })
    }

    private func located(_ found: [ObservationReport.Located], _ name: String) -> CanonicalJSON {
        .array(
            found.map {
                .object([
                    (name, .string($0.name)), ("count", .integer($0.count)), ("first_line", .integer($0.firstLine)),
                ])
            })
    }

    private func totals(_ totals: ObservationReport.Totals) -> CanonicalJSON {
        .object([
            ("read", .integer(totals.read)), ("visible", .integer(totals.visible)),
            ("appeared", .integer(totals.appeared)),
            ("disappeared", .integer(totals.disappeared)),
            ("representation_changed", .integer(totals.representationChanged)),
            ("quarantined", .integer(totals.quarantined)),
        ])
    }
}
