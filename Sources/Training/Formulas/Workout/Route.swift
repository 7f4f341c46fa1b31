internal import Foundation

/// The positions of a workout, in order of time, and what they measure.
package struct Route: Sendable {
    /// A point of a route file.
    package struct Point: Sendable, Hashable {
        /// Unix seconds.
        package var instant: Double
        /// Degrees.
        package var latitude: Double
        package var longitude: Double
        /// Metres.
        package var elevation: Double?
        package var horizontalAccuracy: Double?
        package var verticalAccuracy: Double?
        /// The segment of the route files that it belongs to: between two segments of a file nobody knows the way.
        package var segment = 0

        package init(
            _ instant: Double, latitude: Double, longitude: Double, elevation: Double? = nil,
            horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil
        ) {
            (self.instant, self.latitude, self.longitude) = (instant, latitude, longitude)
            (self.elevation, self.horizontalAccuracy) = (elevation, horizontalAccuracy)
            self.verticalAccuracy = verticalAccuracy
        }
    }

    /// A position without a time.
    package struct Position: Sendable, Hashable {
        /// Degrees.
        package var latitude: Double
        package var longitude: Double
        /// Metres.
        package var elevation: Double?

        package init(latitude: Double, longitude: Double, elevation: Double?) {
            (self.latitude, self.longitude, self.elevation) = (latitude, longitude, elevation)
        }
    }

    /// A step of more than 30 s outside pauses: counted as a straight line.
    package struct Gap: Sendable, Hashable {
        package var interval: Interval
        package var metres: Double
    }

    /// Within the workout, in order of time, one for each instant.
    package let points: [Point]
    /// The segments of route files of which no point has a time: they make no pace. Empty where one has.
    package let untimed: [[Position]]
    package let gaps: [Gap]
    /// The distance as a curve; empty where no leg counts.
    package let curve: DistanceCurve
    /// Why points were left out.
    package let labels: Set<Label>

    /// The mean radius of the earth in metres (IUGG).
    static let radius = 6_371_008.8
    private static let greatestHorizontalAccuracy = 50.0
    private static let greatestVerticalAccuracy = 25.0
    private static let longestStep = 30.0

    /// - Parameters:
    ///   - points: of all the workout's route files, in any order.
    ///   - untimed: the segments of the files where none of their points has a time.
    package init(_ points: [Point], untimed: [[Position]] = [], _ active: ActiveTime) {
        var inside: [Point] = []
        let window = active.workout
        for (_, point) in points.enumerated().sorted(by: {
            ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
        })
        where window.start <= point.instant && point.instant <= window.end && inside.last?.instant != point.instant {
            inside.append(point)
        }
        var labels: Set<Label> = []
        if inside.isEmpty, !points.isEmpty { labels.insert(.routeOutsideWorkout) }
        if points.isEmpty, !untimed.isEmpty { labels.insert(.routeWithoutTimes) }
        var legs: [Reading] = []
        var gaps: [Gap] = []
        let exact = inside.filter(Self.isExact)
        for (a, b) in zip(exact, exact.dropFirst()) where Self.isKnown(from: a, to: b, active) {
            let leg = Interval(a.instant, b.instant)
            let metres = Self.metres(from: a, to: b)
            legs.append(Reading(leg.start, leg.end, metres))
            if leg.seconds > Self.longestStep { gaps.append(Gap(interval: leg, metres: metres)) }
        }
        if !gaps.isEmpty { labels.insert(.gpsGap) }
        (self.points, self.gaps, self.labels) = (inside, gaps, labels)
        self.untimed = points.isEmpty ? untimed : []
        curve = DistanceCurve(legs, active)
    }

    /// The points that are exact enough for the route's length.
    var exactPoints: [Point] { points.filter(Self.isExact) }

    private static func isExact(_ point: Point) -> Bool {
        (point.horizontalAccuracy ?? 0) <= greatestHorizontalAccuracy
    }

    /// How many positions the route has within the workout.
    package var count: Int { points.count + untimed.reduce(0) { $0 + $1.count } }

    /// Whether two points are of one segment and no pause lies between them: else nobody knows the way.
    package static func isKnown(from a: Point, to b: Point, _ active: ActiveTime) -> Bool {
        guard a.segment == b.segment else { return false }
        let leg = Interval(a.instant, b.instant)
        return active.seconds(in: leg) >= leg.seconds - DistanceCurve.tolerance
    }

    /// The length of the legs in metres; nil where there are none.
    package var metres: Double? { curve.isEmpty ? nil : curve.total }

    /// The median of the points' horizontal accuracy in metres; nil where they state none.
    package var medianAccuracy: Double? { points.compactMap(\.horizontalAccuracy).median }

    /// The points whose elevation is known well enough.
    package var elevations: [(instant: Double, metres: Double)] {
        points.compactMap { point in
            guard let metres = point.elevation, (point.verticalAccuracy ?? 0) <= Self.greatestVerticalAccuracy else {
                return nil
            }
            return (point.instant, metres)
        }
    }

    /// The metres climbed and descended; nil where no elevation is known well enough.
    package var climb: (gain: Double, loss: Double)? {
        let heights = elevations.map(\.metres)
        return heights.isEmpty ? nil : Elevation.climb(heights)
    }

    /// The great-circle distance of two points (haversine formula).
    package static func metres(from a: Point, to b: Point) -> Double {
        let (lat1, lat2) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
        let dLat = lat2 - lat1
        let dLon = (b.longitude - a.longitude) * .pi / 180
        let h = pow(sin(dLat / 2), 2) + cos(lat1) * cos(lat2) * pow(sin(dLon / 2), 2)
        return 2 * radius * asin(min(1, h.squareRoot()))
    }
}
