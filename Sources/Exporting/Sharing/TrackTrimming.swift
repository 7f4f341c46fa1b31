internal import Basics
internal import Foundation

/// Leaves out of a GPX file what lies near the ends of its track, where people live and work.
enum TrackTrimming {
    /// What states a position by itself.
    private static let points = ["trkpt", "rtept", "wpt"]
    private static let earthRadius = 6_371_008.8

    private struct Point {
        var range: Range<Int>
        /// Nil where it cannot be read.
        var place: (latitude: Double, longitude: Double)?
    }

    /// A file without the points within a distance of the first or the last one, however often the track comes by.
    ///
    /// - Parameter metres: the distance.
    static func trimmed(_ bytes: [UInt8], metres: Double) -> [UInt8] {
        bytes.withByteView { view in
            let found = found(view)
            let places = found.compactMap(\.place)
            var out: [UInt8] = []
            out.reserveCapacity(view.count)
            var done = 0
            for point in found {
                let isKept =
                    point.place.map { place in
                        [places.first, places.last].allSatisfy { end in
                            end.map { distance($0, place) > metres } ?? false
                        }
                    } ?? false
                if isKept { continue }
                out += view[done..<point.range.lowerBound].array
                done = point.range.upperBound
            }
            return out + view[done...].array
        }
    }

    /// The points of a file in order, and the bounds that a header states of them.
    private static func found(_ view: ByteView) -> [Point] {
        var found: [Point] = []
        var at = 0
        while let start = view.firstIndex(of: UInt8(ascii: "<"), from: at) {
            at = start + 1
            let name = String(decoding: view[at...].prefix(while: isName), as: UTF8.self)
            let text = name.split(separator: ":").last.map(String.init) ?? ""
            guard points.contains(text) || text == "bounds",
                let close = view.firstIndex(of: UInt8(ascii: ">"), from: at)
            else { continue }
            let tag = view[start..<close + 1].string
            var end = close + 1
            if !tag.hasSuffix("/>") {
                end = place(behind: "</\(name)>", in: view, from: end) ?? view.count
            }
            let position = attribute("lat", of: tag).flatMap { latitude in
                attribute("lon", of: tag).map { (latitude, $0) }
            }
            found.append(Point(range: start..<end, place: points.contains(text) ? position : nil))
            at = end
        }
        return found
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// Where a text ends; nil where there is none.
    private static func place(behind text: String, in view: ByteView, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var at = start
        while let next = view.firstIndex(of: wanted[0], from: at) {
            if next + wanted.count <= view.count, view[next..<next + wanted.count].array == wanted {
                return next + wanted.count
            }
            at = next + 1
        }
        return nil
    }

    /// The number of an attribute; nil where there is none.
    private static func attribute(_ name: Substring, of tag: String) -> Double? {
        tag.matches(of: /\s(lat|lon)\s*=\s*["']\s*([^"'\s]*)\s*["']/).first { $0.1 == name }
            .flatMap { Double($0.2) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Metres along the great circle.
    private static func distance(
        _ one: (latitude: Double, longitude: Double), _ other: (latitude: Double, longitude: Double)
    ) -> Double {
        let radians = Double.pi / 180
        let north = sin((other.latitude - one.latitude) * radians / 2)
        let east = sin((other.longitude - one.longitude) * radians / 2)
        let half = north * north + cos(one.latitude * radians) * cos(other.latitude * radians) * east * east
        return 2 * earthRadius * asin(min(1, half.squareRoot()))
    }
}
