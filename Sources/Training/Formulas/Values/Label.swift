package import Basics

/// A choice on which a value rests, or a doubt about it; no label means that nothing special happened.
package enum Label: String, Sendable, CaseIterable {
    case durationMismatch, invalidInterval, implausible, negativeValue, implausibleHeartRate, unitUnknown
    case uuidAmbiguous, otherSource, sharedInterval, duplicateOf, edgeProrated, distanceGap, distanceUnreliable
    case noDistanceSeries, splitsFromRoute, appleSplitDisagrees, gpsGap, routeOutsideWorkout, routePointsLeftOut
    case routeWithoutTimes, routeCarriedOver, routeUnreadable, heartRateDisagrees, condensed, maxHeartRateEstimated
    case thresholdEstimated
    case stressMissing, warmUp, partialDay, provisional, hrvAllDay, hrvValueDisagrees, inBedOnly
    case napOnly, implausibleRestingHeartRate, implausibleHRV, afterExport, sumOfActivities
    case mergedBySourceOrder, ringDisagrees, typeExcluded, customPacingAsEven, runTypeDisagrees
    case playedOutsideWorkout, uncertain
}

/// Of labels and of causes the order is that of their tables in `docs/metrics.md`.
extension Set where Element: CaseIterable & RawRepresentable<String> {
    /// Those that are in the set, in the order of all.
    package var ordered: [Element] { Element.allCases.filter(contains) }

    /// Their names in that order.
    package var json: JSON { .array(ordered.map { .string($0.rawValue) }) }
}
