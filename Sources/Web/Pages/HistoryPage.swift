internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// One sample: its representations and what happened to them.
struct HistoryPage: SitePage {
    let visit: Visit
    /// The identities that start with the digits asked for.
    private let identities: [Digest256]

    /// - Throws: `WebError`: `usage` for what are no digits, `unknownIdentity` where no sample's identity starts with them.
    init(_ visit: Visit) throws {
        self.visit = visit
        guard let prefix = visit.address[.identity],
            let found = try History.identities(visit.db, chain: visit.chain, prefix: prefix)
        else { throw WebError(.usage, "identity takes 4 to 64 hexadecimal digits.") }
        guard !found.isEmpty else { throw WebError(.unknownIdentity) }
        identities = found
    }

    private func read() throws -> (History, [SampleConsolidation.Part]) {
        let history = try History.read(visit.db, chain: visit.chain, prefix: identities[0].hex)
        let parts = try SampleConsolidation.read(visit.db, chain: visit.chain, records: history.versions.map(\.record))
        return (history, parts)
    }

    func content() throws -> PageContent {
        if identities.count > 1 { return choice }
        let (history, parts) = try read()
        let kept = try KeptSource.observations(visit.db, showing: identities[0].hex, in: visit.chain).map(
            \.observation.id)
        var document = history.document(parts, visit.zone, visit.chain.finished)
        document.append(
            .heading("Where it stands in the export"),
            .paragraph(
                kept.isEmpty
                    ? "No copy of an export that shows it was kept (import --keep-source copy). With the export at hand, this "
                        + "command prints file, line, bytes and text:"
                    : "The archive keeps a copy of the export of observation "
                        + "\(kept.map { "\($0)" }.joined(separator: ", ")). This command prints file, line, bytes and text:"
            ))
        let word = String(identities[0].hex.prefix(Self.digits))
        let command = CommandText.line(
            ["locate", word] + (kept.first.map { ["--at", "\($0)"] } ?? ["--in", "export.zip"]), chain: visit.chain.name
        )
        return PageContent(
            "Record",
            visit.html(document) + [.element("pre", [:], .element("code", [:], HTML(command)))])
    }

    /// The samples among which to choose.
    private var choice: PageContent {
        let links = identities.prefix(Self.mostListed).map { identity in
            (identity.hex, visit.address.with(.identity, identity.hex))
        }
        return PageContent(
            "Several samples",
            [.element("p", [:], "Their identities start alike; choose one."), Steps.links(Array(links))], status: 300)
    }

    func twin(_ form: Page.Form) throws -> Answer {
        guard identities.count == 1 else {
            throw WebError(.usage, "Several identities start with these digits.", hint: "Give more digits.")
        }
        let (history, parts) = try read()
        return .json(history.line(parts))
    }

    private static let mostListed = 100
    /// Digits that tell the samples of a person apart.
    private static let digits = 16
}
