/// What an import changed, counted per type.
struct ChangeTally {
    struct Counts {
        var appeared: Int64 = 0
        var disappeared: Int64 = 0
        var changed: Int64 = 0
        var evidence: [String: Int64] = [:]
        var fields: [String: Int64] = [:]
    }

    private(set) var types: [Int64: Counts] = [:]

    mutating func appeared(_ type: Int64, _ count: Int64 = 1) { types[type, default: Counts()].appeared += count }

    mutating func disappeared(_ type: Int64, _ count: Int64 = 1) {
        types[type, default: Counts()].disappeared += count
    }

    mutating func changed(_ type: Int64, _ rule: MatchRule, _ fields: [String]) {
        types[type, default: Counts()].changed += 1
        types[type]?.evidence[rule.name, default: 0] += 1
        for field in fields { types[type]?.fields[field, default: 0] += 1 }
    }
}
