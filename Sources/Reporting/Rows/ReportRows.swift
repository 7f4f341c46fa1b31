package import Basics
internal import Days
internal import Evidence
internal import HealthModel
package import Questions
internal import Store

extension ComparisonReport {
    /// A report as data: the page's content with the contract's names.
    package func json(_ impact: ReportImpact) -> JSON {
        func sides(_ value: (ObservationReport) -> JSON) -> JSON { .row(["from": value(from), "to": value(to)]) }
        let totals = totals
        return .line(
            "report",
            [
                "from": from.observation, "to": to.observation, "through": through, "zone": zone?.name,
                "rulesVersion": rulesVersion, "seal": toSeal?.text,
                "evidence": JSON.row(["from": evidence(from, fromSeal), "to": evidence(to, toSeal)]),
                "head": JSON.row(["origin": head.origin, "sequence": head.sequence, "sha256": head.head]),
                "totals": JSON.row([
                    "before": totals.before, "after": totals.after, "appeared": totals.appeared,
                    "disappeared": totals.disappeared, "representationChanged": totals.representationChanged,
                    "explained": totals.explained, "unexplained": totals.disappeared - totals.explained,
                ]),
                "timeline": observations.map {
                    JSON.row(["id": $0.id, "observedAt": JSON.instant($0.observedAt)])
                }, "types": types,
                "unchanged": unchanged.map { JSON.row(["type": $0.type, "count": $0.count]) },
                "caveats": Caveats.all, "repairs": sides { .located($0.repairs, "kind") },
                "quarantine": sides { .located($0.quarantine, "reason") }, "unknown": sides { $0.unknown.json },
                "warnings": sides { $0.warnings.json }, "impact": impact.answer, "method": Method.sentences(self),
                "verification": Method.verification(self).map {
                    JSON.row(["command": $0.command, "shows": $0.shows])
                }, "queries": queries,
            ])
    }

    /// How an export was read, and what is sealed of it.
    private func evidence(_ side: ObservationReport, _ seal: SealNote?) -> JSON {
        .row([
            "doctypeSHA256": side.doctypeSHA256, "unreadByteCount": side.unreadByteCount,
            "libraries": JSON.object(seal?.libraries.map { ($0.name, .string($0.version)) } ?? []),
            "seal": seal?.text,
        ])
    }
}

extension ComparisonReport.SealNote {
    /// Number and SHA-256 of the seal whose statement about an observation holds.
    var text: String { "\(holding.sequence) \(holding.digest.hex)" }
}

extension TypeSection: JSONConvertible {
    package var json: JSON {
        diff.json.adding([
            "visible": counts,
            "consolidation": consolidation.map { found in
                found.verdict.json.adding([
                    "shown": found.groups.map { $0.group.json($0.replacements) }
                ])
            }, "unexplained": unexplained, "dailyDifferenceCount": dayCount,
            "dailyDifferences": days.map { $0.json.adding(["start": JSON.instant($0.start)]) }, "queries": queries,
        ])
    }
}
