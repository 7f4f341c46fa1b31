/// A route file: GPX 1.1 as Apple writes it, stamped with the time of the export.
enum RouteFile {
    /// The path in the export, named for the route's end in the phone's zone at the export.
    static func path(_ workout: SimulatedWorkout, dump: Dump) -> String {
        let isHome = dump.offsetSeconds == HomeZone.offsetSeconds(at: dump.exportDate)
        let offset = isHome ? HomeZone.offsetSeconds(at: workout.end) : dump.offsetSeconds
        let local = CivilDate.split(workout.end + offset, by: 86_400)
        let hour = local.remainder / 3600
        let time = OutputBuffer.printed {
            $0.day(local.quotient)
            $0.text("_\(hour % 12 == 0 ? 12 : hour % 12).")
            $0.twoDigits(local.remainder / 60 % 60)
        }
        return "workout-routes/route_\(time)\(hour < 12 ? "am" : "pm").gpx"
    }

    /// Writes the file, with a point every ten seconds.
    static func write(_ workout: SimulatedWorkout, phone: SimulatedPhone, dump: Dump, to out: OutputBuffer) {
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
        for point in RoutePoint.points(of: workout, phone: phone, stepSeconds: 10) {
            out.text(
                "      <trkpt lon=\"\(point.longitude)\" lat=\"\(point.latitude)\"><ele>\(point.elevation)</ele><time>")
            out.isoDate(point.instant)
            out.text("</time><extensions><speed>\(point.speed)</speed><course>\(point.course)</course>")
            out.line("<hAcc>4.112500</hAcc><vAcc>3.250000</vAcc></extensions></trkpt>")
        }
        out.block("    </trkseg>\n  </trk>\n</gpx>\n")
    }
}
