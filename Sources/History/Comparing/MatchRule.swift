/// By which pass two rows were linked (docs/cli.md, `diff`).
///
/// Raw values are stored, but for `lineage`: links by several rules, which no neighbours have; the two that come by the million have the numbers
/// that take no byte in a row.
package enum MatchRule: Int64, Sendable, CaseIterable {
    case strictKey = 0
    case unitConversion = 1
    case syncIdentifier = 2
    case externalUUID = 3
    case activityUUID = 4
    case valueSynonym = 5
    case lineage = 6

    /// The rule of a name in JSON; nil for an unknown one.
    package init?(name: String) {
        guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = rule
    }

    /// The name in JSON.
    package var name: String {
        switch self {
        case .strictKey: "strictKey"
        case .syncIdentifier: "syncIdentifier"
        case .externalUUID: "externalUUID"
        case .activityUUID: "activityUUID"
        case .unitConversion: "unitConversion"
        case .valueSynonym: "valueSynonym"
        case .lineage: "lineage"
        }
    }
}
