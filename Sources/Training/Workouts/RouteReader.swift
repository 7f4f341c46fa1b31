internal import Basics
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

/// Reads the points of a workout's routes: from the stored route files, or from `Location` elements of old exports.
struct RouteReader {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let links: RouteLinks

    init(_ snapshot: Snapshot, _ set: RecordSet, history: [Int64]) throws {
        (self.snapshot, self.set) = (snapshot, set)
        links = try RouteLinks(snapshot.db, set, history: history)
    }

    /// The rows of the visible routes that stand in a workout.
    func routes(of workout: WorkoutReader.Workout) -> [Int64] { links.routes(of: workout.row.rowID) }

    /// The points of some routes, nil without any route whose points are kept; their positions, where none has a time; and how
    /// many were left out because they have no position, or no time where others have one.
    func points(
        ofRoutes routes: [Int64]
    ) throws -> (points: [Route.Point]?, untimed: [[Route.Position]], leftOut: Int, labels: Set<Label>) {
        var points: [Route.Point]?
        var untimed: [[Route.Position]] = []
        var leftOut = 0
        var segment = 0
        var labels: Set<Label> = []
        let cursor = try VersionCursor(snapshot.db, set.ofSample())
        for route in routes {
            cursor.reset()
            guard try cursor.find(route), let item = try cursor.item else { continue }
            var track = RoutePoints(after: segment)
            if let link = links.links[route], let file = link.file {
                if link.isCarriedOver { labels.insert(.routeCarriedOver) }
                track.read(gpx: try StoredSideFiles.bytes(snapshot.db, of: file))
            } else {
                for child in item["children"]?.elements ?? [] where child["name"]?.string == "Location" {
                    track.add(location: child["attributes"] ?? .null)
                }
                if track.points.isEmpty, track.untimed.isEmpty, track.leftOut == 0 { continue }
            }
            if track.isDamaged { labels.insert(.routeUnreadable) }
            leftOut += track.leftOut
            points = (points ?? []) + track.points
            untimed += track.untimed
            segment = track.lastSegment
        }
        cursor.reset()
        if points?.isEmpty == false {
            leftOut += untimed.reduce(0) { $0 + $1.count }
            untimed = []
        }
        if leftOut > 0 { labels.insert(.routePointsLeftOut) }
        return (points, untimed, leftOut, labels)
    }
}
