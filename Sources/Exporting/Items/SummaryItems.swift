internal import Basics
internal import HealthModel
internal import Questions
internal import Store

/// The items of `types` and `manifest`: what an observation says of its types, and what a chain says of its observations.
struct SummaryItems {
    let filter: ProvenanceFilter
    let names: TypeNames

    /// A type's item.
    func item(_ run: ObservationReport.TypeRun) -> JSON {
        counts(run).adding([
            "earliest_start_date": JSON.instant(run.earliestStart), "latest_end_date": JSON.instant(run.latestEnd),
            "sums": run.sums.map { sum in
                JSON.row([
                    "source": name(sum.source), "unit": sum.unit, "sum": CanonicalNumber(sum.sum).text,
                    "number_count": sum.numberCount,
                ])
            }, "evidence": counts(run.matchRules), "changed_fields": counts(run.changedFields),
        ])
    }

    /// An observation's item.
    /// - Parameter seals: the observation's seals with their places in the chain of seals.
    func item(_ report: ObservationReport, seals: [(sequence: Int64, seal: Digest256)]) -> JSON {
        let observation = report.observation
        return JSON.row([
            "observation_id": observation.id, "chain_position": observation.position,
            "status": observation.status.rawValue, "observed_at": JSON.instant(observation.observedAt),
            "started_at": JSON.instant(observation.startedAt), "completed_at": JSON.instant(observation.endedAt),
            "offset_seconds": observation.offsetSeconds, "locale": observation.locale,
            "export_version": observation.exportVersion, "program": observation.program,
            "note": name(observation.note), "type_selection": selection(observation.typeSelection),
            "source": JSON.row([
                "name": name(observation.sourceName), "member": name(observation.sourceMember),
                "form": observation.sourceForm, "byte_count": observation.sourceByteCount,
                "sha256": observation.sourceSHA256?.hex, "xml_byte_count": observation.xmlByteCount,
                "xml_sha256": observation.xmlSHA256?.hex,
            ]),
            "stopped_at": observation.stoppedReason.map { reason in
                JSON.row(["line": observation.stoppedLine, "byte": observation.stoppedByte, "reason": reason])
            },
            "totals": totals(report.totals),
            "types": report.types.map(counts), "repairs": located(report.repairs, "kind"),
            "quarantine": located(report.quarantine, "reason"),
            "unknown": report.unknown.compactMap { item in
                filter.name(item.name).map { JSON.row(["name": $0, "count": item.count]) }
            },
            "side_files": report.sideFiles.map {
                JSON.row(["kind": $0.kind, "count": $0.count, "byte_count": $0.byteCount])
            },
            // A warning may quote names; its number says that there is one.
            "warnings": filter.isFull ? report.warnings.json : report.warnings.count.json,
            "stream_digest": observation.streamDigest?.hex, "state_digest": observation.stateDigest?.hex,
            "seal": seals.isEmpty ? nil : seals.map { JSON.row(["sequence": $0.sequence, "seal": $0.seal.hex]) },
        ])
    }

    private func counts(_ run: ObservationReport.TypeRun) -> JSON {
        .row([
            "type_identifier": names.printed(run.type), "status": run.status.rawValue, "read_count": run.read,
            "visible_count": run.visible, "appeared_count": run.appeared, "disappeared_count": run.disappeared,
            "representation_changed_count": run.representationChanged,
        ])
    }

    private func name(_ text: String?) -> String? { text.flatMap { filter.identifying($0, domain: "source") } }

    /// The types that an import was asked for; with an element that is no word of a format among them, free text.
    private func selection(_ selection: TypeSelection) -> String? {
        let isPlain = selection.names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } && TypeNames.isPlain($0) }
        return filter.isFull || isPlain
            ? selection.text : selection.text.flatMap { filter.identifying($0, domain: "text") }
    }

    private func counts(_ counts: [ObservationReport.NamedCount]) -> JSON {
        .object(counts.map { ($0.name, .int($0.count)) })
    }

    private func located(_ found: [ObservationReport.Located], _ name: String) -> [JSON] {
        found.map { JSON.row([name: $0.name, "count": $0.count, "first_line": $0.firstLine]) }
    }

    private func totals(_ totals: ObservationReport.Totals) -> JSON {
        .row([
            "read": totals.read, "visible": totals.visible, "appeared": totals.appeared,
            "disappeared": totals.disappeared, "representation_changed": totals.representationChanged,
            "quarantined": totals.quarantined,
        ])
    }
}
