internal import Foundation

/// Which records belong to a workout, type by type.
///
/// An export has no link from a record to its workout but for nested records and the condenser's identifiers. Each record
/// gets the first evidence that holds. Of a type, the records with the evidence nested, condenser or same source count where
/// there are any, else those of one other source: the first by the athlete's order, then watch, phone, other, then name.
/// Never the source with most records: that would change with consolidation.
package enum SampleSelection {
    /// A record that overlaps the workout, after unusable ones were left out.
    package struct Candidate: Sendable {
        package var type: SeriesType
        /// Its evidence is set by the selection.
        package var reading: Reading
        /// The source's name, folded.
        package var source: String
        package var device: SourceKind
        package var isNested: Bool
        /// To which workout the condenser's identifier of the record belongs.
        package var owner: Owner

        package init(
            type: SeriesType, reading: Reading, source: String, device: SourceKind = .other, isNested: Bool = false,
            owner: Owner = .unknown
        ) {
            (self.type, self.reading, self.source) = (type, reading, source)
            (self.device, self.isNested, self.owner) = (device, isNested, owner)
        }
    }

    /// To which workout a condensed record belongs.
    package enum Owner: Sendable {
        case this, another, unknown
    }

    /// The records of one type that count.
    package struct Series: Sendable, Equatable {
        /// In the order of readings.
        package var readings: [Reading]

        package init(_ readings: [Reading]) { self.readings = readings }

        /// How many of them have each evidence.
        package func count(_ evidence: Evidence) -> Int { readings.count { $0.evidence == evidence } }

        /// How many carry the condenser's identifier.
        package var condensedCount: Int { readings.count { $0.isCondensed } }
    }

    /// The records of a workout by type, and what is to be said about them.
    package struct Selected: Sendable {
        package var series: [SeriesType: Series] = [:]
        package var labels: Set<Label> = []
    }

    /// A source's name as it is compared: no-break spaces are spaces, Unicode is composed.
    package static func folded(_ source: String) -> String {
        String(
            source.precomposedStringWithCanonicalMapping.unicodeScalars.lazy.map {
                $0 == "\u{A0}" ? Character(" ") : Character($0)
            })
    }

    /// Chooses the records of a workout.
    ///
    /// - Parameters:
    ///   - candidates: in the order of readings.
    ///   - source: the workout's source, folded.
    ///   - shared: the intervals of the other workouts of the source that overlap this one by more than 60 s.
    ///   - order: the athlete's order of sources.
    package static func choose(
        _ candidates: [Candidate], of source: String, shared: [Interval], order: SourceOrder
    ) -> Selected {
        var selected = Selected()
        for (type, found) in Dictionary(grouping: candidates, by: \.type) {
            var own: [Reading] = []
            var others: [Candidate] = []
            for candidate in found {
                var reading = candidate.reading
                reading.evidence = evidence(of: candidate, source)
                if reading.evidence == .otherSource {
                    others.append(candidate)
                } else {
                    own.append(reading)
                    if reading.evidence == .sameSource, shared.contains(where: { touches(reading.interval, $0) }) {
                        selected.labels.insert(.sharedInterval)
                    }
                }
            }
            if own.isEmpty {
                own = preferred(others, order)
                if type == .heartRate || type.isDistance, !own.isEmpty { selected.labels.insert(.otherSource) }
            }
            if !own.isEmpty { selected.series[type] = Series(own) }
        }
        return selected
    }

    private static func evidence(of candidate: Candidate, _ source: String) -> Evidence {
        if candidate.isNested { return .nested }
        switch candidate.owner {
        case .this: return .condenser
        case .another: return .otherSource
        case .unknown: return candidate.source == source ? .sameSource : .otherSource
        }
    }

    private static func preferred(_ candidates: [Candidate], _ order: SourceOrder) -> [Reading] {
        typealias Key = (order: Int, device: Int, name: String)
        func key(_ candidate: Candidate) -> Key {
            (order[candidate.source] ?? .max, candidate.device.rawValue, candidate.source)
        }
        guard let first = candidates.min(by: { key($0) < key($1) }) else { return [] }
        return candidates.filter { $0.source == first.source }.map {
            var reading = $0.reading
            reading.evidence = .otherSource
            return reading
        }
    }

    /// Whether a record overlaps a workout: for more than 0 s, or as an instant within it.
    package static func touches(_ record: Interval, _ workout: Interval) -> Bool {
        record.seconds == 0 ? workout.contains(record.start) : record.overlap(workout) > 0
    }
}
