internal import ArchiveAggregating
internal import ArchiveReading
internal import ArchiveRows
internal import Caching
internal import HealthModel
internal import Presentation
internal import Reporting

/// All types at all observations.
struct TypesPage: SitePage {
    let visit: Visit

    private var overview: TypeOverview {
        get throws {
            let observations = visit.chain.finished
            return TypeOverview(
                chain: visit.chain.name, observations,
                try observations.map { try ObservationReport.types(visit.db, $0.id) })
        }
    }

    func content() throws -> PageContent {
        PageContent("Types", visit.html(try overview.document(visit.zone, hasDrawing: !visit.isSimple)))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try overview.line) }
}

/// One type at all observations.
struct TypePage: SitePage {
    let visit: Visit
    private let type: String

    /// - Throws: `WebError.usage` without a type; `notFound` where the archive does not have it.
    init(_ visit: Visit) throws {
        self.visit = visit
        guard let types = visit.types, visit.address.list(.type).count == 1 else {
            throw WebError(.usage, "This page is about one type.", hint: "Choose it among the types.")
        }
        guard let type = try RecordPage.typeIdentifiers(visit.db).first(where: types.matches) else {
            throw WebError(.notFound, "The archive has no such type.", hint: "Choose it among the types.")
        }
        self.type = type
    }

    private var timeline: TypeTimeline {
        get throws {
            let (db, chain) = (visit.db, visit.chain)
            let runs = try chain.finished.map { try ObservationReport.types(db, $0.id, only: type).first }
            var timeline = TypeTimeline(type, chain, try Aggregates.zone(db, chain: chain.id), runs)
            if let months = visit.site.cache?.months(db, chain, type: type) {
                for month in months { timeline.add(month) }
            } else {
                try Aggregates.forEachMonth(db, chain, type: type, at: chain.finished) { timeline.add(month: $0, $1) }
            }
            return timeline
        }
    }

    func content() throws -> PageContent {
        var links: [(name: String, address: Address)] = []
        if let latest = visit.chain.finished.last {
            let id = "\(latest.id)"
            links = [
                ("Records", visit.links.address(.records).with(.at, id).with(.type, type)),
                ("Days", visit.links.address(.aggregates).with(.at, id).with(.type, type)),
                ("Months", visit.links.address(.aggregates).with(.at, id).with(.type, type).with(.by, "month")),
            ]
        }
        var document = Document([.paragraph(type, .remark)])
        document.append(try timeline.document(visit.zone, isSimple: visit.isSimple).blocks)
        return PageContent(shortIdentifier(type), [Steps.links(links)] + visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try timeline.line) }
}
