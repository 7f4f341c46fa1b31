internal import HealthModel
internal import Presentation
internal import Reporting
internal import Store

/// Forms that lead to a page: what is filled in becomes the parameters of its address.
enum Form {
    /// - Parameters:
    ///   - address: the page; its parameters that are no field are kept.
    ///   - keeping: the parameters that are kept.
    ///   - more: what follows the button, which the return key presses.
    static func html(
        _ visit: Visit, _ address: Address, keeping: [Parameter] = [], button: String, _ fields: [HTML],
        more: [HTML] = []
    ) -> HTML {
        .element(
            "form", ["action": "/\(address.page.rawValue)"],
            hidden(visit.address, keeping + Address.display) + fields + [.element("button", [:], HTML(button))] + more)
    }

    /// The form of an answer's question: the fields that people fill in, in the order of its URL.
    ///
    /// - Parameter type: the choice of types, which depends on the archive.
    static func html(_ visit: Visit, _ answer: AnswerDefinition, type: HTML? = nil) -> HTML {
        let fields = answer.fields.compactMap { field -> HTML? in
            guard let parameter = Parameter(rawValue: field.name) else { return nil }
            if parameter == .type, let type { return type }
            let value = visit.address[parameter]
            guard let label = field.label else { return nil }
            return switch field.kind {
            case .choice(let words):
                choice(parameter, label.title, Array(zip(words, label.choices)), chosen: value ?? words.first)
            case .flag: check(parameter, HTML(label.title), isOn: value != nil)
            case .time: day(parameter, label.title, value)
            default: self.field(parameter, label.title, value)
            }
        }
        return html(visit, visit.address, keeping: [.at], button: "Show", fields)
    }

    /// What an address says in some parameters, for a form that says the same.
    static func hidden(_ address: Address, _ parameters: [Parameter]) -> [HTML] {
        parameters.flatMap { parameter in address.list(parameter).map { hidden(parameter.rawValue, $0) } }
    }

    /// A value that the form has without showing it.
    static func hidden(_ name: String, _ value: String) -> HTML {
        .void("input", ["type": "hidden", "name": name, "value": value])
    }

    /// A choice among values with their titles, for a parameter of a page or a key of the settings.
    static func choice(
        _ name: some RawRepresentable<String>, _ title: String, _ values: [(value: String, title: String)],
        chosen: String?
    ) -> HTML {
        // An export may name a type with a megabyte.
        let options = values.filter { $0.value.utf8.count <= LinkAddresses.longest }.map { value, title in
            HTML.element("option", ["value": value, "selected": value == chosen ? "" : nil], HTML(title))
        }
        return label(title, .element("select", ["name": name.rawValue], options))
    }

    /// The observations of a chain, for choices; the newest first.
    static func observations(_ visit: Visit) -> [(value: String, title: String)] {
        visit.chain.finished.reversed().map { ("\($0.id)", "\($0.id) · \(visit.zone.day($0.observedAt))") }
    }

    /// A choice of one type, or all.
    static func type(_ visit: Visit, among types: [(value: String, title: String)]) -> HTML {
        let chosen = visit.isOfOneType ? types.first { visit.types?.matches($0.value) ?? false }?.value : nil
        return choice(Parameter.type, "Type", [("", "All types")] + types, chosen: chosen ?? "")
    }

    /// A field for a text.
    static func field(_ name: some RawRepresentable<String>, _ title: String, _ value: String?) -> HTML {
        label(title, .void("input", ["name": name.rawValue, "value": value ?? ""]))
    }

    /// Fields for the first and the last day, which may be instants.
    ///
    /// - Parameter note: what stands behind their titles.
    static func days(_ address: Address, note: String = "") -> HTML {
        let fields: [(Parameter, String)] = [(.since, "From the day" + note), (.until, "To the day" + note)]
        return HTML(
            fields.map { parameter, title in
                day(parameter, title, address[parameter])
            })
    }

    /// A field for a day or an instant.
    private static func day(_ parameter: Parameter, _ title: String, _ value: String?) -> HTML {
        label(
            title,
            .void(
                "input",
                ["name": parameter.rawValue, "value": value ?? "", "placeholder": "2024-05-01", "size": "12"]))
    }

    /// A switch.
    static func check(
        _ name: some RawRepresentable<String>, _ title: HTML, value: String = "1", isOn: Bool
    ) -> HTML {
        let box = HTML.void(
            "input", ["type": "checkbox", "name": name.rawValue, "value": value, "checked": isOn ? "" : nil])
        return .element("label", ["class": "check"], box, title)
    }

    private static func label(_ title: String, _ field: HTML) -> HTML {
        .element("label", [:], .element("span", [:], HTML(title)), field)
    }
}
