internal import Foundation
package import TextFormats

/// The points of a route file (GPX 1.1 as the Health app writes it).
///
/// A point without a time, or with a position beyond the poles or the date line, is left out and counted. A file that ends
/// early, or is no GPX, is damaged: none of its points count.
package struct RoutePoints: Sendable {
    package private(set) var points: [Route.Point] = []
    package private(set) var leftOut = 0
    package private(set) var isDamaged = false

    package init() {}

    /// Adds the points of a file.
    package mutating func read(gpx bytes: [UInt8]) {
        bytes.withByteView { view in
            var scan = GPXScan(view)
            var found: [Route.Point] = []
            var empty = 0
            while scan.skip(past: "<trkpt") {
                guard let point = scan.point() else {
                    isDamaged = true
                    return
                }
                if case .point(let point) = point { found.append(point) } else { empty += 1 }
            }
            guard scan.skip(past: "</gpx>") else {
                isDamaged = true
                return
            }
            points += found
            leftOut += empty
        }
    }

    /// Adds a point of an old export's `Location` element; its date is an instant.
    package mutating func add(location: JSON) {
        func number(_ name: String) -> Double? { location[name]?.string.flatMap { Double($0) } }
        let date = location["date"]
        let instant = date?.int.map(Double.init) ?? date?.string?.withByteView { ISO8601.seconds($0) }
        guard let instant, let latitude = number("latitude"), let longitude = number("longitude"),
            let point = Self.point(
                instant, latitude, longitude, elevation: number("altitude"), horizontal: number("horizontalAccuracy"),
                vertical: number("verticalAccuracy"))
        else {
            leftOut += 1
            return
        }
        points.append(point)
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
        /// No time or no position.
        case nothing
    }

    init(_ bytes: ByteView) { self.bytes = bytes }

    /// Goes behind the next occurrence of a text; false where there is none.
    mutating func skip(past text: StaticString) -> Bool {
        guard let found = find(text, from: at) else { return false }
        at = found + text.utf8CodeUnitCount
        return true
    }

    /// The point whose tag begins here: nil where it does not end.
    mutating func point() -> Found? {
        guard let tagEnd = find(">", from: at) else { return nil }
        // An empty element has no time.
        if bytes[tagEnd - 1] == UInt8(ascii: "/") {
            at = tagEnd
            return .nothing
        }
        guard let end = find("</trkpt>", from: tagEnd) else { return nil }
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
        guard let latitude = attribute("lat=\""), let longitude = attribute("lon=\""),
            let instant = element("<time>").flatMap({ ISO8601.seconds($0) })
        else { return .nothing }
        let point = RoutePoints.point(
            instant, latitude, longitude, elevation: number("<ele>"), horizontal: number("<hAcc>"),
            vertical: number("<vAcc>"))
        return point.map { .point($0) } ?? .nothing
    }

    private func find(_ text: StaticString, from: Int) -> Int? {
        from <= bytes.count ? bytes.firstIndex(of: ByteView(text), from: from) : nil
    }
}
