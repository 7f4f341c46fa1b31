internal import ArchiveReading
internal import ArchiveRows
internal import GRDB

/// The queries behind the numbers of a report, each beside the numbers that it yields.
struct ReportQueries {
    let chain: Chain
    let diff: DiffSummary
    let analysis: StoredAnalysis

    /// Those of the first screen.
    ///
    /// - Parameter types: the types that the report is of; nil for all.
    func page(types: [String]?) -> [NumberedQuery] {
        var queries = [ArchiveSQL.timeline(chain: chain.name)]
        // A choice that names no type of the archive has no numbers, and an empty list would name them all.
        guard types?.isEmpty != true else { return queries }
        let types = types ?? []
        queries += ArchiveSQL.comparison(chain, diff, types: types)
        if diff.types.contains(where: { $0.disappeared > 0 }) {
            queries.append(ArchiveSQL.explained(analysis, types: types))
        }
        return queries
    }

    /// Those of a type's section.
    func section(_ db: Database, _ type: DiffSummary.TypeDiff, groups: Int64) throws -> [NumberedQuery] {
        let name = type.type
        var queries = ArchiveSQL.comparison(chain, diff, types: [name])
        queries.append(ArchiveSQL.counts(chain: chain.name, type: name))
        if type.disappeared > 0 { queries.append(ArchiveSQL.explained(analysis, types: [name])) }
        if groups > 0 { queries += ArchiveSQL.evidence(analysis, type: name) }
        if let days = try ArchiveSQL.days(db, chain, type: name, from: diff.from, to: diff.to) { queries.append(days) }
        return queries
    }
}
