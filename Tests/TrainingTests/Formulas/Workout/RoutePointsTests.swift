import Testing
import Training

/// What counts of the points of route files.
@Suite struct RoutePointsTests {
    private static func gpx(_ segments: [[(latitude: Double, second: Int?)]]) -> [UInt8] {
        let printed = segments.map { points in
            points.map { latitude, second in
                let time = second.map { "<time>2024-06-03T16:00:\($0 < 10 ? "0" : "")\($0)Z</time>" } ?? ""
                return "<trkpt lat=\"\(latitude)\" lon=\"13\"><ele>30</ele>\(time)</trkpt>"
            }.joined()
        }
        return Array("<gpx><trk>\(printed.map { "<trkseg>\($0)</trkseg>" }.joined())</trk></gpx>".utf8)
    }

    private static let start = 1_717_430_400.0

    private static let active = ActiveTime(Interval(start, start + 60))

    private func route(_ points: RoutePoints) -> Route {
        Route(points.points, untimed: points.untimed, Self.active)
    }

    /// Between two segments of a file nobody knows the way.
    @Test func theGapBetweenTwoSegmentsIsNoWay() throws {
        var one = RoutePoints()
        one.read(gpx: Self.gpx([[(52, 0), (52.001, 10), (52.002, 20), (52.003, 30)]]))
        var two = RoutePoints()
        two.read(gpx: Self.gpx([[(52, 0), (52.001, 10)], [(52.002, 20), (52.003, 30)]]))
        let (whole, parts) = (try #require(route(one).metres), try #require(route(two).metres))
        #expect(abs(whole - 3 * 111.195) < 0.1 && abs(parts - 2 * 111.195) < 0.1)
        #expect(RouteOutline(route(two), Self.active).lines.count == 2)
        #expect(two.lastSegment == 1)
    }

    /// Points without a time are drawn and counted where no point has one, and make no pace.
    @Test func pointsWithoutTimes() {
        var points = RoutePoints()
        points.read(gpx: Self.gpx([[(52, nil), (52.001, nil)], [(52.002, nil), (52.003, nil), (91, nil)]]))
        #expect(points.points.isEmpty && points.untimed.map(\.count) == [2, 2] && points.leftOut == 1)
        let route = route(points)
        #expect(route.count == 4 && route.metres == nil && route.labels == [.routeWithoutTimes])
    }
}
