internal import Questions
internal import Reporting
internal import Store

/// The sources of a chain.
struct SourcesPage: SitePage {
    let visit: Visit

    private var sources: SourceList {
        get throws { try SourceList.read(visit.db, visit.chain, types: visit.types) }
    }

    func content() throws -> PageContent {
        let latest = visit.chain.finished.last?.id
        let document = try sources.document(
            chain: visit.chain.name, visit.zone, latest: latest, rows: visit.isSimple ? 60 : 250)
        return PageContent("Sources", visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try sources.json) }
}
