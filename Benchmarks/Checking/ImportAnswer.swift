/// The part of `import --json` that is held against the generator's truth.
struct ImportAnswer: Decodable {
    /// Counts of the whole observation or of one type.
    struct Counts: Decodable, Equatable {
        var read: Int
        var visible: Int
        var appeared: Int
        var disappeared: Int
        var representationChanged: Int
    }

    /// A type's name beside its counts.
    struct TypeName: Decodable {
        var type: String
    }

    var totals: Counts
    var types: [String: Counts]

    private enum Key: CodingKey {
        case totals
        case types
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        totals = try container.decode(Counts.self, forKey: .totals)
        let names = try container.decode([TypeName].self, forKey: .types).map(\.type)
        let counts = try container.decode([Counts].self, forKey: .types)
        types = Dictionary(zip(names, counts), uniquingKeysWith: { first, _ in first })
    }
}
