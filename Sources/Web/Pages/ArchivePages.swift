internal import ArchiveReading
internal import ArchiveRows
internal import ArchiveSealing
internal import HealthModel
internal import Presentation
internal import Reporting
internal import TextFormats

/// What was done with the archive, newest first.
struct LogPage: SitePage {
    let visit: Visit
    private let limit: Int?
    /// Only rows with a higher id.
    private let after: Int64

    init(_ visit: Visit) throws {
        self.visit = visit
        limit = try visit.limit(1...1000)
        guard let after = Int64(visit.address[.after] ?? "0"), after >= 0 else {
            throw WebError(.usage, "after takes the number of a row.")
        }
        self.after = after
    }

    /// The rows of the page, and the number after which the next one begins.
    private func read() throws -> (rows: [RunLog.Entry], next: Int64?) {
        let limit = limit ?? 100
        var rows: [RunLog.Entry] = []
        var hasMore = false
        try RunLog.forEach(visit.db, after: after) { entry in
            if rows.count < limit { rows.append(entry) } else { hasMore = true }
        }
        return (rows, hasMore ? rows.last?.id : nil)
    }

    func content() throws -> PageContent {
        let (rows, next) = try read()
        let document = try RunLog.document(visit.zone) { body in for row in rows { try body(row) } }
        return PageContent(
            "Log of the archive", visit.html(document) + [Steps.pages(visit, next: next.map(String.init))])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        guard form == .json else {
            let lines = try allLines()
            return .stream(form, named: "log") { try $0(lines) }
        }
        let (rows, next) = try read()
        return .json(
            .line(
                "log",
                [
                    "rows": rows, "next": next,
                    "nextURL": next.map { visit.address.with(.after, "\($0)").text },
                ]))
    }

    /// The lines of `archive log --json`.
    private func allLines() throws -> [UInt8] {
        if limit != nil || after > 0 {
            throw WebError(.usage, "JSON lines have all rows; limit and after go with JSON.")
        }
        var lines: [UInt8] = []
        try RunLog.forEach(visit.db) { lines += Array(($0.json.line + "\n").utf8) }
        return lines
    }
}

/// What an export had that could not be read as samples.
struct QuarantinePage: SitePage {
    let visit: Visit
    private let observation: Observation
    private let limit: Int
    private let after: Int64

    init(_ visit: Visit) throws {
        self.visit = visit
        observation = try visit.observation
        limit = try visit.limit(1...1000) ?? 100
        guard let after = Int64(visit.address[.after] ?? "0"), after >= 0 else {
            throw WebError(.usage, "after takes the number of an item.")
        }
        self.after = after
    }

    private func read() throws -> (items: [QuarantineRow], next: Int64?) {
        let items = try QuarantineRow.read(visit.db, observation, after: after, limit: limit + 1)
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
        return .json(
            .line(
                "quarantine",
                [
                    "observation": observation.id, "items": items, "next": next,
                    "nextURL": next.map { visit.address.with(.after, "\($0)").text },
                ]))
    }
}
