/// One item of the simulated phone at one moment: a record, correlation, workout, summary or side file.
///
/// Samples exist only for the day of the type at hand; nothing holds more than that.
struct Sample {
    /// Unique within its type: day, index and what made it. Equal ids in two dumps are the same item.
    var id: UInt64
    /// Unix seconds.
    var start: Int
    var end: Int
    var creation: Int
    /// The quantity in the type's base unit, or the index of a category value, or -1 for no value.
    var value: Double
    var source: Source
    /// Index of the source's version.
    var version: Int
    /// Number of the workout of the day to which the sample belongs; 0 for none.
    var workout = 0
    /// In which pass over the days the sample is printed: newer ones are listed after older ones.
    var epoch: Int
    /// How often its source rewrote it (`HKMetadataKeySyncVersion` minus one).
    var revision = 0
    /// Set on the replacements that condensing made.
    var series: SeriesMark?
    /// True for replacements that later steps leave alone.
    var isFrozen = false

    /// The replacement of the sample, while the sample itself is still there; 0 for none.
    var pendingReplacement: UInt64 = 0

    /// What the sample shares with its copies and later forms: day and index.
    var key: UInt64 { id & 0xFFFF_FFFF_FFFF }
    var day: Int { Int(key >> 24) }
    var index: Int { Int(key & 0xFF_FFFF) }
}

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
