internal import Archive
internal import GRDB

/// What many copies share, looked up once.
final class DescriptorCache {
    struct Parts {
        var unit: Int64 = 0
        var source: Int64 = 0
        var device: Int64 = 0
        /// A number for the source version, equal for equal texts; 0 for none.
        var version: Int64 = 0
    }

    private let db: Database
    private var known: [Int64: Parts] = [:]
    private var versions: [[UInt8]: Int64] = [:]

    init(_ db: Database) { self.db = db }

    func parts(_ id: Int64) throws -> Parts {
        if let parts = known[id] { return parts }
        let row = try DescriptorRow.read(db, id: id)
        let parts = Parts(
            unit: row.unit, source: row.source, device: row.device, version: number(row.sourceVersion))
        if known.count >= StoredDescriptor.mostKept { known.removeAll() }
        known[id] = parts
        return parts
    }

    private func number(_ version: String?) -> Int64 {
        guard let version else { return 0 }
        let bytes = Array(version.utf8)
        if let number = versions[bytes] { return number }
        let number = Int64(versions.count + 1)
        versions[bytes] = number
        return number
    }
}
