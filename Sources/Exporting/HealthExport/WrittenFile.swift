internal import HealthModel

/// What was written: length and SHA-256.
struct WrittenFile {
    var byteCount: Int64 = 0
    var sha256 = Digest256()

    init(byteCount: Int64 = 0, sha256: Digest256 = Digest256()) {
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// Reads a file to its end.
    ///
    /// - Throws: `inputOutput`.
    init(reading file: LineReader) throws {
        sha256 = try file.finish()
        byteCount = file.byteCount
    }
}
