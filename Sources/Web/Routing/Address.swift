package import Presentation

/// A URL of the site: a page, a form, and parameters that the page has.
///
/// Only what the site answers can be expressed, so that what is built from an address leads nowhere else.
package struct Address: Sendable, Equatable {
    package let page: Page
    package let form: Page.Form
    /// The number of the job that the path names.
    let job: Int?
    private var values: [Parameter: [String]] = [:]

    package init(_ page: Page) { self.init(page, .page, job: nil) }

    /// The page of a job.
    init(job: Int) { self.init(.job, .page, job: job) }

    private init(_ page: Page, _ form: Page.Form, job: Int?) { (self.page, self.form, self.job) = (page, form, job) }

    /// Reads a URL whose path and parameters are decoded; empty values count as absent.
    ///
    /// - Throws: `WebError`: `notFound` for a path that is none, `usage` for a parameter that the page does not have, that
    ///   is repeated, or whose value is none of its values.
    package init(path: String, _ parameters: [Request.Parameter]) throws {
        let words = path.split(separator: ".", omittingEmptySubsequences: false)
        guard path.first == "/", path != "/home", let name = words.first?.dropFirst(), words.count <= 2,
            let (page, job) = Self.page(path == "/" ? Page.home.rawValue : String(name)),
            let form = Page.Form(rawValue: words.count == 2 ? String(words[1]) : ""),
            words.count == 1 || page.twins.contains(form)
        else { throw WebError(.notFound) }
        self.init(page, form, job: job)
        for given in parameters {
            guard let parameter = Parameter(rawValue: given.name), takes(parameter) else {
                throw WebError(.usage, "This address has a parameter that the page does not take.")
            }
            guard !given.value.isEmpty else { continue }
            // A command that gets the value as an argument would read it up to there.
            guard !given.value.utf8.contains(0) else {
                throw WebError(.usage, "\(parameter.rawValue) has a character that no value has.")
            }
            guard parameter.isList || values[parameter] == nil else {
                throw WebError(.usage, "\(parameter.rawValue) is given more than once.")
            }
            guard !parameter.isFlag || given.value == "1" else {
                throw WebError(.usage, "\(parameter.rawValue) takes 1 or nothing.")
            }
            values[parameter, default: []].append(given.value)
        }
    }

    /// The page of a path, and the number of the job that the path names.
    private static func page(_ name: String) -> (Page, job: Int?)? {
        let number = name.dropFirst(jobs.count)
        if name.hasPrefix(jobs), number.utf8.count < 10, number.utf8.allSatisfy({ 48...57 ~= $0 }),
            let job = Int(number)
        {
            return (.job, job)
        }
        return Page(rawValue: name).flatMap { $0 == .job ? nil : ($0, nil) }
    }

    private static let jobs = "jobs/"

    /// The page that answers a link of a document; nil where none does.
    package init?(_ link: Document.Link) {
        let parameters = link.options.map { Request.Parameter($0.name, $0.value) }
        guard let address = try? Address(path: "/" + link.command, parameters) else { return nil }
        self = address
    }

    private func takes(_ parameter: Parameter) -> Bool {
        form == .page
            ? page.parameters.contains(parameter) || Self.display.contains(parameter)
            : page.parameters.contains(parameter) && !page.looks.contains(parameter)
    }

    /// How a page looks, whatever it shows; twins have no looks.
    static let display: [Parameter] = [.timeZone, .sort]

    /// The value of a parameter; the first of several.
    package subscript(_ parameter: Parameter) -> String? { values[parameter]?.first }

    /// The values of a parameter that may be given several times.
    package func list(_ parameter: Parameter) -> [String] { values[parameter] ?? [] }

    /// The same with another value of a parameter that the page has, or without it.
    package func with(_ parameter: Parameter, _ value: String?) -> Address {
        guard takes(parameter) else { return self }
        var address = self
        address.values[parameter] = value.map { [$0] }
        return address
    }

    /// Another page or form, with the parameters that it has, too.
    package func to(_ page: Page, _ form: Page.Form = .page) -> Address {
        var address = Address(page, form, job: page == self.page ? job : nil)
        address.values = values.filter { address.takes($0.key) }
        return address
    }

    /// Whether the server takes an address so long: a type of an export may have a name that fills it.
    var isTaken: Bool { text.utf8.count <= Gate.longestTarget }

    /// The path with the query: its parameters in the page's order.
    package var text: String {
        let ending = form == .page ? "" : "." + form.rawValue
        let pairs = (page.parameters + Self.display).flatMap { parameter in
            list(parameter).map { "\(parameter.rawValue)=\(PercentEncoding.encoded($0))" }
        }
        let path = job.map { "\(Self.jobs)\($0)" } ?? (page == .home && form == .page ? "" : page.rawValue)
        return "/\(path)\(ending)" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}
