internal import HealthModel

/// One file of a Health export: the XML itself, or a file beside it.
struct WrittenMember {
    /// Relative to the export's folder.
    var path: String
    var file: WrittenFile

    /// What manifests say of it.
    var json: CanonicalJSON {
        .object([
            ("path", .string(path)), ("byteCount", .integer(file.byteCount)), ("sha256", .string(file.sha256.hex)),
        ])
    }

    /// SHA-256 of an export's id, its number of items and its files, in hexadecimal; a zip's own bytes are no part of it.
    static func manifestHash(exportID: String, itemCount: Int64, _ members: [CanonicalJSON]) -> String {
        let json = CanonicalJSON.object([
            ("exportId", .string(exportID)), ("itemCount", .integer(itemCount)), ("members", .array(members)),
        ])
        return Digest256(hashing: json.text).hex
    }
}
