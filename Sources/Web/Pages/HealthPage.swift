internal import Basics
internal import Caching
internal import Evidence
internal import Foundation
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// Whether the archive is sound.
struct HealthPage: SitePage {
    let visit: Visit

    private var health: ArchiveHealth {
        get throws {
            let db = visit.db
            let cache = visit.site.cache?.report(db)
            let info = try ArchiveInfo.read(db, counts: visit.site.cache?.rowCounts(db))
            let path = visit.reader.path
            return ArchiveHealth(
                info, log: try RunLog.read(db),
                try RememberedHead.compare(db, path: path, environment: visit.site.environment), path: path,
                walByteCount: Int64(status(path + "-wal")?.st_size ?? 0),
                freeByteCount: Folders.freeByteCount(Folders.containing(path)),
                key: KeyFile(info.identity, visit.site.keys).state,
                isReadOnly: visit.site.isReadOnly, isWritable: visit.site.isArchiveWritable,
                isImportRunning: try StatePage(db, path: path).importSince != nil,
                cache: cache.map { ($0.json(hasEntities: false), $0.sentence) })
        }
    }

    func content() throws -> PageContent {
        let document = try health.document(visit.zone)
        let log = (name: "Log of what was done with the archive", address: visit.links.address(.log))
        let jobs = (name: "What pages have started", address: visit.links.address(.jobs))
        let start =
            visit.site.jobs == nil || visit.site.isReadOnly
            ? [] : [checkForm] + (visit.site.cache == nil || !visit.site.isArchiveWritable ? [] : [rebuildForm])
        return PageContent("State of the archive", visit.html(document) + start + [Steps.links([log, jobs])])
    }

    /// Starts a check.
    private var checkForm: HTML {
        .element(
            "form", ["method": "post", "action": "/jobs"],
            Form.hidden("kind", Job.Kind.check.rawValue),
            .element(
                "label", ["class": "check"], .void("input", ["type": "checkbox", "name": "deep", "value": "1"]),
                "Compute every identity again: takes about as long as an import"),
            .element("button", [:], "Check the archive"))
    }

    private var rebuildForm: HTML {
        .element(
            "form", ["method": "post", "action": "/jobs"],
            Form.hidden("kind", Job.Kind.rebuildCache.rawValue),
            .element(
                "span", [:], "Pages answer from the cache where it is right, and from the archive where it is not."),
            .element("button", ["class": "quiet"], "Rebuild the cache of pages"))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try health.line) }
}
