internal import HealthModel

/// What an export counted on its way.
struct ItemTally {
    /// Items by type as it is printed.
    var types: [ExactText: Int64] = [:]
    /// Items by role.
    var roles: [ItemRole: Int64] = [:]
    /// What the provenance profile left out or blanked: name and count.
    var leftOut: [String: Int64] = [:]

    mutating func add(type: String, count: Int64 = 1) { types[ExactText(type), default: 0] += count }

    mutating func leave(_ what: String, count: Int64 = 1) { if count > 0 { leftOut[what, default: 0] += count } }
}
