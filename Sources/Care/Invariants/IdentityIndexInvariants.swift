internal import Basics
internal import Foundation
internal import GRDB
internal import History
internal import Store

/// The runs of `identity_runs` hold each sample's row once. They may hold other rows of a sample too: in a first
/// import equal ones are found only after the runs have been written.
enum IdentityIndexInvariants {
    static let all = [InvariantCheck("B06-identityIndex", index)]

    private struct Entries {
        var count: Int64 = 0
        /// A sum of mixed entries: equal for equal multisets, without sorting anything.
        var sum: UInt64 = 0
        var ids = Bitmap()
        var repeated = Violations()

        mutating func add(_ entry: UInt64) {
            count += 1
            sum &+= Self.mixed(entry)
            let id = IdentityIndex.rowID(entry)
            if ids.contains(id) { repeated.add(id) }
            ids.insert(id)
        }

        private static func mixed(_ entry: UInt64) -> UInt64 {
            var x = entry &+ 0x9E37_79B9_7F4A_7C15
            x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
            x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
            return x ^ x >> 31
        }
    }

    private static func index(_ scope: CheckScope) throws -> String? {
        try scope.requireUsableIDs()
        var entries = Entries()
        if let detail = try readRuns(scope, &entries) { return detail }
        var samples = Entries()
        var missing = Violations()
        let rows = try PreparedStatement(
            scope.db,
            """
            SELECT f.id, substr(f.identity, 1, 4), nullif(f.sample_id, f.id)
            FROM full_record_versions f
            WHERE f.device_chain_id IN (\(try scope.chainList()))
            """)
        defer { rows.reset() }
        while try rows.step() {
            let id = rows.int(0)
            let isIndexed = entries.ids.contains(id)
            if !isIndexed, rows.isNull(2) { missing.add(id) }
            guard isIndexed else { continue }
            let prefix = rows.bytes(1).map { $0.count < 4 ? 0 : $0.word(at: 0).byteSwapped } ?? 0
            samples.add(IdentityIndex.entry(prefix, rowID: id))
        }
        if let detail = missing.detail("samples without an entry") ?? entries.repeated.detail("entries twice") {
            return detail
        }
        if entries.count != samples.count { return "\(entries.count - samples.count) entries of no sample" }
        return entries.sum == samples.sum ? nil : "entries do not begin with their samples' identities"
    }

    private static func readRuns(_ scope: CheckScope, _ entries: inout Entries) throws -> String? {
        let chunks = try Row.fetchCursor(
            scope.db,
            sql: """
                SELECT r.run, r.first_entry, r.entries, i.first_record_version_id, i.last_record_version_id
                FROM identity_runs r JOIN imports i ON i.id = r.import_id
                WHERE i.status IN ('partial', 'completed', 'withdrawn') ORDER BY r.run, r.first_entry
                """)
        let outside = try RowsOutsideImports.runs(scope.db)
        var run: Int64?
        var last: UInt64 = 0
        while let chunk = try chunks.next() {
            let number: Int64 = try chunk.get("run")
            if number != run {
                if number != (run ?? 0) + 1 { return "run \(number) does not follow the one before it" }
                last = 0
            }
            run = number
            let firstRow: Int64 = try chunk.get("first_record_version_id") ?? 0
            let own = try firstRow...max(firstRow, chunk.get("last_record_version_id") ?? 0)
            let first: Int64 = try chunk.get("first_entry")
            let bytes: Data = try chunk.get("entries")
            guard bytes.count % 8 == 0, !bytes.isEmpty else { return "run \(number) has a damaged row" }
            var isSorted = true
            var isOwn = true
            var lowest: UInt64?
            IdentityIndex.forEachEntry(in: bytes) { entry in
                if lowest == nil { lowest = entry }
                if entry < last { isSorted = false }
                last = entry
                let rowID = IdentityIndex.rowID(entry)
                if !own.contains(rowID), !outside.contains(rowID: rowID) { isOwn = false }
                entries.add(entry)
            }
            if !isSorted || first != lowest.map(IdentityIndex.key) { return "run \(number) is not in order" }
            if !isOwn { return "run \(number) has entries of another import than it names" }
        }
        return nil
    }
}
