internal import Questions
internal import Reporting
internal import Store

/// One observation: where it came from, how complete it is, and its types.
struct ShowPage: SitePage {
    let visit: Visit
    let observation: Observation

    func content() throws -> PageContent {
        let report = try ObservationReport.read(visit.db, observation)
        let previous = visit.chain.previous(of: observation)
        let neighbours = visit.isSimple ? [] : [previous, visit.chain.next(of: observation)].compactMap(\.self)
        let document = report.showDocument(
            visit.zone, isSimple: visit.isSimple, previous: previous?.id,
            neighbours: try neighbours.map { neighbour in
                let runs = try ObservationReport.types(visit.db, neighbour.id)
                return (neighbour.id, Dictionary(runs.map { ($0.type, $0.visible) }) { first, _ in first })
            },
            explained: try visit.explained(at: [observation])[observation.id],
            months: try visit.months(of: observation), visit.units)
        let id = "\(observation.id)"
        var links: [(name: String, address: Address)] = []
        if let previous {
            let changes = visit.links.address(.diff).with(.from, "\(previous.id)").with(.to, id)
            links.append(("What changed since observation \(previous.id)", changes))
        }
        var pages: [(String, Page)] = [("Records", .records), ("Days and months", .aggregates), ("Export", .export)]
        if report.totals.quarantined > 0 { pages.append(("Quarantine", .quarantine)) }
        links += pages.map { ($0, visit.links.address($1).with(.at, id)) }
        return PageContent(
            "Observation \(observation.id)",
            [Steps.observations(visit, observation), Steps.links(links)] + visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(try ObservationReport.read(visit.db, observation).showLine) }
}
