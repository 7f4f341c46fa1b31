internal import Foundation
internal import HealthModel
internal import SystemCalls

/// The exclusive lock of the one writer: `flock` on `<archive>.lock`, released when the process ends in whatever way.
package final class ArchiveLock {
    private var descriptor: Int32

    /// - Throws: `archiveInUse` where another process holds it.
    package init(archive path: String) throws {
        descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            throw HealthProbeError(
                isDiskFull(reason) ? .diskFull : .inputOutput,
                "The lock file of the archive cannot be made: \(systemMessage(reason)).",
                hint: "Writing needs a folder that can be written to.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            // Not by `close`: a class whose initialiser throws is deinitialised, and another thread may have the number by then.
            release()
            guard reason == EWOULDBLOCK else {
                throw HealthProbeError(
                    .inputOutput, "The archive cannot be locked: \(systemMessage(reason)).",
                    hint: "Check the disk, and whether its file system has locks.")
            }
            throw HealthProbeError(
                .archiveInUse, "The archive is in use by another writer.",
                hint: "Wait until the other import has finished and run the same command again.")
        }
    }

    deinit { release() }

    /// Whether a writer of any process holds the lock of an archive; the lock itself is not touched, so that no writer is
    /// kept out by the question.
    ///
    /// Linux hands out its list of locks page by page, and passes over one where another ends between two: so it is read
    /// twice before the answer is no.
    package static func isHeld(ofArchive path: String) -> Bool {
        guard let info = status(path + ".lock") else { return false }
        return isListed(info.st_ino) || isListed(info.st_ino)
    }

    /// Whether the system's list has an exclusive `flock` on a file.
    private static func isListed(_ inode: ino_t) -> Bool {
        let locks = FileManager.default.contents(atPath: "/proc/locks") ?? Data()
        // `1: FLOCK  ADVISORY  WRITE 123 08:01:4567 0 EOF`
        return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 5 && words[1] == "FLOCK" && words[3] == "WRITE"
                && words[5].split(separator: ":").last.flatMap { UInt64($0) } == UInt64(inode)
        }
    }

    /// Lets go of the lock before its owner goes.
    package func release() {
        guard descriptor >= 0 else { return }
        // A child that is just being started shares the descriptor until it runs its own program.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
        descriptor = -1
    }
}
