package import HealthModel
package import Store

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
    /// What a row is of.
    package enum Level: String, Sendable {
        /// One source.
        case source
        /// The plain sum over several sources: what two of them recorded at the same time is in it twice.
        case sum
        /// All sources, each stretch of time once.
        case merged
    }

    /// A value of a category type.
    package struct CategoryValue: Sendable {
        package var value: String
        package var count: Int64
        /// The seconds that records of this value cover, each once.
        package var seconds: Int64

        package init(value: String, count: Int64, seconds: Int64) {
            (self.value, self.count, self.seconds) = (value, count, seconds)
        }
    }

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
    /// Set in the plain sum over several sources of a cumulative type: how many.
    package var overlappingSources: Int?
    package var level = Level.source
    /// Of category types, by value; nil for others, and where nobody read the records.
    package var values: [CategoryValue]?

    /// The merged total of the same interval and type.
    ///
    /// - Parameters:
    ///   - count: the records of all sources.
    ///   - sum: what counts once, in `unit`.
    package func merged(unit: String, count: Int64, numberCount: Int64, sum: Double) -> AggregateBucket {
        var total = self
        (total.sourceName, total.sourceVersions, total.unit) = (nil, [], unit)
        (total.overlappingSources, total.level, total.values) = (nil, .merged, nil)
        total.aggregate = Aggregate.none
        (total.aggregate.count, total.aggregate.numberCount, total.aggregate.terms) = (count, numberCount, [sum])
        return total
    }
}
