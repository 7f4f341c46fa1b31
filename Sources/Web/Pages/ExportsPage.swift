internal import Basics
internal import Evidence
internal import Exporting
internal import Presentation
internal import Reporting

/// The exports that the archive has recorded, with what became of them.
struct ExportsPage: SitePage {
    let visit: Visit
    private let part: ListPart

    /// - Throws: `WebError.usage`; for programs, too, which get all exports as of the command.
    init(_ visit: Visit) throws {
        self.visit = visit
        part = try ListPart(visit, of: "exports", place: "the number of an export", hasAllInJSON: true)
    }

    private var entries: [(export: RecordedExport, status: String)] {
        get throws { try ExportReproduction.statuses(visit.db, visit.keyFile, rerun: false) }
    }

    func content() throws -> PageContent {
        let left = try entries.reversed().filter { part.after == 0 || $0.export.id < part.after }
        let shown = left.prefix(part.limit ?? visit.pageSize)
        var document = RecordedExport.document(Array(shown), visit.zone) { ExportPage.link(toAsk: $0) }
        document.paragraph(
            "Current: the same export would be written again. Superseded: the chain has changed since. Asked again, the same question "
                + "gives the same hash while the export is current. To see whether a file is what was recorded: healthprobe "
                + "verify-export FILE.", .remark)
        let new = Steps.links([
            ("Take out something else", visit.links.address(.export).with(.chain, visit.links.chain))
        ])
        let next = shown.count < left.count ? shown.last.map { "\($0.export.id)" } : nil
        return PageContent("Files made here", [new] + visit.html(document) + [Steps.pages(visit, next: next)])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        .json(.line("exports", ["exports": try entries.map { $0.export.json(status: $0.status) }]))
    }
}
