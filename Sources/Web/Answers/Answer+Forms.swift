internal import Basics

extension Answer {
    static func html(_ status: Int, _ bytes: [UInt8]) -> Answer {
        Answer(status, [("content-type", "text/html; charset=utf-8")], .bytes(bytes))
    }

    /// A line of JSON, as a command prints it.
    static func json(_ value: JSON, _ status: Int = 200) -> Answer {
        .json(Array((value.line + "\n").utf8), status)
    }

    static func json(_ bytes: [UInt8], _ status: Int = 200) -> Answer {
        Answer(status, [("content-type", "application/json; charset=utf-8")], .bytes(bytes))
    }

    /// A file to keep.
    ///
    /// - Parameter name: made of kinds and ids alone.
    static func file(_ bytes: [UInt8], _ type: String, named name: String) -> Answer {
        Answer(
            200, [("content-type", type), ("content-disposition", "attachment; filename=\"\(name)\"")], .bytes(bytes))
    }

    /// Lines or rows that are made while they are sent, some tens of kilobytes at a time.
    ///
    /// - Parameter name: what a browser calls the file; made of kinds and ids alone.
    static func stream(
        _ form: Page.Form, named name: String,
        _ body: @escaping @Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) -> Answer {
        var headers = [("content-type", "application/x-ndjson; charset=utf-8")]
        if form == .csv {
            headers = [
                ("content-type", "text/csv; charset=utf-8; header=present"),
                ("content-disposition", "attachment; filename=\"\(name).csv\""),
            ]
        }
        let batched: @Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void = { write in
            var waiting: [UInt8] = []
            try body { piece in
                waiting += piece
                guard waiting.count >= longestWait else { return }
                try write(waiting)
                waiting.removeAll(keepingCapacity: true)
            }
            if !waiting.isEmpty { try write(waiting) }
        }
        return Answer(200, headers, .stream(batched))
    }

    /// How many bytes of a stream wait until they are sent together.
    private static let longestWait = 32 << 10

    /// A redirection to a page of the site.
    static func redirection(_ address: Address, status: Int = 302) -> Answer {
        Answer(status, [("location", address.text)])
    }
}
