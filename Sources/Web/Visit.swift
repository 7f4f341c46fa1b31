internal import Days
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// What an answer is made from: one state of the archive, and what the address names in it.
struct Visit {
    /// Thrown where a page is asked for under a name that means another observation after the next import.
    struct Redirection: Error {
        var address: Address
    }

    let site: Site
    let reader: ArchiveReader
    let db: ArchiveDatabase
    let address: Address
    /// The names of all chains.
    let chains: [String]
    let chain: Chain
    /// The observation that the page is about, or the later one of two.
    private let subject: Observation?
    private let earlier: Observation?
    let zone: DisplayZone
    /// How the person wants pages to look.
    let settings: Settings
    /// The invariants that the last check found broken.
    let failedChecks: [String]
    /// What the archive had when the page was made.
    let state: StatePage?

    /// - Throws: `WebError`, `HealthProbeError`; `Redirection` where a page of observations is asked for without their ids.
    init(_ site: Site, _ reader: ArchiveReader, _ db: ArchiveDatabase, _ address: Address) throws {
        self.site = site
        self.reader = reader
        self.db = db
        self.address = address
        chains = try Chain.names(db)
        chain = try Self.chain(db, address, chains)
        failedChecks = try ArchiveIdentity.read(db).failedChecks
        state = address.form == .page ? try StatePage(db, path: reader.path) : nil
        zone = address.form == .page ? try site.zone(address) : DisplayZone(.gmt)
        settings = site.settings
        try Self.requireObservations(chain, for: address)
        var byID = address.with(.chain, nil)
        let isPair = address[.from] != nil || address[.to] != nil
        if address[.at] != nil, isPair { throw WebError(.usage, "at does not go with from and to.") }
        switch address.page.subject {
        case .archive, .chain:
            (earlier, subject) = (nil, nil)
            byID = address
        case .oneOrTwo where !isPair, .observation:
            let found = try ObservationResolver.resolve(address[.at] ?? "latest", in: chain)
            (earlier, subject) = (nil, found)
            byID = byID.with(.at, "\(found.id)")
        case .oneOrTwo, .comparison:
            let pair = try ObservationResolver.pair(from: address[.from], to: address[.to], in: chain)
            guard let first = pair.from.position, let last = pair.to.position, first <= last else {
                throw WebError(.usage, "The first observation is later than the second.", hint: "Swap the two.")
            }
            (earlier, subject) = pair
            byID = byID.with(.from, "\(pair.from.id)").with(.to, "\(pair.to.id)")
        }
        if address.form == .page, byID != address { throw Redirection(address: byID) }
    }

    /// - Throws: `WebError.unknownObservation` where the chain has fewer observations than the page is about, and none is named.
    private static func requireObservations(_ chain: Chain, for address: Address) throws {
        let count = chain.finished.count
        guard [Parameter.at, .from, .to].allSatisfy({ address[$0] == nil }) else { return }
        switch address.page.subject {
        case .observation where count == 0:
            throw WebError(
                .unknownObservation, "No export is imported yet.",
                hint: "Import a first one: healthprobe import export.zip")
        case .comparison where count < 2:
            throw WebError(
                .unknownObservation, "To compare, one more export is needed.",
                hint:
                    "There \(count == 1 ? "is one observation" : "are no observations") so far. Export again on the phone in a few "
                    + "days or weeks, and import it here.")
        default: break
        }
    }

    /// The chain that is asked about: that of the observations that are named by id, or the one that is named, or else the
    /// one without which there is no choice.
    private static func chain(_ db: ArchiveDatabase, _ address: Address, _ names: [String]) throws -> Chain {
        let ids = Self.ids(address)
        if let id = ids.first {
            // The form of an export keeps the chain for those who choose no observation; its page leads on without.
            let isOfForm = address.page == .export && address.form == .page
            guard address[.chain] == nil || isOfForm else {
                throw WebError(.usage, "chain does not go with the id of an observation, which names its own.")
            }
            for case let withdrawn? in try ids.map({ try WithdrawnObservation.read(db, id: $0) }) {
                let day = DisplayZone(.gmt).day(Int64(withdrawn.withdrawnAt))
                throw WebError(
                    .unknownObservation, "Observation \(withdrawn.id) was withdrawn on \(day): \(withdrawn.reason)")
            }
            guard let chain = try Chain.read(db, with: id) else { throw WebError(.unknownObservation) }
            guard ids.allSatisfy({ id in chain.all.contains { $0.id == id } }) else {
                let isElsewhere = try ids.allSatisfy { try Chain.read(db, with: $0) != nil }
                throw isElsewhere
                    ? WebError(.usage, "The two observations are of different chains.") : WebError(.unknownObservation)
            }
            guard address[.chain] == nil || address[.chain] == chain.name else {
                throw WebError(.usage, "The observation is of another chain.")
            }
            return chain
        }
        // A page has the switch between chains; a program is told that it must choose.
        let first = address.form == .page || !address.page.isOfOneChain ? names.first : nil
        return try ObservationResolver.chain(db, name: address[.chain] ?? implied(names) ?? first ?? "default")
    }

