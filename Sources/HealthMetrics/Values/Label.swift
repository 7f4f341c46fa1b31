package import TextFormats

/// A choice on which a value rests, or a doubt about it; no label means that nothing special happened.
package enum Label: String, Sendable, CaseIterable {
    case durationMismatch, invalidInterval, implausible, negativeValue, implausibleHeartRate, unitUnknown
    case uuidAmbiguous, otherSource, sharedInterval, duplicateOf, edgeProrated, distanceGap, distanceUnreliable
    case noDistanceSeries, splitsFromRoute, appleSplitDisagrees, gpsGap, routeOutsideWorkout, routePointsLeftOut
    case routeUnreadable, heartRateDisagrees, condensed, maxHeartRateEstimated, thresholdEstimated
    case stressMissing, warmUp, partialDay, provisional, hrvAllDay, hrvValueDisagrees, inBedOnly
    case appleMergeApproximated, ringDisagrees, typeExcluded, customPacingAsEven, runTypeDisagrees
    case playedOutsideWorkout, uncertain
}

extension Set<Label> {
    /// The labels in the order of the table in `docs/metrics.md`.
    package var ordered: [Label] { Label.allCases.filter(contains) }

    /// The names of the labels in that order.
    package var json: JSON { .array(ordered.map { .string($0.rawValue) }) }
}
