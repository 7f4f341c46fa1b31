/// A JSON value whose object members keep the order in which they were given.
///
/// HealthProbe's JSON is read by people as well as by programs, so the order of the members is part of what is shown;
/// a dictionary would shuffle it at every run.
package enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// Any number; NaN and the infinities are written as `null`.
    case double(Double)
    /// A string.
    case string(String)
    /// A list of values.
    case array([JSON])
    /// Members in the order in which they are written; the caller sees to it that no name occurs twice.
    case object([(String, JSON)])
}

extension JSON {
    /// The value as one line of JSON, without a line end.
    package var text: String { JSONText.string(self) }

    /// The string, or `null` when there is none.
    package static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    /// The integer, or `null` when there is none.
    package static func optional(_ value: Int?) -> JSON { value.map { .int($0) } ?? .null }

    /// The number, or `null` when there is none.
    package static func optional(_ value: Double?) -> JSON { value.map { .double($0) } ?? .null }

    /// The truth value, or `null` when there is none.
    package static func optional(_ value: Bool?) -> JSON { value.map { .bool($0) } ?? .null }

    /// An object with further members at its end; every other value as it is.
    package func adding(_ more: [(String, JSON)]) -> JSON {
        if case .object(let members) = self { .object(members + more) } else { self }
    }

    /// The first member of that name of an object; `nil` for everything else.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }
}

extension JSON: Equatable {
    /// Values are equal when they have the same shape and, in objects, the same order of members.
    package static func == (lhs: JSON, rhs: JSON) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.elementsEqual(b) { $0.0 == $1.0 && $0.1 == $1.1 }
        default: false
        }
    }
}

extension JSON: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = .double(value) }
}

extension JSON: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
}
