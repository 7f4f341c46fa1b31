/// Why what a comparison says of a type is uncertain.
package enum Uncertainty: String, Codable, Sendable {
    case appearancesAfterExcluded = "appearancesAfter:excluded"
    case appearancesAfterIncomplete = "appearancesAfter:incomplete"
    case disappearancesTowardsIncomplete = "disappearancesTowards:incomplete"
    /// Links between the observations join too many records of a type to follow them all.
    case linksNotFollowed
    case constituentsMissing, moreGoneThanDeclared, aggregationStyleAssumed
}
