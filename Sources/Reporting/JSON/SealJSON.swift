package import Archive
internal import HealthModel
package import TextFormats

/// What `seal --json` prints.
package enum SealJSON {
    /// The archive's checkpoint and how it answers to what was seen here before.
    package static func line(_ checkpoint: Checkpoint, _ answer: RememberedHead.Answer) -> JSON {
        let seen: JSON
        switch answer {
        case .unknown: seen = "unknown"
        case .continues: seen = "continues"
        case .stepBack: seen = "stepBack"
        }
        return .object([("schema", .string(Reporting.schema("seal")))] + members(checkpoint) + [("remembered", seen)])
    }

    /// Whether the archive contains a checkpoint.
    package static func verdict(_ checkpoint: Checkpoint, problem: String?) -> JSON {
        .object(
            [("schema", .string(Reporting.schema("seal")))] + members(checkpoint)
                + [("contained", .bool(problem == nil)), ("detail", .optional(problem))])
    }

    private static func members(_ checkpoint: Checkpoint) -> [(String, JSON)] {
        [
            ("origin", .string(checkpoint.origin)), ("sequence", .int(checkpoint.sequence)),
            ("head", .string(checkpoint.base64)), ("sha256", .string(checkpoint.head.hex)),
        ]
    }

    /// One seal with the statement that it covers, exactly as it was hashed.
    package static func statement(_ seal: Seal) -> String {
        "{\"sequence\":\(seal.sequence),\"seal\":\"\(seal.digest.hex)\",\"statement\":\(seal.statement)}"
    }
}
