/// A JSON value whose object members keep the order in which they were given.
///
/// It is written in one of two forms: `line`, which keeps that order, because HealthProbe's answers are read by people as
/// well as by programs; and `canonicalText` (RFC 8785), which hashes and the archive need.
package indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// Any number; NaN and the infinities are written as `null`.
    case double(Double)
    case string(String)
    case array([JSON])
    /// No name occurs twice; names differ as bytes (Swift's `==` would merge canonically equivalent ones).
    case object([(String, JSON)])
    /// Text that is canonical JSON already.
    case canonical(String)
}

extension JSON {
    /// A whole number.
    package static func int(_ value: Int) -> JSON { .int(Int64(value)) }

    /// The value's JSON, or `null` when there is none.
    package static func optional(_ value: (some JSONConvertible)?) -> JSON { value?.json ?? .null }

    /// An instant of whole Unix seconds as `2024-05-01T10:00:00.000Z`, or `null` when there is none.
    package static func instant(_ seconds: Int64?) -> JSON {
        .optional(seconds.map { ISO8601.string(unixSeconds: $0) })
    }

    /// The value of a stored attribute as it is printed: an integer among attributes is an instant, all other values are text.
    package var spelledOut: JSON { if case .int(let seconds) = self { .instant(seconds) } else { self } }

    /// An instant of fractional Unix seconds as `2024-05-01T10:00:00.250Z`, or `null` when there is none.
    package static func instant(_ seconds: Double?) -> JSON {
        .optional(seconds.map { ISO8601.string(unixSeconds: $0) })
    }

    /// An object of counts by name.
    package static func counts(_ counts: [String: Int64]) -> JSON {
        .object(counts.map { ($0.key, .int($0.value)) })
    }

    /// An object with further members at its end; every other value as it is.
    package func adding(_ more: [(String, JSON)]) -> JSON {
        if case .object(let members) = self { .object(members + more) } else { self }
    }

    /// The first member of that name of an object; nil for everything else.
    package subscript(_ name: String) -> JSON? {
        members.first { $0.0.hasBytes(of: name) }?.1
    }

    /// The elements of an array; none for anything else.
    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The members of an object; none for anything else.
    package var members: [(String, JSON)] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The text of a string; nil for anything else.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number; nil for anything else.
    package var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// A number, whole or not; nil for anything else.
    package var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// A truth value; nil for anything else.
    package var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
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
        case (.string(let a), .string(let b)), (.canonical(let a), .canonical(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.elementsEqual(b) { $0.0 == $1.0 && $0.1 == $1.1 }
        default: false
        }
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .int(value) }
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
