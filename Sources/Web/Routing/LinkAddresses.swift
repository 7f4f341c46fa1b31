internal import Presentation

/// Where links of documents lead to from a page.
struct LinkAddresses: Sendable {
    /// The chain that addresses of a chain name; nil where they mean it without.
    var chain: String?
    /// How pages look that are led to.
    var display: [(parameter: Parameter, value: String?)] = []

    /// The address of a link; nil where no page answers it, and where a name of the export makes it longer than a page can
    /// have many of.
    func address(of link: Document.Link) -> String? {
        guard let address = Address(link).map(dressed)?.text, address.utf8.count <= Self.longest else { return nil }
        return address
    }

    /// The blocks of a document, with links to other pages.
    func html(_ document: Document, sorting: PageRenderer.Sorting? = nil) -> [HTML] {
        PageRenderer(.site { address(of: $0) }, sorting: sorting).html(document)
    }

    /// In bytes; a server takes longer ones.
    static let longest = 1_000

    /// A page of the chain, without further parameters.
    func address(_ page: Page) -> Address { dressed(Address(page)) }

    private func dressed(_ address: Address) -> Address {
        let named = address.page.subject == .chain ? address.with(.chain, chain) : address
        return display.reduce(named) { $0.with($1.parameter, $1.value) }
    }
}
