package import Foundation

/// Finds keys that an object of a JSON text has twice; parsers take one of them in silence, each another one.
package struct RepeatedKeys {
    private let bytes: [UInt8]
    private var at = 0
    private var found: [String] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The repeated keys of JSON lines, in the order of the text.
    ///
    /// - Throws: `TestSupport.Failure` where a line is no JSON.
    package static func find(in text: Data) throws -> [String] {
        try text.split(separator: 0x0A).flatMap { line in
            var scan = RepeatedKeys(Array(line))
            try scan.value()
            guard scan.at == scan.bytes.count else { throw scan.failure("more behind the value") }
            return scan.found
        }
    }

    private mutating func value() throws {
        switch peek {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try members(until: UInt8(ascii: "]")) { try $0.value() }
        case UInt8(ascii: "\""): _ = try string()
        default:
            let start = at
            while let byte = peek, !",]}".utf8.contains(byte) { at += 1 }
            guard at > start else { throw failure("no value") }
        }
    }

    private mutating func object() throws {
        var keys: Set<[UInt8]> = []
        try members(until: UInt8(ascii: "}")) { scan in
            let key = try scan.string()
            if !keys.insert(key).inserted { scan.found.append(String(decoding: key, as: UTF8.self)) }
            try scan.take(":")
            try scan.value()
        }
    }

    private mutating func members(until end: UInt8, _ member: (inout RepeatedKeys) throws -> Void) throws {
        at += 1
        guard peek != end else {
            at += 1
            return
        }
        while true {
            try member(&self)
            if peek == end { break }
            try take(",")
        }
        at += 1
    }

    /// A string as it is written: the program escapes a character in one way only.
    private mutating func string() throws -> [UInt8] {
        try take("\"")
        let start = at
        while let byte = peek, byte != UInt8(ascii: "\"") { at += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let text = Array(bytes[start..<min(at, bytes.count)])
        try take("\"")
        return text
    }

    private mutating func take(_ character: Unicode.Scalar) throws {
        guard peek == UInt8(ascii: character) else { throw failure("no \(character)") }
        at += 1
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func failure(_ what: String) -> TestSupport.Failure {
        TestSupport.Failure("\(what) at byte \(at) of \(String(decoding: bytes.prefix(200), as: UTF8.self))")
    }
}
