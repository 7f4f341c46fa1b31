/// What HealthKit's condenser writes of a series it made.
struct SeriesMark: Equatable {
    /// Version of the condenser.
    var version: Int
    /// The workout whose samples were condensed.
    var workout: UniqueIdentifier
    /// Bounds in 1/100,000 s since 2001-01-01 UTC (`CFAbsoluteTime` with five decimals).
    var startTicks: Int
    var endTicks: Int
    /// Samples that went into it.
    var count: Int
    /// Whether the identifier is printed.
    var isMarked: Bool
}
