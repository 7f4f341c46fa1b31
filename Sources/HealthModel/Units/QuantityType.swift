/// What HealthKit's own table says of one quantity type: how its samples add up, and in which unit.
package struct QuantityType: Sendable, Hashable, Decodable {
    /// The full identifier, as it is in exports.
    package let identifier: String
    /// HealthKit's name of how the values of several samples become one, such as `cumulative` or `discreteArithmetic`;
    /// `nil` for a type that the table does not know.
    package let style: String?
    /// HealthKit's canonical unit; `nil` for a type that the table does not know.
    package let unit: String?
    /// The name of the unit's dimension, for people; `nil` for a type that the table does not know.
    package let dimension: String?

    /// Whether values add up; everything else is a reading. So is an unknown type: no reading is summed up by mistake.
    package var isCumulative: Bool { style == "cumulative" }

    /// Whether HealthKit's table has the type, or its style is only assumed.
    package var isKnown: Bool { style != nil }
}
