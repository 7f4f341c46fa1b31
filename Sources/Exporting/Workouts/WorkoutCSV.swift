internal import Basics
package import Training

/// A workout as CSV: a row for each instant at which some series has a point.
package enum WorkoutCSV {
    private static let columns = [
        "date", "activeSeconds", "distance", "heartRate", "cadence", "power", "latitude", "longitude", "elevation",
    ]

    /// The file's bytes.
    package static func bytes(_ finding: WorkoutFinding, withPositions: Bool) -> [UInt8] {
        let active = finding.truth.active
        var writer = CSVWriter(guardsFormulas: false)
        writer.appendRow(columns)
        for point in TrackPoints(finding, withPositions: withPositions).points {
            func text(_ value: Double?, _ decimals: Int = 3) -> String {
                value.map { TCXFile.number($0, decimals) } ?? ""
            }
            writer.appendRow([
                ISO8601.string(unixSeconds: point.instant), text(active.seconds(until: point.instant)),
                text(point.metres), text(point.heartRate), text(point.cadence), text(point.watts),
                text(point.position?.latitude, 6), text(point.position?.longitude, 6), text(point.position?.elevation),
            ])
        }
        return writer.bytes
    }
}