    /// The observations that an address names by their ids.
    private static func ids(_ address: Address) -> [Int64] {
        [Parameter.at, .from, .to].compactMap { address[$0].flatMap { Int64($0) } }
    }

    /// Whether an address names an observation by its id, and so its chain.
    static func namesID(_ address: Address) -> Bool { !ids(address).isEmpty }

    /// The chain that every address without one means; nil where there is a choice.
    private static func implied(_ names: [String]) -> String? {
        names.contains("default") ? "default" : names.count == 1 ? names[0] : nil
    }

    /// The observation that the page is about, or the later one of two.
    var observation: Observation {
        get throws {
            guard let subject else { throw WebError(.unknownObservation) }
            return subject
        }
    }

    /// The two observations that are compared.
    var sides: (from: Observation, to: Observation) {
        get throws {
            guard let earlier, let subject else { throw WebError(.unknownObservation) }
            return (earlier, subject)
        }
    }

    /// Where the archive's key is.
    var keyFile: KeyFile { get throws { KeyFile(try ArchiveIdentity.read(db), site.keys) } }

    /// The types asked for; nil for all.
    var types: TypeFilter? { address.list(.type).isEmpty ? nil : TypeFilter(address.list(.type)) }

    /// Whether one type is asked for, and no name with a star.
    var isOfOneType: Bool { address.list(.type).count == 1 && address[.type]?.hasSuffix("*") == false }

    var isThrough: Bool { address[.through] != nil }

    /// Whether the page is to be short.
    var isSimple: Bool { settings.isSimple }

    /// How many rows a page of a list has that is asked for no number.
    var pageSize: Int { isSimple ? 25 : settings.pageSize }

    /// How many rows a part of a list has that is asked for no number, for people or for programs.
    var listSize: Int { address.form == .page ? pageSize : 100 }

    /// The sources asked for; nil for all.
    var source: SourceFilter? {
        get throws { try address[.source].map { try SourceFilter(db, named: $0) } }
    }

    /// The interval asked for, as Unix seconds.
    ///
    /// - Parameter zone: in which days are read.
    func interval(in zone: TimeZone) throws -> (since: Int64?, until: Int64?) {
        do {
            return try TimeArgument.interval(since: address[.since], until: address[.until], zone: zone)
        } catch {
            throw WebError(
                .usage,
                "since and until take a day such as 2024-05-01 or an instant such as 2024-05-01T10:00:00Z, the earlier first."
            )
        }
    }

    /// The values of a parameter that takes several, in the order of their cases.
    func values<Value: RawRepresentable<String> & CaseIterable>(_ parameter: Parameter) throws -> [Value] {
        let names = Set(address.list(parameter).flatMap { $0.split(separator: ",").map(String.init) })
        guard names.allSatisfy({ Value(rawValue: $0) != nil }) else {
            throw WebError(.usage, "\(parameter.rawValue) has a value that it does not take.")
        }
        return Value.allCases.filter { names.contains($0.rawValue) }
    }

    /// The value of a parameter that takes one of a few; nil where nothing is said.
    func value<Value: RawRepresentable<String> & CaseIterable>(_ parameter: Parameter) throws -> Value? {
        guard let text = address[parameter] else { return nil }
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw WebError(.usage, "\(parameter.rawValue) takes one of \(known).")
        }
        return value
    }

    /// How many rows are asked for; nil where nothing is said.
    func limit(_ range: ClosedRange<Int>) throws -> Int? {
        guard let text = address[.limit] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WebError(.usage, "limit takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The same page for another observation of the chain; filters stay, a place in a list does not.
    func address(at observation: Observation) -> Address {
        address.with(.at, "\(observation.id)").with(.after, nil)
    }

    /// Where links of documents lead from here: to pages of this chain, which look as this one does.
    var links: LinkAddresses {
        LinkAddresses(
            chain: chain.name == Self.implied(chains) ? nil : chain.name,
            display: Address.display.filter { $0 != .sort }.map { ($0, address[$0]) })
    }

    /// The blocks of a document, with links to other pages, and tables in the order that is asked for.
    func html(_ document: Document) -> [HTML] {
        let sorting = PageRenderer.Sorting(address[.sort]) { [address] in address.with(.sort, $0).text }
        return links.html(address[.sort].map(document.sorted) ?? document, sorting: sorting)
    }

    /// The same under a heading: without the document's title, which it repeats.
    func html(_ document: Document, under title: String) -> [HTML] {
        html(
            Document(
                document.blocks.filter { block in
                    if case .title(title) = block { false } else { true }
                }))
    }
}
