/// One point of a route.
struct RoutePoint {
    let instant: Int
    /// Degrees with six decimals, as text.
    let latitude: String
    let longitude: String
    /// Metres, metres a second and degrees, as text.
    let elevation: String
    let speed: String
    let course: String

    /// The points of a workout's route, one every `stepSeconds`: a walk that starts somewhere in the North Sea.
    static func points(of workout: SimulatedWorkout, stepSeconds: Int) -> [RoutePoint] {
        var random = SeededGenerator(Hashing.mix(workout.hash ^ 0x0BAD_CAFE))
        var latitude = 56_100_000 + random.integer(0...300_000)
        var longitude = 3_400_000 + random.integer(0...300_000)
        var north = random.integer(-90...90)
        var east = random.integer(-90...90)
        return stride(from: workout.start, through: workout.end, by: max(1, stepSeconds)).map { instant in
            north = min(110, max(-110, north + random.integer(-12...12)))
            east = min(110, max(-110, east + random.integer(-12...12)))
            latitude += north * stepSeconds / 8
            longitude += east * stepSeconds / 5
            return RoutePoint(
                instant: instant, latitude: decimal(latitude), longitude: decimal(longitude),
                elevation: decimal(3_000_000 + random.integer(0...900_000)),
                speed: decimal(900_000 + abs(north) * 15_000), course: decimal((abs(east) * 3 % 360) * 1_000_000))
        }
    }

    private static func decimal(_ millionths: Int) -> String {
        let fraction = "\(millionths % 1_000_000)"
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

/// A route file: GPX 1.1 as Apple writes it, stamped with the time of the export.
enum RouteFile {
    /// The path in the export, named for the route's end in the phone's zone at the export.
    static func path(_ workout: SimulatedWorkout, dump: Dump) -> String {
        let isHome = dump.offsetSeconds == HomeZone.offsetSeconds(at: dump.exportDate)
        let offset = isHome ? HomeZone.offsetSeconds(at: workout.end) : dump.offsetSeconds
        let local = CivilDate.split(workout.end + offset, by: 86_400)
        let date = CivilDate(daysSince1970: local.quotient)
        let hour = local.remainder / 3600
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "workout-routes/route_\(date.year)-\(two(date.month))-\(two(date.day))_"
            + "\(hour % 12 == 0 ? 12 : hour % 12).\(two(local.remainder / 60 % 60))\(hour < 12 ? "am" : "pm").gpx"
    }

    /// Writes the file.
    static func write(_ workout: SimulatedWorkout, dump: Dump, stepSeconds: Int, to out: OutputBuffer) {
        out.block(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>
            """)
        out.isoDate(dump.exportDate)
        let name = path(workout, dump: dump).dropFirst(15).dropLast(4).replacing("route_", with: "Route ")
            .replacing("_", with: " ")
        out.block("</time>\n  </metadata>\n  <trk>\n    <name>\(name)</name>\n    <trkseg>\n")
        for point in RoutePoint.points(of: workout, stepSeconds: stepSeconds) {
            out.text(
                "      <trkpt lon=\"\(point.longitude)\" lat=\"\(point.latitude)\"><ele>\(point.elevation)</ele><time>")
            out.isoDate(point.instant)
            out.text("</time><extensions><speed>\(point.speed)</speed><course>\(point.course)</course>")
            out.text("<hAcc>4.112500</hAcc><vAcc>3.250000</vAcc></extensions></trkpt>")
            out.newline()
        }
        out.block("    </trkseg>\n  </trk>\n</gpx>\n")
    }
}
