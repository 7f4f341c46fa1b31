@testable internal import Exporting
internal import Testing

/// What lies near the ends of a track is left out, whenever the track comes by.
@Suite struct TrackTrimmingTests {
    /// A point so many metres north of the start.
    private func point(_ metres: Double, _ name: String = "trkpt", inner: String = "<ele>1</ele>") -> String {
        #"<\#(name) lon="7.5" lat="\#(47.0 + metres / 111_195.08)">\#(inner)</\#(name)>"#
    }

    private func trimmed(_ text: String, _ metres: Double = 200) -> String {
        String(decoding: TrackTrimming.trimmed(Array(text.utf8), metres: metres), as: UTF8.self)
    }

    @Test func outAndBack() {
        let kept = [250.0, 500, 750].map { point($0) }.joined()
        let track = [0.0, 100, 199].map { point($0) } + [kept] + [801.0, 900, 1000].map { point($0) }
        #expect(trimmed("<gpx><trkseg>\(track.joined())</trkseg></gpx>") == "<gpx><trkseg>\(kept)</trkseg></gpx>")
        // It comes by its start once more.
        let again = track[0...3] + [point(50), point(600)] + track[4...]
        #expect(
            trimmed("<gpx>\(again.joined())</gpx>") == "<gpx>\(kept)\(point(600))</gpx>")
    }

    @Test func otherPointsAndBounds() {
        let text =
            point(0) + point(500, "wpt") + point(100, "rtept") + #"<bounds minlat="47.0" minlon="7.5"/>"# + point(1000)
        #expect(trimmed("<gpx>\(text)</gpx>") == "<gpx>\(point(500, "wpt"))</gpx>")
        #expect(trimmed("<g:gpx>\(point(0, "g:trkpt"))\(point(9, "g:trkpt"))</g:gpx>") == "<g:gpx></g:gpx>")
    }

    /// What cannot be read as a place is left out.
    @Test func oddPoints() {
        let odd = [
            #"<trkpt lat="x" lon="7.5"/>"#, "<trkpt/>", #"<trkpt lat="47.004"/>"#,
            #"<trkpt lat="inf" lon="nan"></trkpt>"#,
        ]
        let text = point(0) + odd.joined() + #"<trkpt lat = '47.0045' lon='7.5' />"# + point(1000)
        #expect(trimmed("<gpx>\(text)</gpx>") == #"<gpx><trkpt lat = '47.0045' lon='7.5' /></gpx>"#)
        #expect(trimmed("<gpx>\(point(0))<trkpt lat=\"47.0045\" lon=\"7.5\">") == "<gpx>")
        #expect(trimmed("") == "" && trimmed("no track") == "no track")
    }
}
