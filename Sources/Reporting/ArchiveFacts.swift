package import Archive

/// What `archive info` shows: the archive's own facts and those of the files around it.
package struct ArchiveFacts: Sendable {
    /// How the key file answers to the archive's stored key id.
    package enum KeyState: String, Sendable {
        case present, missing, wrong, unreadable
    }

    package var path: String
    package var info: ArchiveInfo
    /// The write-ahead log beside the archive.
    package var walByteCount: Int64
    package var keyState: KeyState

    package init(path: String, info: ArchiveInfo, walByteCount: Int64, keyState: KeyState) {
        self.path = path
        self.info = info
        self.walByteCount = walByteCount
        self.keyState = keyState
    }
}
