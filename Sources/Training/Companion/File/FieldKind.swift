internal import Basics
internal import Foundation

/// What the value of a member may be.
struct FieldKind<Value: Sendable>: Sendable {
    /// What is expected, for messages.
    let expected: String
    let read: @Sendable (JSON) -> Result<Value, CompanionFinding.ErrorCode>

    private init(_ expected: String, read: @escaping @Sendable (JSON) -> Result<Value, CompanionFinding.ErrorCode>) {
        self.expected = expected
        self.read = read
    }

    /// A kind whose values are of one type.
    init(_ expected: String, _ value: @escaping @Sendable (JSON) -> Value?) {
        self.init(expected, read: { json in value(json).map { .success($0) } ?? .failure(.wrongType) })
    }

    /// The same within limits.
    func limited(to expected: String, _ holds: @escaping @Sendable (Value) -> Bool) -> FieldKind {
        FieldKind(expected, read: { json in read(json).flatMap { holds($0) ? .success($0) : .failure(.outOfRange) } })
    }
}

extension FieldKind<String> {
    static let text = FieldKind("a string") { $0.string }

    /// A UUID in any case, as it is written.
    static let uuid = FieldKind("a UUID") { json in
        json.string.flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
    }

    /// One of some words.
    static func choice(_ words: [String]) -> FieldKind {
        FieldKind("one of " + words.joined(separator: ", ")) { json in
            guard let text = json.string else { return .failure(.wrongType) }
            return words.contains(text) ? .success(text) : .failure(.unknownValue)
        }
    }

    /// A string whose content is JSON.
    static let json = FieldKind("a string that is JSON") { json in
        json.string.flatMap { (try? JSON.document(Array($0.utf8))) == nil ? nil : $0 }
    }
}

extension FieldKind<Double> {
    static let number = FieldKind("a number") { $0.number }
    static let positive = number.limited(to: "a number above 0") { $0 > 0 }
    static let whole = FieldKind("a whole number") { json in
        json.number.flatMap { $0 == $0.rounded() && abs($0) < 1e15 ? $0 : nil }
    }

    /// An instant as Unix seconds.
    static let date = FieldKind("a date of ISO 8601 with a zone") { json in
        json.string?.withByteView { ISO8601.seconds($0) }
    }
}

extension FieldKind<Bool> {
    static let flag = FieldKind("true or false") { $0.bool }
}
