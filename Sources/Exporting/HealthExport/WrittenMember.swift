internal import HealthModel
internal import TextFormats

/// One file of a Health export: the XML itself, or a file beside it.
struct WrittenMember {
    /// Relative to the export's folder.
    var path: String
    var file: WrittenFile

    /// What manifests say of it.
    var json: JSON {
        .object([
            ("path", .string(path)), ("byteCount", .int(Int(file.byteCount))), ("sha256", .string(file.sha256.hex)),
        ])
    }
}
