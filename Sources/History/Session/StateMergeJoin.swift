internal import GRDB
internal import HealthModel
internal import Store

/// A merge join of the items of an export with the visible rows of the state before it.
///
/// An export lists most samples in nearly the order in which the last one did, and the archive's rows keep that order
/// within each import and type. So the row behind the one that matched last is nearly always the answer; ``VisibleRows``
/// finds others near it, or behind rows that are gone. What it does not find is compared by sorting when the file has been
/// read. An item of a row's sample in another version is that row's successor, and neither is sorted if no other row and no
/// other item is of that sample.
final class StateMergeJoin {
    private var types: [Int64: VisibleRows] = [:]
    /// The rows of spans that hold many types.
    private let mixed: VisibleRows?
    private var currentType: Int64 = -1
    private var current: VisibleRows?
    private(set) var seen = Bitmap()
    private let unmatched: UnmatchedRows

    /// - Parameters:
    ///   - spans: where the rows of each type are.
    ///   - visible: the SQL condition on `c` for the state that is compared with.
    ///   - unmatched: gets every visible row that no item matches, with its successor.
    init(_ db: Database, spans: [RowSpans.Span], visible: String, unmatched: RowBatch) {
        self.unmatched = UnmatchedRows(rows: unmatched)
        var byType: [Int64: [ClosedRange<Int64>]] = [:]
        for span in spans { byType[span.type, default: []].append(span.first...span.last) }
        for (type, ranges) in byType {
            let condition = type == 0 ? visible : "\(visible) AND c.sample_type_id = \(type)"
            types[type] = VisibleRows(db, ranges, condition, self.unmatched)
        }
        mixed = types.removeValue(forKey: 0)
    }

    /// The row with this identity and version, which then counts as seen; nil if it is not found before sorting.
    ///
    /// - Parameter number: the item's number, by which it may be the successor of a row; nil if it can be none.
    @inline(__always)
    func match(
        _ type: Int64, _ identity: Digest256, _ version: Digest256, number: Int64?
    ) throws -> Int64? {
        if type != currentType {
            try current?.leave()
            currentType = type
            current = types[type]
        }
        if let id = try current?.takeExpected(identity, version) { return see(id) }
        return try find(identity, version, number: number)
    }

    private func find(_ identity: Digest256, _ version: Digest256, number: Int64?) throws -> Int64? {
        let near = try current?.find(identity, version)
        if let near, near.isEqual, let current { return see(try current.take(near)) }
        let other = try mixed?.find(identity, version)
        if let other, other.isEqual, let mixed { return see(try mixed.take(other)) }
        if let number {
            if let near, let current, try current.setSuccessor(number, of: near) { return nil }
            if let other, let mixed, try mixed.setSuccessor(number, of: other) { return nil }
        }
        unmatched.contest(identity)
        return nil
    }

    @inline(__always)
    private func see(_ id: Int64) -> Int64 {
        seen.insert(id)
        return id
    }

    /// Whether other rows or items than a row and its successor may be of a sample; known behind the last item.
    func isContested(_ identity: Digest256) -> Bool { unmatched.isContested(identity) }

    /// Counts a row as seen that was found in another way.
    func markSeen(_ id: Int64) { seen.insert(id) }

    /// Removes a mark, for equal rows that change places.
    func unmark(_ id: Int64) { seen.remove(id) }

    /// Reports every visible row that was not found.
    func finish() throws {
        for rows in types.values { try rows.finish() }
        try mixed?.finish()
        try unmatched.rows.flush()
    }
}
