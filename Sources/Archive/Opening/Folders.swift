internal import Foundation

/// Folders of the program's own.
enum Folders {
    /// Makes a folder that only its owner can enter (0700), and those above it; what is there stays as it is.
    ///
    /// Not by `FileManager`, which never ends where even `/` cannot be looked at.
    /// - Returns: false where it could not be made; `errno` says why.
    @discardableResult
    static func makePrivate(_ folder: String) -> Bool {
        func make() -> Bool { access(folder, F_OK) == 0 || mkdir(folder, 0o700) == 0 || errno == EEXIST }
        if make() { return true }
        let parent = (folder as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != folder else { return false }
        return makePrivate(parent) && make()
    }

    /// Makes the names in a folder outlast a loss of power, as far as the file system can.
    static func sync(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
