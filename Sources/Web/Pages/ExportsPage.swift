internal import ArchiveFile
internal import ArchiveSealing
internal import Exporting
internal import Presentation
internal import Reporting
internal import TextFormats

/// The exports that the archive has recorded, with what became of them.
struct ExportsPage: SitePage {
    let visit: Visit

    private var entries: [(export: RecordedExport, status: String)] {
        get throws { try ExportReproduction.statuses(visit.db, visit.keyFile, rerun: false) }
    }

    func content() throws -> PageContent {
        var document = RecordedExport.document(try entries.reversed(), visit.zone) { ExportPage.link(toAsk: $0) }
        document.paragraph(
            "Current: the same export would be written again. Superseded: the chain has changed since. Asked again, the same question "
                + "gives the same hash while the export is current. To see whether a file is what was recorded: healthprobe "
                + "verify-export FILE.", .remark)
        let new = Steps.links([("Make a new export", visit.links.address(.export).with(.chain, visit.links.chain))])
        return PageContent("Exports", [new] + visit.html(document))
    }

    func twin(_ form: Page.Form) throws -> Answer {
        .json(.line("exports", ["exports": try entries.map { $0.export.json(status: $0.status) }]))
    }
}
