internal import Basics
internal import Evidence
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// What an export would hold, before anything is written, and the command that writes it.
struct ExportPage: SitePage {
    let visit: Visit
    /// Nil on a page as long as no kind is chosen; programs then get the first one.
    private let question: ExportQuestion?

    init(_ visit: Visit) throws {
        self.visit = visit
        let isPage = visit.address.form == .page
        let kind = visit.address[.kind] ?? (isPage ? nil : Self.kinds[0].name)
        if isPage, let found = Self.kinds.first(where: { $0.name == kind })?.kind {
            // The form has what another kind takes as well.
            let fitting = Self.fitting(visit.address, found)
            if fitting != visit.address { throw Visit.Redirection(address: fitting) }
        }
        question = try kind.map { try Self.question($0, visit) }
        // What is looked at is what is downloaded, whatever is imported meanwhile.
        if isPage, let question {
            let byID = Self.named(visit.address, question)
            if byID != visit.address { throw Visit.Redirection(address: byID) }
        }
    }

    /// The kinds by the names of their commands.
    static let kinds: [(name: String, kind: ExportKind, title: String)] = [
        ("records", .records, "All records of one observation"),
        ("types", .types, "The types of one observation, with their counts"),
        ("manifest", .manifest, "The list of all observations"),
        ("diff", .diff, "Everything in which two observations differ"),
        ("selection", .selection, "A part of what differs, such as the unexplained"),
        ("xml", .health, "A Health export (XML), as the phone writes one"),
    ]

    private static func question(_ name: String, _ visit: Visit) throws -> ExportQuestion {
        let address = visit.address
        guard let kind = kinds.first(where: { $0.name == name })?.kind else {
            throw WebError(.usage, "kind takes records, types, manifest, diff, selection or xml.")
        }
        if let refused = refused(kind).first(where: { address[$0] != nil }) {
            throw WebError(.usage, "\(refused.rawValue) does not go with this kind of export.")
        }
        var question = try ExportQuestion(kind, from: address[.from], to: address[.at] ?? address[.to], in: visit.chain)
        question.through = visit.isThrough
        question.changes = try visit.values(.change)
        if kind == .selection, question.changes.isEmpty {
            // A page proposes what most people look for; the command wants to be told.
            guard address.form == .page else { throw WebError(.usage, "Choose sets with change.") }
            throw Visit.Redirection(address: address.with(.change, "unexplained"))
        }
        question.types = try visit.types.map { types in
            try RecordPage.typeIdentifiers(visit.db).filter(types.matches)
        }
        (question.since, question.until) = try visit.interval(in: .gmt)
        question.provenance = try visit.value(.provenance) ?? question.provenance
        question.include = try visit.values(.include)
        question.format = try visit.value(.format) ?? question.format
        if address[.state] != nil, question.from != nil {
            throw WebError(.usage, "state does not go with from.")
        }
        question.state = try visit.value(.state) ?? question.state
        if let offset = address[.offset] {
            guard let seconds = ExportQuestion.offsetSeconds(offset) else {
                throw WebError(.usage, "offset takes hours and minutes: +0200 or -0530, the plus sign as %2B.")
            }
            question.offsetSeconds = seconds
        }
        question.fillsCreationDates = address[.fillCreationDates] != nil
        return question
    }

    /// The page that asks what a recorded export asked; nil where what it asked is none of a page's questions.
    static func link(toAsk export: RecordedExport) -> Document.Link? {
        guard let question = ExportQuestion(json: export.question),
            let kind = kinds.first(where: { $0.kind == question.kind })
        else { return nil }
        var link = Document.Link(
            "export",
            [
                "kind": kind.name, "at": question.from == nil ? "\(question.to)" : nil,
                "from": question.from.map { "\($0)" }, "to": question.from == nil ? nil : "\(question.to)",
                "through": question.through ? "1" : nil,
                "since": question.since.map { ISO8601.string(unixSeconds: $0) },
                "until": question.until.map { ISO8601.string(unixSeconds: $0) },
                "provenance": question.provenance.rawValue,
                "format": question.kind == .health ? nil : question.format.rawValue,
                "state": question.state == .visible ? nil : question.state.rawValue,
                "offset": question.offsetSeconds.map { ISO8601.offsetText(Int64($0)).filter { $0 != ":" } },
                "fill-creation-dates": question.fillsCreationDates ? "1" : nil,
            ])
        link.options += (question.types ?? []).map { (Parameter.type.rawValue, $0) }
        link.options += question.changes.map { (Parameter.change.rawValue, $0.rawValue) }
        link.options += question.include.map { (Parameter.include.rawValue, $0.rawValue) }
        return link
    }

