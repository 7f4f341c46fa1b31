/// Why what a comparison says of a type is uncertain.
package enum Uncertainty: String, Codable, Sendable {
    case appearancesAfterExcluded = "appearancesAfter:excluded"
    case appearancesAfterIncomplete = "appearancesAfter:incomplete"
    case disappearancesTowardsIncomplete = "disappearancesTowards:incomplete"
    case constituentsMissing, moreGoneThanDeclared, aggregationStyleAssumed
}
