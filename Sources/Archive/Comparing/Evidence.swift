/// By which pass of section 3 of the design two copies were linked; raw values are stored.
package enum Evidence: Int64, Sendable, CaseIterable {
    case strictKey = 1
    case syncIdentifier
    case externalUUID
    case activityUUID
    case unitConversion
    case valueSynonym

    /// The name in JSON.
    package var name: String {
        switch self {
        case .strictKey: "strictKey"
        case .syncIdentifier: "syncIdentifier"
        case .externalUUID: "externalUUID"
        case .activityUUID: "activityUUID"
        case .unitConversion: "unitConversion"
        case .valueSynonym: "valueSynonym"
        }
    }
}
