internal import HealthModel
internal import TextFormats

/// The changes between two states, counted per type.
struct ChangeTally {
    struct Counts {
        var appeared: Int64 = 0
        var disappeared: Int64 = 0
        var changed: Int64 = 0
        /// Changes of representation by the name of the rule that linked them, and by changed field.
        var evidence: [String: Int64] = [:]
        var fields: [String: Int64] = [:]

        /// `evidence` and `fields` as `type_runs` stores them.
        var evidenceJSON: String { JSON.counts(evidence).canonicalText }
        var fieldsJSON: String { JSON.counts(fields).canonicalText }
    }

    private(set) var types: [Int64: Counts] = [:]

    init() {}

    /// The changes of a chain's first observation, in which everything appears.
    init(appeared counts: [Int64: Int64]) {
        for (type, count) in counts { addAppeared(count, of: type) }
    }

    subscript(type: Int64) -> Counts { types[type] ?? Counts() }

    mutating func addAppeared(_ count: Int64 = 1, of type: Int64) { types[type, default: Counts()].appeared += count }

    mutating func addDisappeared(_ count: Int64 = 1, of type: Int64) {
        types[type, default: Counts()].disappeared += count
    }

    mutating func addChange(of type: Int64, _ rule: MatchRule, _ fields: [String]) {
        addChanges(1, of: type, rule)
        for field in fields { addChangedField(field, 1, of: type) }
    }

    mutating func addChanges(_ count: Int64, of type: Int64, _ rule: MatchRule) {
        types[type, default: Counts()].changed += count
        types[type]?.evidence[rule.name, default: 0] += count
    }

    mutating func addChangedField(_ field: String, _ count: Int64, of type: Int64) {
        types[type, default: Counts()].fields[field, default: 0] += count
    }
}
