/// A value that has one form in contract JSON.
package protocol JSONConvertible {
    var json: JSON { get }
}

extension JSON: JSONConvertible {
    package var json: JSON { self }
}

extension String: JSONConvertible {
    package var json: JSON { .string(self) }
}

extension Bool: JSONConvertible {
    package var json: JSON { .bool(self) }
}

extension Int: JSONConvertible {
    package var json: JSON { .int(self) }
}

extension Int64: JSONConvertible {
    package var json: JSON { .int(self) }
}

extension Double: JSONConvertible {
    package var json: JSON { .double(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSON { .array(map(\.json)) }
}

extension JSON {
    /// The members of an object in the order in which they are printed.
    package typealias Members = KeyValuePairs<String, (any JSONConvertible)?>

    /// An object with its members in order; a member without a value is `null`.
    package static func row(_ members: Members) -> JSON {
        .object(members.map { ($0, $1?.json ?? .null) })
    }

    /// The object of a line, `healthprobe.<name>/1` as its first member.
    package static func line(_ schema: String, _ members: Members) -> JSON {
        JSON.row(["schema": "healthprobe.\(schema)/1"]).adding(members)
    }

    /// An object with further members at its end; every other value as it is.
    package func adding(_ members: Members) -> JSON {
        adding(members.map { ($0, $1?.json ?? .null) })
    }
}
