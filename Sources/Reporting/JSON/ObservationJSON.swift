package import Archive
internal import HealthModel
package import TextFormats

/// The contract's `observation`.
package enum ObservationJSON {
    /// The members of an observation, which other objects may extend.
    package static func members(_ observation: Observation) -> [(String, JSON)] {
        [
            ("id", .int(observation.id)), ("chain", .string(observation.chain)),
            ("observedAt", .instant(observation.observedAt)), ("status", .string(observation.status.rawValue)),
            ("offsetSeconds", .optional(observation.offsetSeconds)), ("locale", .optional(observation.locale)),
            ("exportVersion", .optional(observation.exportVersion)), ("note", .optional(observation.note)),
            ("program", .string(observation.program)), ("streamDigest", .optional(observation.streamDigest?.hex)),
            ("stateDigest", .optional(observation.stateDigest?.hex)), ("stoppedAt", stop(observation)),
            ("source", source(observation)),
        ]
    }

    /// An observation as an object.
    package static func object(_ observation: Observation) -> JSON { .object(members(observation)) }

    private static func stop(_ observation: Observation) -> JSON {
        guard let reason = observation.stoppedReason else { return .null }
        return [
            "line": .optional(observation.stoppedLine), "byte": .optional(observation.stoppedByte),
            "reason": .string(reason),
        ]
    }

    private static func source(_ observation: Observation) -> JSON {
        // A bare XML file is its own container.
        let sha256 = observation.sourceSHA256 ?? (observation.sourceForm == "xml" ? observation.xmlSHA256 : nil)
        return [
            "name": .string(observation.sourceName), "member": .string(observation.sourceMember),
            "byteCount": .int(observation.sourceByteCount), "sha256": .hex(sha256),
            "xmlByteCount": .optional(observation.xmlByteCount), "xmlSHA256": .hex(observation.xmlSHA256),
        ]
    }
}
