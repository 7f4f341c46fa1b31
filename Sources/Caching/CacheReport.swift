package import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
package import Presentation
package import Store

/// What there is of a cache, and whether it is of the archive's present state.
package struct CacheReport: Sendable {
    package enum State: String, Sendable {
        /// It is of the archive's present state.
        case current
        /// It is of an earlier state.
        case behind
        case absent
        /// There is a file that cannot be used.
        case unusable
    }

    package var path: String
    package var state: State
    /// Why it cannot be used, or in what it is behind; nil where it is current or absent.
    package var reason: String?
    private var metadata: [String: String] = [:]
    private var byteCount: Int64 = 0
    private var contentDigest: Digest256?
    private var rows: [(entity: String, count: Int64)] = []
    /// Whether a file could be made where there is none.
    private var isPlaceWritable = true

    package init(path: String, state: State) {
        self.path = path
        self.state = state
    }

    /// Reads what there is.
    ///
    /// - Parameter archive: nil where it cannot be opened.
    package static func read(_ file: CacheFile, of archive: ArchiveReader?, _ keys: KeySearch) -> CacheReport {
        read(file, (try? archive?.read { ArchiveStamp.Origin($0, keys) }) ?? nil, hasContent: true)
    }

    /// - Parameters:
    ///   - origin: nil where the archive cannot be read.
    ///   - hasContent: whether rows are counted and hashed.
    static func read(_ file: CacheFile, _ origin: ArchiveStamp.Origin?, hasContent: Bool) -> CacheReport {
        var report = CacheReport(path: file.path, state: .absent)
        switch try? file.state() {
        case .absent:
            let folder = (file.path as NSString).deletingLastPathComponent
            report.isPlaceWritable = FileManager.default.isWritableFile(atPath: folder)
            return report
        case .foreign: report.reason = "The file is not a cache of this program."
        case .newer: report.reason = "A newer version of the program made it."
        case .older: report.reason = "An earlier version of the program made it; it will be made again."
        case nil: report.reason = "The file cannot be read."
        case .cache: break
        }
        report.state = .unusable
        report.byteCount = file.byteCount
        guard report.reason == nil else { return report }
        guard let origin else {
            report.reason = "The archive cannot be read."
            return report
        }
        guard let connection = CacheConnection(file) else {
            report.reason = "The file cannot be opened."
            return report
        }
        defer { connection.close() }
        var filled = report
        guard connection.read({ try filled.fill($0, origin, hasContent) }) != nil else {
            report.reason = "The file is damaged."
            return report
        }
        return filled
    }

    private mutating func fill(_ db: Database, _ origin: ArchiveStamp.Origin, _ hasContent: Bool) throws {
        metadata = try CacheLayout.metadata(db)
        // One that was killed before it said whose it is has no rows either.
        guard metadata.isEmpty || origin.isOfArchive(metadata) else {
            reason =
                metadata["archive_uuid"] == origin.identity.uuid
                ? "Another version of the program made it; it will be made again." : "It is of another archive."
            return
        }
        state = origin.matches(metadata) ? .current : .behind
        if state == .behind { reason = "It is of an earlier state of the archive." }
        guard hasContent else { return }
        contentDigest = try CacheLayout.contentDigest(db)
        rows = try CacheLayout.entities.map { entity in
            (entity, try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(entity)") ?? 0)
        }
    }

    // MARK: - Forms

    private var computedAt: Int64? { metadata["computed_at"].flatMap { Int64($0) } }

    /// The members of `cache info --json`, without `entities` for pages.
    package func json(hasEntities: Bool = true) -> JSON {
        let line = JSON.row([
            "path": path, "state": state.rawValue, "reason": reason, "archive": metadata["archive_uuid"],
            "archiveSchemaVersion": metadata["archive_schema_version"].flatMap { Int64($0) },
            "cacheSchemaVersion": Int(CacheLayout.version), "cacheBuildID": metadata["cache_build_id"],
            "computedAt": JSON.instant(computedAt), "byteCount": byteCount,
        ])
        guard hasEntities else { return line }
        return line.adding([
            "contentDigest": contentDigest?.hex,
            "entities": rows.map { JSON.row(["entity": $0.entity, "rows": $0.count]) },
        ])
    }

    /// The line of the commands of the cache.
    ///
    /// - Parameter more: members behind those of the report.
    package func line(_ more: JSON.Members = [:]) -> JSON {
        JSON.line("cache", [:]).adding(json().members).adding(more)
    }

    /// The state in words.
    package var sentence: String {
        switch state {
        case .current: "current"
        case .behind: "behind: pages ask the archive until it is brought up to date"
        case .absent:
            isPlaceWritable
                ? "absent: pages ask the archive" : "none, because its folder takes no writing: pages ask the archive"
        case .unusable: "not used: \(reason ?? "")"
        }
    }

    /// The cache for people.
    package func document(_ zone: DisplayZone) -> Document {
        var document = Document(title: path)
        document.facts([
            ("State", sentence), ("Archive", metadata["archive_uuid"]),
            ("Size", state == .absent ? nil : Bytes.text(byteCount)),
            ("Last made", computedAt.map { "\(zone.time($0)) \(zone.name)" }), ("Build", metadata["cache_build_id"]),
            ("Stamp", metadata["stamp"]), ("Content", contentDigest?.hex),
        ])
        guard !rows.isEmpty else { return document }
        var table = Table([.left("Entity"), .right("Rows")])
        for (entity, count) in rows { table.addRow([entity, Counts.grouped(count)]) }
        document.append(.table(table))
        return document
    }
}
