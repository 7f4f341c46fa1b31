internal import Foundation

/// Makes names in a folder outlast a loss of power, as far as the file system can.
enum FolderSync {
    static func sync(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
