internal import Presentation

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
        let kept = (keeping + Address.display).flatMap { parameter in
            visit.address.list(parameter).map {
                HTML.void("input", ["type": "hidden", "name": parameter.rawValue, "value": $0])
            }
        }
        return .element(
            "form", ["action": "/\(address.page.rawValue)"],
            kept + fields + [.element("button", [:], HTML(button))] + more)
    }

    /// A choice among values with their titles.
    static func choice(
        _ parameter: Parameter, _ title: String, _ values: [(value: String, title: String)], chosen: String?
    ) -> HTML {
        choice(named: parameter.rawValue, title, values, chosen: chosen)
    }

    /// A choice whose field is no parameter of a page.
    static func choice(
        named name: String, _ title: String, _ values: [(value: String, title: String)], chosen: String?
    ) -> HTML {
        // An export may name a type with a megabyte.
        let options = values.filter { $0.value.utf8.count <= LinkAddresses.longest }.map { value, title in
            value == chosen
                ? HTML.element("option", ["value": value, "selected": ""], HTML(title))
                : HTML.element("option", ["value": value], HTML(title))
        }
        return label(title, .element("select", ["name": name], options))
    }

    /// A field for a text.
    static func field(_ parameter: Parameter, _ title: String, _ value: String?) -> HTML {
        field(named: parameter.rawValue, title, value)
    }

    /// A field for a text that is no parameter of a page.
    static func field(named name: String, _ title: String, _ value: String?) -> HTML {
        label(title, .void("input", ["name": name, "value": value ?? ""]))
    }

    /// A field for a day or an instant.
    static func day(_ parameter: Parameter, _ title: String, _ value: String?) -> HTML {
        label(
            title,
            .void(
                "input",
                ["name": parameter.rawValue, "value": value ?? "", "placeholder": "2024-05-01", "size": "12"]))
    }

    /// A switch.
    static func check(_ parameter: Parameter, _ title: String, value: String = "1", isOn: Bool) -> HTML {
        let box =
            isOn
            ? HTML.void("input", ["type": "checkbox", "name": parameter.rawValue, "value": value, "checked": ""])
            : HTML.void("input", ["type": "checkbox", "name": parameter.rawValue, "value": value])
        return .element("label", ["class": "check"], box, HTML(title))
    }

    private static func label(_ title: String, _ field: HTML) -> HTML {
        .element("label", [:], .element("span", [:], HTML(title)), field)
    }
}
