package import GRDB
package import HealthModel
internal import History
package import Store

/// How the side files of one kind differ between two states, by their canonical hashes.
///
/// A file belongs to the route that names it, any other to its path. The state has what its export had; of a kind that
/// this export lacks, what the newest export before had of it.
package struct SideFileDiff: Sendable {
    package var kind: SideFileKind
    package var appeared = 0
    package var disappeared = 0
    /// The same route, or the same path, with other content.
    package var changed = 0

    /// Whether there is a difference.
    package var isEmpty: Bool { appeared + disappeared + changed == 0 }

    /// Compares the kinds of which one of two states has files, in their order.
    ///
    /// - Parameter types: only the kinds that these types have; nil for all.
    /// - Complexity: the side files of the two states, of routes the observations back to the newest that has each file.
    package static func read(
        _ db: Database, _ chain: Chain, from: Observation, to: Observation, types: TypeFilter?
    ) throws -> [SideFileDiff] {
        let (before, after) = try (State(db, chain, at: from), State(db, chain, at: to))
        let names = try types == nil ? [] : SampleTypeNames.sorted(db).map(\.identifier)
        return SideFileKind.allCases.compactMap { kind in
            if let types, !names.contains(where: { kind.isNeeded(by: $0) && types.matches($0) }) { return nil }
            let (old, new) = (before.files[kind] ?? [], after.files[kind] ?? [])
            return old.isEmpty && new.isEmpty ? nil : SideFileDiff(kind, old, new)
        }
    }

    /// What a file belongs to.
    private enum Place: Hashable {
        case route(sample: Int64)
        case path(String)
    }

    private struct File: Hashable {
        var place: Place
        var id: Int64
    }

    private init(_ kind: SideFileKind, _ before: [File], _ after: [File]) {
        self.kind = kind
        var old = before
        var new = after
        Self.cancel(&old, &new, by: \.self)
        Self.cancel(&old, &new, by: \.id)
        changed = old.count
        Self.cancel(&old, &new, by: \.place)
        changed -= old.count
        (disappeared, appeared) = (old.count, new.count)
    }

    /// Removes from both sides, one by one, what has the same key.
    private static func cancel<Key: Hashable>(_ old: inout [File], _ new: inout [File], by key: (File) -> Key) {
        var counts: [Key: Int] = [:]
        for file in new { counts[key(file), default: 0] += 1 }
        var found: [Key: Int] = [:]
        old.removeAll { file in
            guard let count = counts[key(file)], count > 0 else { return false }
            counts[key(file)] = count - 1
            found[key(file), default: 0] += 1
            return true
        }
        new.removeAll { file in
            guard let count = found[key(file)], count > 0 else { return false }
            found[key(file)] = count - 1
            return true
        }
    }

    /// The side files of a state.
    private struct State {
        var files: [SideFileKind: [File]] = [:]

        init(_ db: Database, _ chain: Chain, at observation: Observation) throws {
            let history = chain.finished.filter { $0.order <= observation.order }
            let set = RecordSet.visible(chain, at: observation)
            let routes = try RouteLinks(db, set, history: history.map(\.id)).links.values.compactMap { link in
                link.file.map { File(place: .route(sample: link.sample), id: $0) }
            }
            files[.workoutRoute] = routes
            let named = Set(routes.map(\.id))
            var open = Set(SideFileKind.allCases)
            for observation in history.reversed() where !open.isEmpty {
                var lacked = try ObservationAccount(db, observation).missingFolders
                let own = try StoredSideFiles.files(db, of: observation.id)
                if !own.contains(where: { $0.kind == .attachment }) { lacked.insert(.attachment) }
                let shown = open.subtracting(lacked)
                for file in own {
                    guard let kind = file.kind, shown.contains(kind), !named.contains(file.id) else { continue }
                    files[kind, default: []].append(File(place: .path(file.path), id: file.id))
                }
                open.subtract(shown)
            }
        }
    }
}
