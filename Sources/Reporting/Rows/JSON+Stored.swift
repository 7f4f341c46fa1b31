internal import HealthModel
internal import Presentation

extension JSON {
    /// The value of JSON that the archive stores, members in its order; nil for anything that is none: an archive may be
    /// damaged.
    static func stored(_ text: String) -> JSON? { CanonicalJSON.parse(text).map { JSON($0) } }

    private init(_ value: CanonicalJSON) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .int(Int(number))
        case .number(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSON($0) })
        case .object(let members): self = .object(members.map { ($0, JSON($1)) })
        case .canonical(let text): self = .stored(text) ?? .null
        }
    }
}
