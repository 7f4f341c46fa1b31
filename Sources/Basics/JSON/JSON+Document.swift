/// Where a file is no JSON.
package struct JSONSyntaxError: Error, Equatable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension JSON {
    /// Reads a file of JSON as other programs write it (RFC 8259): white space is free, and text is UTF-8. Members keep
    /// their order; one name may occur twice.
    ///
    /// - Parameter maximumDepth: how deep arrays and objects may nest.
    /// - Throws: `JSONSyntaxError` with the place of the first byte that does not fit.
    /// - Complexity: O(n).
    package static func document(_ bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) -> JSON {
        let valid = endOfUTF8(bytes)
        if valid < bytes.count { throw JSONSyntaxError(bytes, at: valid) }
        let (value, end) = bytes.withByteView { view in
            var scanner = JSONScanner(view, .document, maximumDepth: maximumDepth)
            scanner.skipSpace()
            let value = scanner.value(in: view)
            if value != nil { scanner.skipSpace() }
            return (scanner.isAtEnd ? value : nil, scanner.at)
        }
        guard let value else { throw JSONSyntaxError(bytes, at: end) }
        return value
    }

    /// How many bytes from the beginning are UTF-8.
    private static func endOfUTF8(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        var end = 0
        while case .scalarValue(let scalar) = decoder.decode(&rest) { end += UTF8.width(scalar) }
        return end
    }
}

extension JSONSyntaxError {
    /// The line and column of a byte.
    fileprivate init(_ bytes: [UInt8], at place: Int) {
        let before = bytes.prefix(place)
        let lineStart = before.lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == .lineFeed }
        column = 1 + String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count
    }
}
