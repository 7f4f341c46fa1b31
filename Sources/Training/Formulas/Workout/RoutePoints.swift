package import Basics
internal import Foundation

/// The points of a route file (GPX 1.1 as the Health app writes it).
///
/// A position beyond the poles or the date line is left out and counted; those without a time are kept apart. A file that
/// ends early, or is no GPX, is damaged: none of its points count.
package struct RoutePoints: Sendable {
    package private(set) var points: [Route.Point] = []
    /// Positions without a time, by segment.
    package private(set) var untimed: [[Route.Position]] = []
    package private(set) var leftOut = 0
    /// The number of the last segment; the first of a file goes on with it.
    private var segment: Int
    package private(set) var isDamaged = false

    /// - Parameter segment: the number of the segment that the points before ended with.
    package init(after segment: Int = 0) { self.segment = segment }

    /// The number of the segment of the last point.
    package var lastSegment: Int { segment }

    /// Adds the points of a file.
    package mutating func read(gpx bytes: [UInt8]) {
        bytes.withByteView { view in
            var scan = GPXScan(view)
            var found: [Route.Point] = []
            var positions: [[Route.Position]] = []
            var empty = 0
            var isFirst = true
            var number = segment
            while let beginsSegment = scan.nextPoint() {
                if beginsSegment {
                    if !isFirst { number += 1 }
                    positions.append([])
                    isFirst = false
                }
                guard let point = scan.point() else {
                    isDamaged = true
                    return
                }
                switch point {
                case .point(var point):
                    point.segment = number
                    found.append(point)
                case .position(let position):
                    if positions.isEmpty { positions.append([]) }
                    positions[positions.count - 1].append(position)
                case .nothing: empty += 1
                }
            }
            guard scan.skip(past: "</gpx>") else {
                isDamaged = true
                return
            }
            points += found
            untimed += positions.filter { !$0.isEmpty }
            leftOut += empty
            segment = number
        }
    }

    /// Adds a point of an old export's `Location` element; its date is an instant.
    package mutating func add(location: JSON) {
        func number(_ name: String) -> Double? { location[name]?.string.flatMap { Double($0) } }
        let date = location["date"]
        let instant = date?.int.map(Double.init) ?? date?.string?.withByteView { ISO8601.seconds($0) }
        guard let latitude = number("latitude"), let longitude = number("longitude"),
            let point = Self.point(
                instant ?? 0, latitude, longitude, elevation: number("altitude"),
                horizontal: number("horizontalAccuracy"), vertical: number("verticalAccuracy"))
        else {
            leftOut += 1
            return
        }
        if instant != nil { return points.append(point) }
        if untimed.isEmpty { untimed.append([]) }
        untimed[0].append(Route.Position(latitude: latitude, longitude: longitude, elevation: point.elevation))
    }

    /// A point; nil for a position that is none.
    fileprivate static func point(
        _ instant: Double, _ latitude: Double, _ longitude: Double, elevation: Double?, horizontal: Double?,
        vertical: Double?
    ) -> Route.Point? {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        func known(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
        return Route.Point(
            instant, latitude: latitude, longitude: longitude, elevation: known(elevation),
            horizontalAccuracy: known(horizontal).flatMap { $0 < 0 ? nil : $0 },
            verticalAccuracy: known(vertical).flatMap { $0 < 0 ? nil : $0 })
    }
}

/// Goes through a GPX file from one point to the next.
private struct GPXScan {
    private let bytes: ByteView
    private var at = 0

    /// What a point's element says.
    enum Found {
        case point(Route.Point)
        /// No time.
        case position(Route.Position)
        /// No position.
        case nothing
    }

    /// Where the next segment begins; nil where none does.
    private var nextSegment: Int?

    init(_ bytes: ByteView) {
        self.bytes = bytes
        nextSegment = find("<trkseg", from: 0)
    }

    /// Goes behind the next `<trkpt`, and says whether a segment begins before it; nil where there is none.
    mutating func nextPoint() -> Bool? {
        guard skip(past: "<trkpt") else { return nil }
        var begins = false
        while let segment = nextSegment, segment < at {
            begins = true
            nextSegment = find("<trkseg", from: segment + 1)
        }
        return begins
    }

    /// Goes behind the next occurrence of a text; false where there is none.
    mutating func skip(past text: StaticString) -> Bool {
        guard let found = find(text, from: at) else { return false }
        at = found + text.utf8CodeUnitCount
        return true
    }

    /// The point whose tag begins here: nil where it does not end.
    mutating func point() -> Found? {
        guard let tagEnd = find(">", from: at) else { return nil }
        let isEmpty = bytes[tagEnd - 1] == UInt8(ascii: "/")
        guard let end = isEmpty ? tagEnd : find("</trkpt>", from: tagEnd) else { return nil }
        defer { at = end }
        let (tag, body) = (bytes[at..<tagEnd], bytes[tagEnd..<end])
        func value(_ name: StaticString, in view: ByteView, to mark: UInt8) -> ByteView? {
            guard let place = view.firstIndex(of: ByteView(name)) else { return nil }
            let rest = view[(place + name.utf8CodeUnitCount)...]
            return rest[0..<(rest.firstIndex(of: mark) ?? rest.count)]
        }
        func attribute(_ name: StaticString) -> Double? {
            value(name, in: tag, to: .quotationMark).flatMap { Double($0.string) }
        }
        func element(_ open: StaticString) -> ByteView? { value(open, in: body, to: UInt8(ascii: "<")) }
        func number(_ open: StaticString) -> Double? {
            element(open).flatMap { Double($0.string) }
        }
        guard let latitude = attribute("lat=\""), let longitude = attribute("lon=\"") else { return .nothing }
        let instant = element("<time>").flatMap { ISO8601.seconds($0) }
        let point = RoutePoints.point(
            instant ?? 0, latitude, longitude, elevation: number("<ele>"), horizontal: number("<hAcc>"),
            vertical: number("<vAcc>"))
        guard let point else { return .nothing }
        return instant == nil
            ? .position(Route.Position(latitude: latitude, longitude: longitude, elevation: point.elevation))
            : .point(point)
    }

    private func find(_ text: StaticString, from: Int) -> Int? {
        from <= bytes.count ? bytes.firstIndex(of: ByteView(text), from: from) : nil
    }
}
