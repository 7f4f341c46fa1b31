/// A printed value in its dimension's common unit, with how exactly it was printed.
package struct ConvertedValue: Sendable {
    /// The value in the common unit.
    package var value: Double
    /// Half a unit of the sixth significant digit as it was printed, in the common unit; 0 for 0.
    package var tolerance: Double

    /// A value in the common unit with its tolerance in that unit.
    package init(value: Double, tolerance: Double) {
        self.value = value
        self.tolerance = tolerance
    }

    /// Whether two values printed in two *different* units of one dimension can be one value: they differ by at most the
    /// sum of their tolerances, the bound included (section 3 of the contract, pass 4; decision 0011).
    ///
    /// It is wrong when two close measurements happen to agree that well; so it is asked only of records that share
    /// start, end and creation date.
    package func agrees(with other: ConvertedValue) -> Bool {
        abs(value - other.value) <= tolerance + other.tolerance
    }
}