    /// What the export would be, as people and as programs read it.
    private func preview(_ question: ExportQuestion) throws -> (document: Document, line: JSON) {
        let snapshot = try visit.snapshot
        let key = try visit.keyFile.key(for: question.provenance)
        guard question.kind == .health else {
            let outcome = try BagExport.preview(snapshot, question, key: key)
            return (outcome.previewDocument, outcome.previewLine)
        }
        let manifest = try HealthExport.preview(snapshot, question, key: key)
        return (manifest.document(isPreview: true), manifest.line(isRecorded: false, notRecorded: nil))
    }

    func content() throws -> PageContent {
        var parts = [form]
        if let question {
            var document = Document([.heading("What it would hold")])
            document.append(Self.folded(try preview(question).document.blocks))
            document.append(
                .paragraph("The file holds health data in clear: keep it where nobody else reads.", .apart),
                .heading("To write it"))
            parts += visit.html(document)
            if offersDownload { parts.append(download) }
            parts += [
                .element("p", [:], "On the command line:"),
                .element("pre", [:], .element("code", [:], HTML(command(question)))),
                .element(
                    "p", ["class": "note"], HTML(recording), " To verify the file later: ",
                    .element("code", [:], "healthprobe verify-export FILE")),
            ]
        } else {
            parts += [
                .element(
                    "p", [:],
                    "Choose what to export, and look at what it would hold. Nothing is written before you ask for it."),
                Steps.links([("Files made here", visit.links.address(.exports))]),
            ]
        }
        return PageContent("Take out", parts)
    }

    func twin(_ form: Page.Form) throws -> Answer {
        .json(try preview(asked).line)
    }

    /// The blocks of a preview as a page shows them: long runs of remarks, such as a count for each type, folded; what
    /// is left out and warned of, which are the export's own words, as a list.
    private static func folded(_ blocks: [Document.Block]) -> [Document.Block] {
        var remarks: [Document.Block] = []
        var items: [Document.Item] = []
        for block in blocks.dropFirst() {
            switch block {
            case .paragraph(_, .remark): remarks.append(block)
            case .paragraph(let text, _): items.append(.init(text))
            default: remarks.append(block)
            }
        }
        var shown = Array(blocks.prefix(1))
        if remarks.count > longestRun {
            shown.append(.folded("\(Counts.grouped(remarks.count)) counts", remarks))
        } else {
            shown += remarks
        }
        if !items.isEmpty { shown.append(.list(items)) }
        return shown
    }

    private static let longestRun = 6

    /// The question.
    ///
    /// - Throws: `WebError.usage` where no kind is chosen.
    var asked: ExportQuestion {
        get throws {
            guard let question else {
                throw WebError(.usage, "kind takes records, types, manifest, diff, selection or xml.")
            }
            return question
        }
    }

    /// The command line that writes the export, as a person types it.
    private func command(_ question: ExportQuestion) -> String {
        let name = visit.address[.kind] ?? ""
        let output = name == "xml" ? "export.xml" : "\(name)-\(question.to)"
        return CommandText.line(words(question) + ["--output", output], chain: visit.chain.name)
    }

    /// The command with its options, without chain and output.
    func words(_ question: ExportQuestion) -> [String] {
        var words = ["export", visit.address[.kind] ?? Self.kinds[0].name]
        if let from = question.from {
            words += ["--from", "\(from)", "--to", "\(question.to)"]
        } else {
            words += ["--at", "\(question.to)"]
        }
        if question.through { words.append("--through") }
        if !question.changes.isEmpty {
            words += ["--change", question.changes.map(\.rawValue).joined(separator: ",")]
        }
        for parameter in [Parameter.type, .since, .until, .provenance, .format, .state, .offset] {
            for value in visit.address.list(parameter) { words += CommandText.option(parameter.rawValue, value) }
        }
        if question.fillsCreationDates { words.append("--fill-creation-dates") }
        for part in question.include { words += ["--include", part.rawValue] }
        return words
    }

    /// The button that makes the browser keep the export as a file.
    private var download: HTML {
        .element(
            "form", ["method": "post", "action": "/export"],
            Form.hidden(visit.address, Page.export.parameters) + [.element("button", [:], "Download as a zip")])
    }
}
