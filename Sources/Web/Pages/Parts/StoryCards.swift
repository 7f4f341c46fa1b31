internal import Presentation
internal import Reporting
internal import Store

extension Visit {
    /// What became of the records from one observation to another, as cards whose numbers lead to the records.
    func cards(_ story: ChangeStory, from: Observation, to: Observation) -> HTML {
        func pair(_ page: Page) -> Address {
            links.address(page).with(.from, "\(from.id)").with(.to, "\(to.id)")
        }
        func changed(_ kind: String) -> Address { pair(.changes).with(.change, kind) }
        let cards = story.parts(since: zone.day(from.observedAt)).map { part in
            let shown: [(name: String, address: Address)] =
                switch part.kind {
                case .merged:
                    [
                        (
                            "Get them back",
                            links.address(.export).with(.kind, "xml").with(.state, "finest").with(.at, "\(to.id)")
                        ), ("Where they were", pair(.consolidation)),
                    ]
                case .unexplained: [("Which", changed("disappeared"))]
                case .notAnalysed: [("Which", changed("disappeared")), ("Analyse", pair(.consolidation))]
                case .looksDifferent: [("Which", changed("representationChanged"))]
                case .added: [("What changed", pair(.diff))]
                }
            return HTML.element(
                "div", ["class": "card"], .element("div", ["class": "number"], HTML(Counts.grouped(part.count))),
                .element("strong", [:], HTML(part.name)), .element("p", ["class": "soft"], .prose(part.meaning)),
                Steps.links(shown))
        }
        return .element("div", ["class": "cards figures"], cards)
    }
}
