package import ArchiveRows
package import HealthModel

/// What `aggregates` is asked for.
package struct AggregateQuestion: Sendable {
    /// How long a bucket is.
    package enum Size: String, Sendable, CaseIterable {
        /// A local day of the chain's zone.
        case day
        /// A local month of it.
        case month

        /// The first day of the bucket that a day is in, and the first one behind it.
        func days(around day: Int64) -> (first: Int64, next: Int64) {
            self == .day ? (day, day + 1) : LocalDate.monthBounds(day: day)
        }
    }

    package var size = Size.day
    /// Nil for all types.
    package var types: TypeFilter?
    /// Only buckets that end after this instant.
    package var since: Int64?
    /// Only buckets that begin before this instant.
    package var until: Int64?
    /// Only these sources; nil for all.
    package var source: SourceFilter?

    package init() {}

    /// The local days that are asked for: the first one, and the one behind the last; months count in full.
    package func days(_ clock: inout ZoneClock) -> (first: Int64, next: Int64) {
        let first = since.map { size.days(around: clock.day(of: $0)).first } ?? .min
        let next = until.map { size.days(around: clock.day(of: $0 - 1)).next } ?? .max
        return (first, next)
    }
}

/// The aggregate of a type in a local day or month, of one source or of several together.
package struct AggregateBucket: Sendable {
    package var type: String
    /// `2024-05-01`, or `2024-05` for a month.
    package var label: String
    /// The first instant of the bucket and the first one behind it, in Unix seconds.
    package var start: Int64
    package var end: Int64
    /// Nil where records name none, and in a row over several sources.
    package var sourceName: String?
    /// The versions of the source that the bucket has, sorted.
    package var sourceVersions: [String]
    package var unit: String?
    package var aggregate: Aggregate
    /// Set in a row over several sources of a cumulative type: how many. What two of them recorded at the same time is
    /// in it twice.
    package var overlappingSources: Int?
}
