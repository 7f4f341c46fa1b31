/// The head of a request as the connection delivered it, before anything in it is believed.
package struct RequestHead: Sendable {
    package var method: String
    /// The target of the request line, such as `/show?at=2`.
    package var target: String
    /// The headers in their order, with lowercase names.
    package var headers: [(name: String, value: String)]

    package init(_ method: String, _ target: String, _ headers: [(name: String, value: String)]) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// The values of a header, one for each time that it was sent.
    func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// How many bytes the body has, where the request says so.
    package var contentLength: Int64? {
        let lengths = values("content-length")
        return lengths.count == 1 ? Int64(lengths[0]) : nil
    }

    /// Whether the body is a file that goes to the archive, and no form.
    package var isUpload: Bool { method == Request.Method.post.rawValue && path == Uploads.path }

    /// The target without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The value of the first cookie of a name.
    func cookie(_ name: String) -> String? {
        for pair in values("cookie").flatMap({ $0.split(separator: ";") }) {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2, sides[0].drop(while: { $0 == " " }) == name { return String(sides[1]) }
        }
        return nil
    }

    /// What `Authorization: Bearer` says.
    var bearer: String? {
        let values = values("authorization")
        // The scheme's name is without regard to case (RFC 9110, section 11.1).
        guard values.count == 1, let parts = values.first?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }

    /// The request with its decoded parameters.
    ///
    /// - Parameter body: a form, as it was posted; empty for other methods.
    /// - Throws: `WebError.usage` where the query or the form is not encoded as forms are.
    func request(_ body: [UInt8]) throws -> Request {
        let query = target.dropFirst(path.count + 1)
        guard let method = Request.Method(rawValue: method), let text = String(validating: body, as: UTF8.self),
            let parameters = PercentEncoding.pairs(query), let form = PercentEncoding.pairs(text)
        else { throw WebError(.usage) }
        return Request(method, path, parameters, form: form, accept: values("accept").first)
    }
}
