package import ArchiveFile
internal import Foundation
internal import Synchronization

/// Brings the cache up to date while a server runs, on a thread of its own: after its start, within two seconds of a change of
/// the archive, and when pages asked for what is missing.
package final class CacheKeeper: Sendable {
    private let file: CacheFile
    private let keys: KeySearch
    private let orders = Mutex<Orders>(Orders())
    private let wakeUp = DispatchSemaphore(value: 0)

    private struct Orders {
        var wanted: Set<CacheKey> = []
        var made: [CacheKey: CacheGroup] = [:]
        var wrong: Set<CacheKey> = []
        var used: Set<Int64> = []
        var isStopped = false

        var isEmpty: Bool { wanted.isEmpty && made.isEmpty && wrong.isEmpty && used.isEmpty }
    }

    /// How often the archive is looked at, in milliseconds.
    private static let interval = 2_000
    private static let mostMade = 64
    /// How often it is written which groups were used, in seconds.
    private static let touchInterval = 60.0

    package init(_ file: CacheFile, _ keys: KeySearch) { (self.file, self.keys) = (file, keys) }

    /// Asks for groups.
    func want(_ keys: Set<CacheKey>) {
        let isNew = orders.withLock { orders in
            defer { orders.wanted.formUnion(keys) }
            return !keys.isSubset(of: orders.wanted)
        }
        if isNew { wakeUp.signal() }
    }

    /// Has a group kept that a page made; not while many others wait for the end of an import.
    func keep(_ group: CacheGroup) {
        orders.withLock { if $0.made.count < Self.mostMade { $0.made[group.key] = group } }
        wakeUp.signal()
    }

    /// Says that a group's rows are not those that were written.
    func report(_ key: CacheKey) {
        orders.withLock { _ = $0.wrong.insert(key) }
        wakeUp.signal()
    }

    /// Says that a group was used.
    func used(_ id: Int64) { orders.withLock { _ = $0.used.insert(id) } }

    /// Starts the thread.
    /// - Parameter connections: to the archive, shared with the pages.
    package func start(_ connections: ArchiveConnections) {
        let thread = Thread { [self] in
            let isStopped: @Sendable () -> Bool = { [self] in orders.withLock { $0.isStopped } }
            run(ArchiveConnections.Connection(connections, isCancelled: isStopped))
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Ends the thread's work; what is made stays.
    package func stop() {
        orders.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    private func run(_ connection: ArchiveConnections.Connection) {
        /// What the archive said when the cache was last brought up to date.
        var seen: Int64?
        var touched = Date()
        while !orders.withLock({ $0.isStopped }) {
            if let archive = try? connection.reader(), let version = try? archive.dataVersion() {
                let isTouching = -touched.timeIntervalSinceNow > Self.touchInterval
                // A writer has the disk for itself; what is missing is made when it has finished.
                if !ArchiveLock.isHeld(ofArchive: archive.path) {
                    let orders = takeOrders(isTouching)
                    if isTouching { touched = Date() }
                    if version != seen || !orders.isEmpty {
                        seen = work(archive, version == seen, orders) ? version : nil
                    }
                }
            } else {
                seen = nil
            }
            _ = wakeUp.wait(timeout: .now() + .milliseconds(Self.interval))
        }
    }

    private func takeOrders(_ isTouching: Bool) -> Orders {
        orders.withLock { orders in
            var taken = orders
            if !isTouching { taken.used = [] }
            (orders.wanted, orders.made, orders.wrong) = ([], [:], [])
            if isTouching { orders.used = [] }
            return taken
        }
    }

    /// Does what is to be done; any error is "no cache": pages ask the archive.
    ///
    /// - Returns: false where a writer has the archive, and not all was done.
    private func work(_ archive: ArchiveReader, _ isCurrent: Bool, _ taken: Orders) -> Bool {
        guard let builder = try? CacheBuilder(file, of: archive, keys) else { return true }
        defer { builder.close() }
        if !taken.wrong.isEmpty { try? builder.report(taken.wrong) }
        if !taken.used.isEmpty { try? builder.touch(taken.used) }
        var isWriting = false
        if !isCurrent || !taken.wrong.isEmpty {
            _ = try? builder.update(isEnded: { [self] in
                isWriting = isWriting || ArchiveLock.isHeld(ofArchive: archive.path)
                return isWriting || orders.withLock { $0.isStopped }
            })
        }
        if !isWriting, !taken.wanted.isEmpty { try? builder.add(taken.wanted) }
        for group in taken.made.values { try? builder.keep(group) }
        return !isWriting
    }
}
