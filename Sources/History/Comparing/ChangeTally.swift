internal import Basics

/// The changes between two states, counted per type.
package struct ChangeTally {
    package struct Counts {
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        package var changed: Int64 = 0
        /// Changes of representation by the name of the rule that linked them, and by changed field.
        package var matchRules: [String: Int64] = [:]
        package var fields: [String: Int64] = [:]

        package init() {}

        /// `evidence` and `fields` as `type_runs` stores them.
        package var matchRulesJSON: String { JSON.counts(matchRules).canonicalText }
        package var fieldsJSON: String { JSON.counts(fields).canonicalText }
    }

    package private(set) var types: [Int64: Counts] = [:]

    package init() {}

    /// The changes of a chain's first observation, in which everything appears.
    package init(appeared counts: [Int64: Int64]) {
        for (type, count) in counts { addAppeared(count, of: type) }
    }

    package subscript(type: Int64) -> Counts { types[type] ?? Counts() }

    package mutating func addAppeared(_ count: Int64 = 1, of type: Int64) {
        types[type, default: Counts()].appeared += count
    }

    package mutating func addDisappeared(_ count: Int64 = 1, of type: Int64) {
        types[type, default: Counts()].disappeared += count
    }

    package mutating func addChange(of type: Int64, _ rule: MatchRule, _ fields: [String]) {
        addChanges(1, of: type, rule)
        for field in fields { addChangedField(field, 1, of: type) }
    }

    package mutating func addChanges(_ count: Int64, of type: Int64, _ rule: MatchRule) {
        types[type, default: Counts()].changed += count
        types[type]?.matchRules[rule.name, default: 0] += count
    }

    package mutating func addChangedField(_ field: String, _ count: Int64, of type: Int64) {
        types[type, default: Counts()].fields[field, default: 0] += count
    }
}
