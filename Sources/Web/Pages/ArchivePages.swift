internal import Basics
internal import Evidence
internal import Questions
internal import Reporting
internal import Store

/// What was done with the archive, the oldest first.
struct LogPage: SitePage {
    let visit: Visit
    private let part: ListPart

    init(_ visit: Visit) throws {
        self.visit = visit
        part = try ListPart(visit, of: "rows", place: "the number of a row")
    }

    /// The rows of the page, and the number after which the next one begins.
    private func read() throws -> (rows: [RunLog.Entry], next: Int64?) {
        let all = try RunLog.read(visit.db, after: Int64(part.after))
        let rows = Array(all.prefix(part.limit ?? visit.listSize))
        return (rows, rows.count < all.count ? rows.last?.id : nil)
    }

    func content() throws -> PageContent {
        let (rows, next) = try read()
        return PageContent(
            "Log of the archive",
            visit.html(RunLog.document(rows, visit.zone)) + [Steps.pages(visit, next: next.map(String.init))])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        guard form == .json else {
            let lines = try RunLog.read(visit.db).flatMap { Array(($0.json.line + "\n").utf8) }
            return .stream(form, named: "log") { try $0(lines) }
        }
        let (rows, next) = try read()
        return visit.listAnswer("log", ["rows": rows], next: next)
    }
}

/// What an export had that could not be read as samples.
struct QuarantinePage: SitePage {
    let visit: Visit
    private let observation: Observation
    private let part: ListPart

    init(_ visit: Visit) throws {
        self.visit = visit
        observation = try visit.observation
        part = try ListPart(visit, of: "items", place: "the number of an item")
    }

    private func read() throws -> (items: [QuarantineRow], next: Int64?) {
        let limit = part.limit ?? visit.listSize
        let items = try QuarantineRow.read(visit.db, observation, after: Int64(part.after), limit: limit + 1)
        return items.count > limit ? (Array(items.dropLast()), items[limit - 1].id) : (items, nil)
    }

    func content() throws -> PageContent {
        let (items, next) = try read()
        return PageContent(
            "Quarantine of observation \(observation.id)",
            [Steps.observations(visit, observation)] + visit.html(QuarantineRow.document(items))
                + [Steps.pages(visit, next: next.map(String.init))])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let (items, next) = try read()
        return visit.listAnswer("quarantine", ["observation": observation.id, "items": items], next: next)
    }
}
