/// What a browser or a script asks for, without its connection: a person who is logged in, a URL of this program.
package struct Request: Sendable, Equatable {
    /// The methods that the site answers.
    package enum Method: String, Sendable {
        case get = "GET", head = "HEAD", post = "POST"
    }

    package var method: Method
    /// The path as the URL has it, such as `/records.json`.
    package var path: String
    /// The parameters of the URL, decoded, in their order.
    package var parameters: [Parameter]
    /// The fields of a form that was posted, decoded, in their order.
    package var form: [Parameter]
    /// The `Accept` header.
    package var accept: String?

    /// A name with its value.
    package struct Parameter: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ method: Method = .get, _ path: String, _ parameters: [Parameter] = [], form: [Parameter] = [],
        accept: String? = nil
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.form = form
        self.accept = accept
    }

    /// The parameters of the URL that say something: an empty value counts as absent.
    var given: [Parameter] { parameters.filter { !$0.value.isEmpty } }

    /// The page of the path, in whatever form; nil for a path of none.
    var page: Page? { path == "/" ? .home : Page(rawValue: String(path.dropFirst().prefix { $0 != "." })) }

    /// Whether a program asks, and not a browser for a page.
    var isForProgram: Bool {
        [".json", ".ndjson", ".csv"].contains { path.hasSuffix($0) } || accept?.contains("application/json") ?? false
    }
}
