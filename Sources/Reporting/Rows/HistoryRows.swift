package import Basics
internal import HealthModel
internal import History
package import Questions
internal import Store

extension History {
    /// The line of `history --json`.
    package func line(_ consolidation: [SampleConsolidation.Part]) -> JSON {
        .line(
            "history",
            [
                "identity": identity, "chain": chain, "type": versions.first?.record.type, "versions": versions,
                "events": events, "links": links,
                "consolidation": JSON.row([
                    "into": consolidation.filter { $0.role == .constituent }.map(\.into),
                    "from": consolidation.filter { $0.role == .replacement }.map(\.from),
                ]),
            ])
    }
}

extension History.Version: JSONConvertible {
    package var json: JSON { .row(["record": record, "ranges": ranges]) }
}

extension History.Range: JSONConvertible {
    package var json: JSON {
        .row([
            "firstObservation": first.id, "firstSeenAt": JSON.instant(first.observedAt),
            "lastObservation": last?.id, "lastSeenAt": JSON.instant(last?.observedAt),
        ])
    }
}

extension History.Event: JSONConvertible {
    package var json: JSON {
        .row([
            "observation": observation.id, "observedAt": JSON.instant(observation.observedAt),
            "change": change.rawValue, "evidence": matchRule?.name, "version": record.version,
            "ordinal": record.ordinal, "previousVersion": previous?.version,
        ])
    }
}

extension History.Link: JSONConvertible {
    package var json: JSON {
        .row([
            "observation": observation.id, "observedAt": JSON.instant(observation.observedAt),
            "evidence": matchRule.name, "direction": isPrevious ? "previous" : "next",
            "version": own.version, "record": other,
        ])
    }
}

extension SampleConsolidation.Part {
    /// The group that the sample is a constituent of.
    fileprivate var into: JSON { groupJSON.adding(["replacements": replacements]) }

    /// The group that the sample is a replacement of.
    fileprivate var from: JSON {
        groupJSON.adding([
            "constituents": constituents.map { constituent, record in
                JSON.row(["identity": record.identity, "lastVisibleAt": constituent.lastVisibleAt])
            }
        ])
    }

    private var groupJSON: JSON {
        .row([
            "basis": group.basis.rawValue, "workout": group.workout, "completeness": group.completeness.rawValue,
            "constituentCount": group.evidence.constituentCount, "declaredCount": group.declaredCount,
        ])
    }
}
