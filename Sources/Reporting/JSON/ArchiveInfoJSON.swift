internal import Archive
internal import HealthModel
package import TextFormats

/// The line of `archive info --json`.
package enum ArchiveInfoJSON {
    /// One archive's line.
    package static func line(_ facts: ArchiveFacts) -> JSON {
        let info = facts.info
        return [
            "schema": .string(Reporting.schema("archive")), "path": .string(facts.path),
            "uuid": .string(info.identity.uuid), "schemaVersion": .int(info.identity.schemaVersion),
            "keyID": .string(info.identity.keyID), "keyEpoch": .int(info.identity.keyEpoch),
            "key": .string(facts.keyState.rawValue), "failedCheck": .optional(info.identity.failedCheck),
            "byteCount": .int(info.byteCount), "freeByteCount": .int(info.freeByteCount),
            "walByteCount": .int(facts.walByteCount), "observations": ReportJSON.counts(info.statuses),
            "samples": .int(info.samples), "versions": .int(info.versions), "record_versions": .int(info.copies),
            "sideFiles": .int(info.sideFiles),
            "seals": [
                "count": .int(info.seals),
                "head": info.headSeal.map { ["sequence": .int($0.sequence), "seal": .string($0.digest.hex)] } ?? .null,
            ], "chains": .array(info.chains.map(chain)),
        ]
    }

    private static func chain(_ chain: ArchiveInfo.ChainInfo) -> JSON {
        [
            "name": .string(chain.name), "observations": ReportJSON.counts(chain.statuses),
            "firstObservedAt": .instant(chain.firstObservedAt), "lastObservedAt": .instant(chain.lastObservedAt),
            "timeZone": AggregatesJSON.zone(chain.zone),
        ]
    }
}
