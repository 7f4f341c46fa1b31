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
        var first = since.map { clock.day(of: $0) } ?? .min
        var next = until.map { clock.day(of: $0 - 1) + 1 } ?? .max
        if size == .month {
            if first > .min { first = LocalDate.monthBounds(day: first).first }
            if next < .max { next = LocalDate.monthBounds(day: next - 1).next }
        }
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
