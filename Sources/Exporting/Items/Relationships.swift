internal import Basics
internal import Questions

/// What the workouts, correlations and other compound items of an export refer to.
///
/// A target that is exported too is named by its identity; of one that is not, only a hash is said: its identity with
/// full provenance, a pseudonym of it with hashed, nothing with none.
final class Relationships {
    private let snapshot: Snapshot
    private let filter: ProvenanceFilter
    private let isExported: (Int64) throws -> Bool
    private let history: [Int64]
    private let any: Bool

    /// - Parameters:
    ///   - history: the ids of the chain's observations up to the export's last one.
    ///   - isExported: whether a sample, by the row that has its key, is part of the export.
    init(
        _ snapshot: Snapshot, _ filter: ProvenanceFilter, by history: [Int64],
        isExported: @escaping (Int64) throws -> Bool
    ) throws {
        self.snapshot = snapshot
        self.filter = filter
        self.history = history
        self.isExported = isExported
        any = try snapshot.hasRelationships()
    }

    /// The relationships that begin at a row and its sample; nil where there are none.
    func json(of row: Int64, sample: Int64) throws -> JSON? {
        guard any else { return nil }
        let items = try snapshot.relationships(of: row, sample: sample, by: history).compactMap { found -> JSON? in
            let relationship = JSON.row(["kind": found.kind, "target_type_identifier": found.type])
            if try isExported(found.target) { return relationship.adding(["target_identity_hash": found.identity]) }
            return filter.identifying(found.identity, domain: "identity").map {
                relationship.adding(["unresolved_endpoint_hash": $0])
            }
        }
        return items.isEmpty ? nil : .array(items)
    }
}
