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
        let instant = date?.int.map(Double.init) ?? date?.string.flatMap { GPXScan.instant(Array($0.utf8)[...]) }
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
            let instant = element("<time>").flatMap({ Self.instant($0.array[...]) })
        else { return .nothing }
        let point = RoutePoints.point(
            instant, latitude, longitude, elevation: number("<ele>"), horizontal: number("<hAcc>"),
            vertical: number("<vAcc>"))
        return point.map { .point($0) } ?? .nothing
    }

    private func find(_ text: StaticString, from: Int) -> Int? {
        from <= bytes.count ? bytes.firstIndex(of: ByteView(text), from: from) : nil
    }

    /// An instant as GPX prints it: `2019-09-24T10:22:37Z`, with or without a fraction, in UTC or with an offset.
    static func instant(_ text: ArraySlice<UInt8>) -> Double? {
        let characters = Array(text)
        guard characters.count >= 20,
            let day = CivilDate.daysSince1970(String(decoding: characters[..<10], as: UTF8.self)),
            characters[10] == UInt8(ascii: "T"), characters[13] == .colon, characters[16] == .colon
        else { return nil }
        func two(_ place: Int) -> Int? {
            guard place + 1 < characters.count, characters[place].isDigit, characters[place + 1].isDigit else {
                return nil
            }
            return Int(characters[place] - .digitZero) * 10 + Int(characters[place + 1] - .digitZero)
        }
        guard let hour = two(11), let minute = two(14), let second = two(17), hour < 24, minute < 60, second <= 60
        else {
            return nil
        }
        var seconds = Double(day * CivilDate.secondsPerDay + hour * 3600 + minute * 60 + second)
        var place = 19
        if place < characters.count, characters[place] == .point {
            var scale = 0.1
            place += 1
            while place < characters.count, characters[place].isDigit {
                seconds += Double(characters[place] - .digitZero) * scale
                scale /= 10
                place += 1
            }
        }
        guard place < characters.count else { return nil }
        if characters[place] == UInt8(ascii: "Z") { return place + 1 == characters.count ? seconds : nil }
        guard characters[place] == .plus || characters[place] == .minus, characters.count == place + 6,
            characters[place + 3] == .colon, let hours = two(place + 1), let minutes = two(place + 4)
        else { return nil }
        let offset = Double(hours * 3600 + minutes * 60)
        return characters[place] == .minus ? seconds + offset : seconds - offset
    }
}
