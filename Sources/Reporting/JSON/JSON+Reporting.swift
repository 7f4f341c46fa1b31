internal import HealthModel
internal import Presentation

extension JSON {
    static func int(_ number: Int64) -> JSON { .int(Int(number)) }

    static func optional(_ number: Int64?) -> JSON { number.map { .int(Int($0)) } ?? .null }

    /// An instant as `2024-05-01T10:00:00.000Z`.
    static func instant(_ seconds: Int64?) -> JSON {
        seconds.map { .string(ISO8601.string(unixSeconds: $0)) } ?? .null
    }

    /// A hash as lower-case hexadecimal.
    static func hex(_ digest: Digest256?) -> JSON { digest.map { .string($0.hex) } ?? .null }
}
