package import Archive
internal import HealthModel
package import Presentation

/// The line of `history --json`.
package enum HistoryJSON {
    /// One sample's line.
    package static func line(_ history: History) -> JSON {
        [
            "schema": .string(Reporting.schema("history")), "identity": .string(history.identity.hex),
            "chain": .string(history.chain), "type": .optional(history.versions.first?.record.type),
            "versions": .array(history.versions.map(version)), "events": .array(history.events.map(event)),
            "links": .array(history.links.map(link)),
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

    private static func record(_ row: RecordRow) -> JSON {
        var writer = JSONWriter()
        RecordJSON.append(row, to: &writer)
        return StoredJSON.parse(writer.text) ?? .null
    }
}
