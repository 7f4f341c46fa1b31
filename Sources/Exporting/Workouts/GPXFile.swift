internal import Basics
internal import HealthModel
package import Training

/// The route of a workout as a GPX 1.1 file, with heart rate and cadence in Garmin's TrackPointExtension v1.
package enum GPXFile {
    /// The file's bytes.
    ///
    /// - Throws: `noRoute` where there is no position to write.
    package static func bytes(_ finding: WorkoutFinding, withPositions: Bool) throws -> [UInt8] {
        let points = TrackPoints(finding, withPositions: withPositions)
        let segments = points.tracks(of: finding.truth.facts.interval).map { $0.filter { $0.position != nil } }
            .flatMap(Self.segments)
        let untimed = withPositions ? finding.truth.route?.untimed ?? [] : []
        guard !segments.isEmpty || !untimed.isEmpty else {
            throw HealthProbeError(
                .noRoute, "The workout has no positions to write.",
                hint: withPositions
                    ? "Write a TCX file, which needs none: --format tcx."
                    : "Positions are left out without --provenance full or --include routes.")
        }
        let out = ByteBuffer(capacity: 1 << 16)
        out.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="HealthProbe" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
             <metadata><desc>
            """)
        out.appendEscaped(points.note + (untimed.isEmpty ? "" : " \(untimedNote)"))
        out.append(
            "</desc><time>\(ISO8601.string(unixSeconds: finding.truth.facts.interval.start))</time></metadata>\n <trk>"
        )
        if let activity = finding.truth.facts.activity.map(shortValue) {
            let day = ISO8601.localDay(unixSeconds: Int64(finding.truth.facts.interval.start), zone: finding.zone)
            out.append("<name>")
            out.appendEscaped("\(activity) \(day)")
            out.append("</name><type>")
            out.appendEscaped(activity.lowercased())
            out.append("</type>")
        }
        out.append("\n")
        for segment in segments {
            out.append("  <trkseg>\n")
            for point in segment { append(point, isOnFoot: points.isOnFoot, to: out) }
            out.append("  </trkseg>\n")
        }
        for segment in untimed {
            out.append("  <trkseg>\n")
            for position in segment {
                begin(position.latitude, position.longitude, position.elevation, to: out)
                out.append("</trkpt>\n")
            }
            out.append("  </trkseg>\n")
        }
        out.append(" </trk>\n</gpx>\n")
        return out.view.array
    }

    /// What the file says of a route without times, in a sentence.
    package static let untimedNote = "The positions have no times, and so no heart rate."

    /// Points of one part of a workout by the segments of its route files.
    private static func segments(_ points: [TrackPoint]) -> [[TrackPoint]] {
        var out: [[TrackPoint]] = []
        for point in points {
            if let last = out.last?.last, last.position?.segment == point.position?.segment {
                out[out.count - 1].append(point)
            } else {
                out.append([point])
            }
        }
        return out
    }

    private static func begin(_ latitude: Double, _ longitude: Double, _ elevation: Double?, to out: ByteBuffer) {
        out.append("   <trkpt lat=\"\(TCXFile.number(latitude, 6))\" lon=\"\(TCXFile.number(longitude, 6))\">")
        if let elevation { out.append("<ele>\(TCXFile.number(elevation))</ele>") }
    }

    private static func append(_ point: TrackPoint, isOnFoot: Bool, to out: ByteBuffer) {
        guard let position = point.position else { return }
        begin(position.latitude, position.longitude, position.elevation, to: out)
        out.append("<time>\(ISO8601.string(unixSeconds: point.instant))</time>")
        let heart = TCXFile.beats(point.heartRate)
        let cadence = point.revolutions(isOnFoot: isOnFoot)
        if heart != nil || cadence != nil {
            out.append("<extensions><gpxtpx:TrackPointExtension>")
            if let heart { out.append("<gpxtpx:hr>\(heart)</gpxtpx:hr>") }
            if let cadence { out.append("<gpxtpx:cad>\(cadence)</gpxtpx:cad>") }
            out.append("</gpxtpx:TrackPointExtension></extensions>")
        }
        out.append("</trkpt>\n")
    }
}
