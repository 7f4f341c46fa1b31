package import Analysis
package import Archive
internal import HealthModel
package import TextFormats

/// The line of `history --json`.
package enum HistoryJSON {
    /// One sample's line.
    package static func line(_ history: History, _ consolidation: [SampleConsolidation.Part] = []) -> JSON {
        [
            "schema": .string(Reporting.schema("history")), "identity": .string(history.identity.hex),
            "chain": .string(history.chain), "type": .optional(history.versions.first?.record.type),
            "versions": .array(history.versions.map(version)), "events": .array(history.events.map(event)),
            "links": .array(history.links.map(link)),
            "consolidation": [
                "into": .array(consolidation.filter { $0.role == .constituent }.map(into)),
                "from": .array(consolidation.filter { $0.role == .replacement }.map(from)),
            ],
        ]
    }

    private static func version(_ version: History.Version) -> JSON {
        let ranges = version.ranges.map { range -> JSON in
            [
                "firstObservation": .int(range.first.id), "firstSeenAt": .instant(range.first.observedAt),
                "lastObservation": .optional(range.last?.id), "lastSeenAt": .instant(range.last?.observedAt),
            ]
        }
        return ["record": record(version.record), "ranges": .array(ranges)]
    }

    private static func event(_ event: History.Event) -> JSON {
        [
            "observation": .int(event.observation.id), "observedAt": .instant(event.observation.observedAt),
            "change": .string(event.change), "evidence": .optional(event.evidence),
            "version": .string(event.record.version.hex), "ordinal": .int(event.record.ordinal),
            "previousVersion": .hex(event.previous?.version),
        ]
    }

    private static func link(_ link: History.Link) -> JSON {
        [
            "observation": .int(link.observation.id), "observedAt": .instant(link.observation.observedAt),
            "evidence": .string(link.evidence), "direction": link.isPrevious ? "previous" : "next",
            "version": .string(link.own.version.hex), "record": record(link.other),
        ]
    }

    private static func into(_ part: SampleConsolidation.Part) -> JSON {
        .object(group(part) + [("replacements", .array(part.replacements.map(record)))])
    }

    private static func from(_ part: SampleConsolidation.Part) -> JSON {
        let constituents = part.constituents.map { constituent, record -> JSON in
            ["identity": .string(record.identity.hex), "lastVisibleAt": .int(constituent.lastVisibleAt)]
        }
        return .object(group(part) + [("constituents", .array(constituents))])
    }

    private static func group(_ part: SampleConsolidation.Part) -> [(String, JSON)] {
        let group = part.group
        return [
            ("basis", .string(group.basis.rawValue)), ("workout", .optional(group.workout)),
            ("completeness", .string(group.completeness.rawValue)),
            ("constituentCount", .int(group.evidence.constituentCount)),
            ("declaredCount", .optional(group.declaredCount)),
        ]
    }

    private static func record(_ row: RecordRow) -> JSON {
        var writer = JSONWriter()
        RecordJSON.append(row, to: &writer)
        return JSON.parse(writer.text) ?? .null
    }
}
