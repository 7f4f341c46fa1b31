internal import Basics
package import GRDB
package import HealthModel
package import Store

/// The sources of a chain, with what the chain ever held of each.
package struct SourceList: Sendable {
    /// One source, by the exact name that the exports print.
    package struct Source: Sendable {
        package var name: String
        /// In byte order.
        package var versions: [String] = []
        /// The devices' fields as canonical JSON, in byte order.
        package var devices: [String] = []
        /// Samples by type, in byte order of the identifiers. A sample counts once for a source, in its last representation
        /// there; under a source's former name it counts there too.
        package var types: [(type: String, count: Int64)] = []
        /// Unix seconds; nil where no sample has a start.
        package var firstStart: Int64?
        package var lastEnd: Int64?

        /// Samples of all types.
        package var count: Int64 { types.reduce(0) { $0 + $1.count } }
    }

    /// In byte order of the names.
    package var sources: [Source] = []

    /// Reads the sources that have samples of the types; nil for all types.
    ///
    /// - Complexity: one pass over the chain's rows.
    package static func read(_ db: Database, _ chain: Chain, types: TypeFilter?) throws -> SourceList {
        var list = SourceList()
        guard !chain.finished.isEmpty else { return list }
        let rows = try Row.fetchCursor(db, sql: sql(chain), arguments: ["chain": chain.id])
        var last: Int64?
        while let row = try rows.next() {
            let type: String = try row.get("type_identifier")
            guard types?.matches(type) ?? true else { continue }
            let id: Int64 = try row.get("source_id")
            if id != last { list.sources.append(Source(name: try row.get("name"))) }
            last = id
            let index = list.sources.count - 1
            try list.sources[index].add(
                type, count: row.get("count"), version: row.get("source_version"), device: row.get("fields"),
                start: row.get("first_start"), end: row.get("last_end"))
        }
        return list
    }

    /// By source, type and descriptor: the rows that any finished observation shows, but for those that another row of
    /// the same source continues. Of several rows of one sample and source (`repeated`) the first is counted.
    private static func sql(_ chain: Chain) -> String {
        let start = VersionColumns.key("start_seconds", "c")
        let isHeld = """
            c.device_chain_id = :chain AND \(Visibility.everSQL("c", through: chain.finished.map(\.id)))
                AND c.id NOT IN (SELECT id FROM continued)
            """
        return """
            WITH links (id, previous_id) AS (
                SELECT id, \(StoredLink.previous()) FROM record_versions WHERE match_rule IS NOT NULL
                UNION ALL
                SELECT record_version_id, previous_id FROM past_ranges WHERE match_rule IS NOT NULL),
            continued (id) AS (
                SELECT p.id FROM links l CROSS JOIN record_versions p ON p.id = l.previous_id
                CROSS JOIN record_versions n ON n.id = l.id
                CROSS JOIN descriptors a ON a.id = p.descriptor_id CROSS JOIN descriptors b ON b.id = n.descriptor_id
                WHERE p.superseded = 1 AND a.source_id = b.source_id),
            repeated (id) AS (
                SELECT id FROM (
                    SELECT c.id, row_number() OVER (
                        PARTITION BY d.source_id, ifnull(c.sample_id, c.id) ORDER BY c.id) AS number
                    FROM (SELECT id FROM record_versions WHERE sample_id IS NOT NULL
                        UNION SELECT sample_id FROM record_versions WHERE sample_id IS NOT NULL) x
                    CROSS JOIN record_versions c ON c.id = x.id JOIN descriptors d ON d.id = c.descriptor_id
                    WHERE \(isHeld))
                WHERE number > 1),
            held AS (
                SELECT c.descriptor_id, \(VersionColumns.key("sample_type_id", "c")) AS sample_type_id,
                    count(*) FILTER (WHERE c.id NOT IN (SELECT id FROM repeated)) AS count,
                    min(\(start)) AS first_start,
                    max(\(start) + ifnull(\(VersionColumns.key("duration", "c")), 0)) AS last_end
                FROM record_versions c LEFT JOIN record_versions k ON k.id = c.sample_id
                WHERE \(isHeld)
                GROUP BY 1, 2)
            SELECT d.source_id, s.name, t.type_identifier, h.count, d.source_version, v.fields, h.first_start, h.last_end
            FROM held h JOIN descriptors d ON d.id = h.descriptor_id JOIN sources s ON s.id = d.source_id
            JOIN sample_types t ON t.id = h.sample_type_id LEFT JOIN devices v ON v.id = d.device_id
            ORDER BY s.name, t.type_identifier
            """
    }
}

extension SourceList.Source {
    /// Adds the samples of one type, version and device; those of one type come one after the other.
    fileprivate mutating func add(
        _ type: String, count: Int64, version: String?, device: String?, start: Int64?, end: Int64?
    ) throws {
        if let last = types.last, last.type.utf8.elementsEqual(type.utf8) {
            types[types.count - 1].count += count
        } else {
            types.append((type, count))
        }
        if let version { Self.insert(version, into: &versions) }
        if let device { Self.insert(device, into: &devices) }
        firstStart = [firstStart, start].compactMap(\.self).min()
        lastEnd = [lastEnd, end].compactMap(\.self).max()
    }

    /// Inserts a text that differs from all others, byte by byte.
    private static func insert(_ text: String, into texts: inout [String]) {
        let place = texts.partitionPoint { $0.utf8.lexicographicallyPrecedes(text.utf8) }
        if place < texts.endIndex, texts[place].utf8.elementsEqual(text.utf8) { return }
        texts.insert(text, at: place)
    }
}
