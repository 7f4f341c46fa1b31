internal import Basics
internal import Foundation
internal import HealthModel

/// The exclusive lock of the one writer, released when the process ends in whatever way.
///
/// Two locks make it. `flock` on `<archive>.lock` holds the name, also while the archive is being made or replaced. A
/// lock on one byte of the archive itself, far behind those that SQLite locks, holds the file: by whatever name another
/// process comes to it, and whether or not the lock file is still there.
package final class ArchiveLock {
    /// The archive's path, absolute and without symbolic links.
    package let path: String
    private let isBesideReader: Bool
    private var nameDescriptor: Int32 = -1
    private var fileDescriptor: Int32 = -1
    private static let lockedByte: Int64 = 1 << 40

    /// Locks an archive, or the name of one that is not there yet; removes what killed processes have left beside it.
    ///
    /// - Parameter isBesideReader: whether this process has a connection to the archive. The archive's descriptor then stays
    ///   open: closing it would drop the connection's own locks.
    /// - Throws: `archiveInUse` where another writer holds it, or where its names lead to no single file.
    package init(archive given: String, isBesideReader: Bool = false) throws {
        guard let path = ArchivePath.resolved(given) else {
            throw HealthProbeError(
                .archiveInUse, "The symbolic link \(given) leads to no archive and to no folder for one.",
                hint: "Remove the link, or name the archive's own path with --archive.")
        }
        self.path = path
        self.isBesideReader = isBesideReader
        nameDescriptor = try Self.lockName(path + ".lock")
        TemporaryFolder.removeRemains(ofArchive: path)
        try lockFile()
    }

    deinit { release() }

    private static func lockName(_ path: String) throws -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                let reason = errno
                throw HealthProbeError(
                    isDiskFull(reason) ? .diskFull : .inputOutput,
                    "The lock file of the archive cannot be made: \(systemMessage(reason)).",
                    hint: "Writing needs a folder that can be written to.")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                throw reason == EWOULDBLOCK ? inUse : noLocks(reason)
            }
            // Somebody may have removed the file before it was locked.
            if isSame(status(descriptor), status(path)) { return descriptor }
            close(descriptor)
        }
    }

    /// Locks the file that is now at the path: after the archive was made or replaced, too. Does nothing where none is.
    ///
    /// - Throws: `archiveInUse` where another writer has it locked by another name, where it has a second name, and
    ///   where it is moved meanwhile.
    package func lockFile() throws {
        guard let info = status(path), info.st_mode & S_IFMT == S_IFREG else { return }
        guard fileDescriptor < 0 || !Self.isSame(info, status(fileDescriptor)) else { return }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw HealthProbeError(
                .inputOutput, "The archive cannot be opened for writing: \(systemMessage(errno)).",
                hint: "Check the permissions of the archive and its folder.")
        }
        guard lock(descriptor, byte: Self.lockedByte, exclusively: true) else {
            let reason = errno
            if !isBesideReader { close(descriptor) }
            throw [EAGAIN, EACCES].contains(reason) ? Self.inUse : Self.noLocks(reason)
        }
        releaseFile()
        fileDescriptor = descriptor
        try requireOneName()
        try verify()
    }

    /// Refuses an archive with two names: SQLite keeps a log of its own beside each, and neither has all of the archive.
    private func requireOneName() throws {
        guard let info = status(fileDescriptor), info.st_nlink > 1 else { return }
        throw HealthProbeError(
            .archiveInUse,
            "The archive has \(info.st_nlink) names (hard links); writing by one of them would damage it.",
            hint: "Make an archive of its own of it with healthprobe archive backup, or remove the other names.")
    }

    /// Makes sure that the path still leads to the file that is locked; for the moment before a commit.
    ///
    /// - Throws: `archiveInUse` where it does not.
    package func verify() throws {
        guard Self.isSame(status(fileDescriptor), status(path)) else {
            throw HealthProbeError(
                .archiveInUse, "The archive was moved or replaced while it was written to; nothing of this was kept.",
                hint: "Run the same command again with the archive's present path.")
        }
    }

    /// Whether a writer of any process holds the lock of an archive; the lock itself is not touched, so that no writer is
    /// kept out by the question.
    ///
    /// Linux hands out its list of locks page by page, and passes over one where another ends between two: so it is read
    /// twice before the answer is no.
    package static func isHeld(ofArchive path: String) -> Bool {
        guard let info = status(path) else { return false }
        return isListed(info.st_ino) || isListed(info.st_ino)
    }

    /// Whether the system's list has a writer's lock on an archive.
    private static func isListed(_ inode: ino_t) -> Bool {
        let locks = FileManager.default.contents(atPath: "/proc/locks") ?? Data()
        // `1: OFDLCK ADVISORY  WRITE -1 08:01:4567 1099511627776 1099511627776`
        return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 6 && words[1] == "OFDLCK" && words[3] == "WRITE" && words[6] == "\(lockedByte)"
                && words[5].split(separator: ":").last.flatMap { UInt64($0) } == UInt64(inode)
        }
    }

    /// Lets go of the lock before its owner goes. Connections to the archive are closed before.
    package func release() {
        releaseFile()
        guard nameDescriptor >= 0 else { return }
        // A child that is just being started shares the descriptor until it runs its own program.
        _ = flock(nameDescriptor, LOCK_UN)
        close(nameDescriptor)
        nameDescriptor = -1
    }

    private func releaseFile() {
        guard fileDescriptor >= 0 else { return }
        unlock(fileDescriptor, byte: Self.lockedByte)
        if !isBesideReader { close(fileDescriptor) }
        fileDescriptor = -1
    }

    private static func isSame(_ one: stat?, _ other: stat?) -> Bool {
        guard let one, let other else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    private static let inUse = HealthProbeError(
        .archiveInUse, "The archive is in use by another writer.",
        hint: "Wait until the other import has finished and run the same command again.")

    private static func noLocks(_ reason: Int32) -> HealthProbeError {
        HealthProbeError(
            .inputOutput, "The archive cannot be locked: \(systemMessage(reason)).",
            hint: "Check the disk, and whether its file system has locks.")
    }
}
