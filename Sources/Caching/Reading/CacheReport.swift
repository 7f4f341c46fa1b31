package import ArchiveFile
internal import Foundation
internal import GRDB
internal import HealthModel
package import Presentation
package import TextFormats

/// What there is of a cache, and whether it is of the archive's present state.
package struct CacheReport: Sendable {
    package enum State: String, Sendable {
        /// All groups that a whole cache has are there, and made of what the archive has now.
        case current
        /// Some are missing, or of an earlier state.
        case behind
        case absent
        /// There is a file that cannot be used.
        case unusable
    }

    /// The groups of one entity.
    package struct EntityCount: Sendable {
        var entity: CacheEntity
        var groups = 0
        var rows: Int64 = 0
        var byteCount: Int64 = 0
        /// Whether a whole cache has them; the others are made when pages ask for them.
        var isEager: Bool
    }

    package var path: String
    package var state: State
    /// Why it cannot be used, or in what it is behind; nil where it is current or absent.
    package var reason: String?
    /// UUID of the archive that it is of.
    var archive: String?
    var archiveSchemaVersion: Int64?
    var buildID: String?
    var computedAt: Int64?
    var byteCount: Int64 = 0
    var contentDigest: Digest256?
    var disagreements = 0
    /// Of the archive's state that the cache was made for.
    var stamp: String?
    /// Whether a file could be made where there is none.
    private var isPlaceWritable = true
    var entities: [EntityCount] = []

    package init(path: String, state: State) {
        self.path = path
        self.state = state
    }

    /// Reads what there is.
    ///
    /// - Parameter archive: nil where it cannot be opened.
    package static func read(_ file: CacheFile, of archive: ArchiveReader?, _ keys: KeySearch) -> CacheReport {
        read(file, try? archive?.read { try ArchiveState($0, keys) })
    }

    /// - Parameter state: nil where the archive cannot be read.
    static func read(_ file: CacheFile, _ state: ArchiveState?) -> CacheReport {
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
        guard let state else {
            report.reason = "The archive cannot be read."
            return report
        }
        guard let connection = CacheConnection(file) else {
            report.reason = "The file cannot be opened."
            return report
        }
        defer { connection.close() }
        var filled = report
        guard connection.read({ try filled.fill($0, state) }) != nil else {
            report.reason = "The file is damaged."
            return report
        }
        return filled
    }

    private mutating func fill(_ store: CacheStore, _ state: ArchiveState) throws {
        let values = try store.allMetadata()
        archive = values["archive_uuid"]
        archiveSchemaVersion = values["archive_schema_version"].flatMap { Int64($0) }
        buildID = values["cache_build_id"]
        stamp = values["stamp"].flatMap { $0.isEmpty ? nil : $0 }
        disagreements = values["disagreements"].flatMap { Int($0) } ?? 0
        // One that was killed before it said whose it is has no rows either.
        guard try values.isEmpty || CacheOrigin.isOf(state.identity, store) else {
            reason =
                archive == state.identity.uuid
                ? "Another version of the program made it; it will be made again." : "It is of another archive."
            return
        }
        let eager = Dictionary(state.eager.map { ($0.key, $0.source) }) { first, _ in first }
        let entries = try store.entries()
        computedAt = entries.map(\.computedAt).max()
        let whole = entries.filter { eager[$0.key] != nil }
        contentDigest = whole.contentDigest
        for entity in CacheEntity.allCases {
            for isEager in [true, false] {
                let own = entries.filter { $0.key.entity == entity && (eager[$0.key] != nil) == isEager }
                guard isEager ? !entity.isMadeOnDemand : !own.isEmpty || entity == .members else { continue }
                entities.append(
                    EntityCount(
                        entity: entity, groups: own.count, rows: own.reduce(0) { $0 + $1.rowCount },
                        byteCount: own.reduce(0) { $0 + $1.byteCount }, isEager: isEager))
            }
        }
        let right = whole.count { eager[$0.key] == $0.source }
        self.state = right == eager.count ? .current : .behind
        if right < eager.count {
            reason =
                "\(eager.count - right) of \(eager.count) groups are missing or of an earlier state of the archive."
        }
    }

    // MARK: - Forms

    /// The members of `cache info --json`, without `entities` for pages.
    package func json(hasEntities: Bool = true) -> JSON {
        let line = JSON.row([
            "path": path, "state": state.rawValue, "reason": reason, "archive": archive,
            "archiveSchemaVersion": archiveSchemaVersion, "cacheSchemaVersion": Int(CacheVersion.schema),
            "cacheBuildID": buildID, "computedAt": JSON.instant(computedAt), "byteCount": byteCount,
            "contentDigest": contentDigest?.hex, "disagreements": disagreements,
        ])
        guard hasEntities else { return line }
        return line.adding([
            "entities": entities.map {
                JSON.row([
                    "entity": $0.entity.rawValue, "groups": $0.groups, "rows": $0.rows, "byteCount": $0.byteCount,
                    "eager": $0.isEager,
                ])
            }
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
        case .behind: "behind: pages make the rest when they are asked for"
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
            ("State", sentence), ("Archive", archive), ("Size", state == .absent ? nil : Bytes.text(byteCount)),
            ("Last made", computedAt.map { "\(zone.time($0)) \(zone.name)" }), ("Build", buildID),
            ("Stamp", stamp), ("Content", contentDigest?.hex),
            ("Disagreements", disagreements > 0 ? "\(disagreements)" : nil),
        ])
        guard !entities.isEmpty else { return document }
        var table = Table([.left("Entity"), .left("Made"), .right("Groups"), .right("Rows"), .right("Size")])
        for entity in entities {
            table.addRow([
                entity.entity.rawValue, entity.isEager ? "always" : "when asked for",
                Counts.grouped(Int64(entity.groups)), Counts.grouped(entity.rows), Bytes.text(entity.byteCount),
            ])
        }
        document.append(.table(table))
        return document
    }
}
