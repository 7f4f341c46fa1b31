/// What HealthKit's own table says of one quantity type: how its samples add up, and in which unit.
package struct QuantityType: Sendable, Hashable, Decodable {
    /// The full identifier, as it is in exports.
    package let identifier: String
    /// How the values of several samples become one.
    package let style: AggregationStyle
    /// HealthKit's canonical unit; `nil` for a type that the table does not know.
    package let unit: String?
    /// The name of the unit's dimension, for people; `nil` for a type that the table does not know.
    package let dimension: String?

    /// How HealthKit aggregates a type.
    package struct AggregationStyle: RawRepresentable, Sendable, Hashable, Decodable {
        /// HealthKit's name of the style.
        package let rawValue: String

        /// The style of that name, also of one that is not listed below.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Values are amounts that add up.
        package static let cumulative = AggregationStyle(rawValue: "cumulative")
        /// Values are readings whose mean counts each alike.
        package static let discreteArithmetic = AggregationStyle(rawValue: "discreteArithmetic")
        /// Values are readings whose mean weighs each by its duration.
        package static let discreteTemporallyWeighted = AggregationStyle(rawValue: "discreteTemporallyWeighted")
        /// Values are sound levels whose mean is taken of their energy.
        package static let discreteEquivalentContinuousLevel = AggregationStyle(
            rawValue: "discreteEquivalentContinuousLevel")
        /// What is assumed of a type that is not in the table: readings must never be summed up by mistake.
        package static let discreteAssumed = AggregationStyle(rawValue: "discreteAssumed")

        /// Whether values add up; everything else is a reading.
        package var isCumulative: Bool { self == .cumulative }
    }

    /// Whether values add up; everything else is a reading.
    package var isCumulative: Bool { style.isCumulative }

    /// Whether HealthKit's table has the type, or its style is only assumed.
    package var isKnown: Bool { style != .discreteAssumed }
}
