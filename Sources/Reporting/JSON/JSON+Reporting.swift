internal import HealthModel
internal import TextFormats

extension JSON {
    /// A hash as lower-case hexadecimal.
    static func hex(_ digest: Digest256?) -> JSON { digest.map { .string($0.hex) } ?? .null }
}
