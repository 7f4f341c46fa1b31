/// One or more replacement records and the records that they replaced.
package struct ConsolidationGroup: Sendable {
    /// On what evidence the group was found.
    package enum Basis: String, Sendable, Codable {
        /// The replacement carries HealthKit's condenser identifier.
        case condenserIdentifier
        /// Interval and sum, or mean, agree: consolidation is likely.
        case intervalAndSum
    }

    /// How much of what the replacement replaced was ever visible.
    package enum Completeness: String, Sendable, Codable {
        /// As many as were declared, or as many as make up the total.
        case complete
        /// Fewer than were declared.
        case partial
        /// None: they were gone before the chain's first export, or came and went between two.
        case none
    }

    /// A record that the replacement replaced.
    package struct Constituent: Sendable, Equatable {
        /// The row as it was last visible.
        package var rowID: Int64
        /// The row that the question's diff reports as disappeared; nil where the earlier side did not show the record.
        ///
        /// It is another one than `rowID` where a rename or a unit setting came in between.
        package var disappearedRowID: Int64?
        /// The id of the observation that showed it last.
        package var lastVisibleAt: Int64
        /// Whether another constituent of the group replaced it: it is explained, and not summed a second time.
        package var isNested: Bool
    }

    /// From 1, in the order of type, start and end of the first replacement.
    package var number: Int64
    /// The sample type's identifier.
    package var type: String
    package var basis: Basis
    package var completeness: Completeness
    /// The workout's UUID; nil without the condenser's identifier.
    package var workout: String?
    /// How many original samples went in, as the condenser says; nil without its identifier.
    package var declaredCount: Int64?
    /// The rows of the replacements, by start, end, identity, version and ordinal.
    package var replacements: [Int64]
    package var evidence: GroupEvidence
}

/// The role of a row in a group.
package struct ConsolidationMembership: Sendable, Equatable {
    package enum Role: Int64, Sendable {
        case replacement = 0
        case constituent = 1
    }

    package var group: Int64
    package var role: Role
}
