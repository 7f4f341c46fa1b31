internal import ArchiveReading
internal import ArchiveRows
internal import Foundation
internal import HealthMetrics
internal import HealthModel
internal import TextFormats

/// Reads the points of a workout's routes: from the stored route files, or from `Location` elements of old exports.
struct RouteReader {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let files: StoredSideFiles

    init(_ snapshot: Snapshot, _ set: RecordSet, history: [Int64]) throws {
        (self.snapshot, self.set) = (snapshot, set)
        files = try StoredSideFiles(snapshot.db, history: history)
    }

    /// The points of all routes that a workout states and that are visible, nil without any route whose points are kept; and
    /// how many have no time or no position.
    func points(ofRoutes routes: [Int64]) throws -> (points: [Route.Point]?, leftOut: Int, labels: Set<Label>) {
        var points: [Route.Point]?
        var leftOut = 0
        var labels: Set<Label> = []
        var seen: Set<Digest256> = []
        let cursor = try VersionCursor(snapshot.db, set.ofSample())
        for route in routes {
            cursor.reset()
            guard try cursor.find(route), let item = try cursor.item else { continue }
            var track = RoutePoints()
            if let hash = item.track {
                guard seen.insert(hash).inserted, let file = try files.file(content: hash) else { continue }
                track.read(gpx: try StoredSideFiles.bytes(snapshot.db, of: file.id))
            } else {
                for child in item["children"]?.elements ?? [] where child["name"]?.string == "Location" {
                    track.add(location: child["attributes"] ?? .null)
                }
                if track.points.isEmpty, track.leftOut == 0 { continue }
            }
            if track.isDamaged { labels.insert(.routeUnreadable) }
            leftOut += track.leftOut
            points = (points ?? []) + track.points
        }
        cursor.reset()
        if leftOut > 0 { labels.insert(.routePointsLeftOut) }
        return (points, leftOut, labels)
    }
}
