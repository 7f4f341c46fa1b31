package import HealthModel

/// A file of the container that an observation came from.
package struct SourceMember: Sendable, Equatable {
    package enum Role: String, Sendable {
        case main
        case sideFile
        /// What the program does not read, such as the CDA file.
        case other
    }

    /// Its name in the container.
    package var path: String
    package var role: Role
    package var byteCount: Int64
    /// Of its bytes; nil where it could not be read to its end.
    package var sha256: Digest256?

    package init(path: String, role: Role, byteCount: Int64, sha256: Digest256?) {
        self.path = path
        self.role = role
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}
