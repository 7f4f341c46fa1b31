package import HealthModel
package import Store

/// A file that was offered to an import, as the run log names it.
package struct OfferedFile: Sendable, Equatable {
    /// The file's own name, never its folder.
    package var name: String
    /// Of a folder the length of its main XML; nil where there is nothing to measure.
    package var byteCount: Int64?
    /// Of a folder that of its main XML; nil where the file could not be read to its end.
    package var sha256: Digest256?

    package init(name: String, byteCount: Int64?, sha256: Digest256?) {
        self.name = name
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

extension OfferedFile {
    /// The file from which an observation was read.
    package init(sourceOf observation: Observation) {
        // A bare XML file is its own container, and a folder has no bytes of its own.
        self.init(
            name: observation.sourceName, byteCount: observation.sourceByteCount,
            sha256: observation.sourceSHA256 ?? observation.xmlSHA256)
    }
}
