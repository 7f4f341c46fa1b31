internal import Exporting
internal import Presentation

/// The choice of what to export, and which of its fields a kind takes.
extension ExportPage {
    /// The address without the parameters that a kind does not take. Where one kind takes `at` and another `to`, the
    /// observation goes over.
    static func fitting(_ address: Address, _ kind: ExportKind) -> Address {
        var fitting = address
        if kind.hasTwoSides {
            fitting = fitting.with(.to, address[.to] ?? address[.at])
        } else if kind != .health {
            fitting = fitting.with(.at, address[.at] ?? address[.to])
        }
        if address[.from] != nil { fitting = fitting.with(.state, nil) }
        return refused(kind).reduce(fitting) { $0.with($1, nil) }
    }

    /// What a kind does not take: a page leaves it out, programs are refused, and the form has no field for it.
    static func refused(_ kind: ExportKind) -> [Parameter] {
        switch kind {
        case .records: [.through, .from, .to, .change] + ofXML
        case .types: refused(.records) + [.since, .until]
        case .manifest: refused(.types) + [.type]
        case .diff, .selection: [.at] + ofXML
        case .health: [.through, .format]
        }
    }

    /// What a Health export alone takes.
    private static let ofXML: [Parameter] = [.state, .offset, .fillCreationDates]

    /// The address with the ids of the observations that a question is about.
    static func named(_ address: Address, _ question: ExportQuestion) -> Address {
        let byID = address.with(.chain, nil)
        guard let from = question.from else { return byID.with(.to, nil).with(.at, "\(question.to)") }
        return byID.with(.from, "\(from)").with(.to, "\(question.to)")
    }

    /// Whether the browser may have the export.
    var offersDownload: Bool { visit.site.jobs != nil && !visit.site.isReadOnly }

    /// Where the export is recorded.
    var recording: String {
        if visit.site.isReadOnly {
            return "Not recorded: this server is read-only, and offers no download. "
                + "The command records the export where it can write to the archive."
        }
        return visit.site.isArchiveWritable
            ? "\(offersDownload ? "Both record" : "This records") the export in the archive."
            : "Not recorded: the archive or its folder is read-only, so what is exported is not noted in it."
    }

    /// All fields where no kind is chosen, with the kinds that they are for; else those of the kind.
    var form: HTML {
        let kind = Self.kinds.first { $0.name == visit.address[.kind] }?.kind
        let refused = kind.map(Self.refused) ?? []
        // Where no observation is chosen, the latest of this chain is meant.
        var fields = [visit.links.chain].compactMap(\.self).map { Form.hidden(Parameter.chain.rawValue, $0) }
        fields.append(
            Form.choice(
                Parameter.kind, "What", Self.kinds.map { ($0.name, $0.title) }, chosen: visit.address[.kind]))
        if !refused.contains(.at) {
            fields.append(observation(.at, kind == nil ? "Observation (where it is one)" : "Observation"))
        }
        if !refused.contains(.from) {
            let from =
                switch kind {
                case nil: "Earlier observation (what differs; XML)"
                case .health: "With what disappeared since"
                default: "Earlier observation"
                }
            fields += [
                observation(.from, from),
                observation(
                    .to, kind == nil ? "Later observation (what differs; XML)" : "Later observation"),
            ]
        }
        if kind != nil, !refused.contains(.through) {
            fields.append(Form.check(Parameter.through, "With all between", isOn: visit.isThrough))
        }
        if !refused.contains(.since) {
            let note = kind == nil ? " (records, what differs, XML)" : ""
            fields.append(Form.days(visit.address, note: note))
        }
        fields.append(
            Form.choice(
                Parameter.provenance, "Names and identifiers",
                [("", "as usual"), ("hashed", "as pseudonyms"), ("full", "as they are"), ("none", "left out")],
                chosen: visit.address[.provenance] ?? ""))
        if !refused.contains(.format) {
            fields.append(
                Form.choice(
                    Parameter.format, kind == nil ? "Format (not of XML)" : "Format",
                    [("", "as usual"), ("json", "JSON"), ("ndjson", "JSON lines"), ("csv", "CSV")],
                    chosen: visit.address[.format] ?? ""))
        }
        if kind == .health {
            if visit.address[.from] == nil {
                fields.append(
                    Form.choice(
                        Parameter.state, "Which records",
                        [
                            ("", "visible at the observation"), ("ever", "all that were visible up to it"),
                            ("finest", "visible, with the originals of merged ones"),
                            ("everything", "all, with originals"),
                        ], chosen: visit.address[.state] ?? ""))
            }
            fields += [
                Form.field(Parameter.offset, "UTC offset of all dates, such as +0200", visit.address[.offset]),
                Form.check(
                    Parameter.fillCreationDates, "Start as creation date where there is none",
                    isOn: visit.address[.fillCreationDates] != nil),
            ]
        }
        let download = HTML.element(
            "button", ["class": "quiet", "formmethod": "post", "formaction": "/export"], "Download without a preview")
        return Form.html(
            visit, Address(.export), keeping: [.type, .change, .include], button: "Preview", fields,
            more: offersDownload ? [download] : [])
    }

    private func observation(_ parameter: Parameter, _ title: String) -> HTML {
        Form.choice(
            parameter, title, [("", "-")] + Form.observations(visit), chosen: visit.address[parameter] ?? "")
    }
}
