internal import Foundation
package import Store
internal import Synchronization

/// Brings the cache up to date while a server runs, on a thread of its own: after its start, and within two seconds of a
/// change of the archive.
package final class CacheKeeper: Sendable {
    private let file: CacheFile
    private let keys: KeySearch
    private let isStopped = Mutex(false)
    private let wakeUp = DispatchSemaphore(value: 0)

    /// How often the archive is looked at, in milliseconds.
    private static let interval = 2_000

    package init(_ file: CacheFile, _ keys: KeySearch) { (self.file, self.keys) = (file, keys) }

    /// Starts the thread.
    /// - Parameter connections: to the archive, shared with the pages.
    package func start(_ connections: ArchiveConnections) {
        let thread = Thread { [self] in
            run(ArchiveConnections.Connection(connections) { [self] in isStopped.withLock { $0 } })
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Ends the thread's work; the cache is as it was before what is being made.
    package func stop() {
        isStopped.withLock { $0 = true }
        wakeUp.signal()
    }

    private func run(_ connection: ArchiveConnections.Connection) {
        /// What the archive said when the cache was last brought up to date.
        var seen: (version: Int64, stamp: String)?
        while !isStopped.withLock({ $0 }) {
            // A writer has the disk for itself; what is missing is made when it has finished.
            if let archive = try? connection.reader(), let version = try? archive.dataVersion() {
                if version != seen?.version, !ArchiveLock.isHeld(ofArchive: archive.path) {
                    let stamp = try? archive.read { ArchiveStamp.Origin($0, keys)?.stamp } ?? ""
                    // Nothing that this program writes leaves the stamp as it was.
                    let isEdited = seen.map { $0.stamp == stamp } ?? false
                    let isDone = work(archive, isEdited: isEdited)
                    seen = isDone ? stamp.map { (version, $0) } : nil
                }
            } else {
                seen = nil
            }
            _ = wakeUp.wait(timeout: .now() + .milliseconds(Self.interval))
        }
    }

    /// Makes what is to be made; any error is "no cache": pages ask the archive.
    ///
    /// - Parameter isEdited: whether somebody edited the archive by hand, so that nothing of the cache may be kept.
    /// - Returns: false where it was ended.
    private func work(_ archive: ArchiveReader, isEdited: Bool) -> Bool {
        guard let builder = try? CacheBuilder(file, ofArchive: archive.path, keys) else { return true }
        defer { builder.close() }
        let isEnded: () -> Bool = { [self] in
            isStopped.withLock { $0 } || ArchiveLock.isHeld(ofArchive: archive.path)
        }
        do {
            _ = try isEdited ? builder.rebuild(isEnded: isEnded) : builder.update(isEnded: isEnded)
        } catch is CacheBuilder.Ended {
            return false
        } catch {}
        return true
    }
}
