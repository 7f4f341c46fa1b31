package import ArchiveFile
package import ArchiveRows
internal import HealthModel
package import Reporting

extension PageCache {
    /// The months of a type at all observations of a chain, in order.
    package func months(_ db: ArchiveDatabase, _ chain: Chain, type: String) -> [TypeTimeline.Month]? {
        var months: [ExactText: TypeTimeline.Month] = [:]
        let found: Void? = read(db) { store, state in
            for (place, observation) in chain.finished.enumerated() {
                let key = CacheKey(.months, chain: chain.id, observation: observation.id, type: type)
                // An observation without records of the type has no group.
                guard let id = state.typeIDs[key.type], state.types(at: observation.id).contains(id) else { continue }
                guard let rows = try self.rows(of: key, store, state) else { return nil }
                for cells in rows {
                    guard cells.count > 15, let label = cells[7].text, let count = cells[3].integer else { return nil }
                    let name = ExactText(label)
                    if months[name] == nil {
                        months[name] = .init(label: label, values: chain.finished.map { _ in [] })
                    }
                    months[name]?.values[place].append(
                        .init(unit: cells[9].text, count: count, sum: cells[4].real, isTotal: cells[15].integer == 1))
                }
            }
            return ()
        }
        return found == nil ? nil : months.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The sources and months of a type at an observation.
    package func facets(
        _ db: ArchiveDatabase, _ chain: Chain, at observation: Observation, type: String
    ) -> RecordFacets? {
        read(db) { store, state in
            let key = CacheKey(.months, chain: chain.id, observation: observation.id, type: type)
            guard let rows = try self.rows(of: key, store, state) else { return nil }
            var facets = RecordFacets()
            for cells in rows where cells.count > 15 && cells[15].integer == 0 {
                guard let start = cells[0].integer, let end = cells[1].integer, let count = cells[3].integer,
                    let label = cells[7].text
                else { return nil }
                facets.add(
                    .init(
                        type: type, label: label, start: start, end: end, source: cells[8].text,
                        unit: cells[9].text, count: count), at: observation.id)
            }
            return facets
        }
    }
}
