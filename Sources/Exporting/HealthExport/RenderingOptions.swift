internal import ExportReading
internal import HealthModel
internal import TextFormats

/// How a Health export is written.
struct RenderingOptions {
    /// The offset of all dates but those that have their own.
    var offsetSeconds: Int32
    /// Whether records without a creation date get their start as one, for tools that insist on it.
    var fillsCreationDates = false
    /// Where the route files of a zip lie; nil for an XML file alone, whose paths stay as they were.
    var routeFiles: RouteFiles?
    /// What becomes of names and identifiers; nil where they are printed as they are.
    var reduced: ReducedForm?

    /// Gives a route the path under which its track stands in the zip, or one where nothing stands.
    func rename(_ printed: PrintedParts, _ track: Digest256?, _ identity: Digest256) {
        guard let routeFiles, let path = printed.itemPath else { return }
        printed.replaceItemPath(routeFiles.path(for: path, track: track, identity: identity))
    }
}

/// The tracks of a zip by path, so that every route reads back with its own and no other.
///
/// Paths are printed as they were first stored, and a phone that travels gives one path to several routes in time.
struct RouteFiles {
    /// The canonical hashes of the tracks by path, without a leading slash.
    var tracks: [String: Digest256]
    /// Whether no path is printed that an export gave.
    var isReduced = false

    /// - Parameters:
    ///   - path: the path as the route states it.
    ///   - track: the hash of its track; nil where none is known.
    func path(for path: String, track: Digest256?, identity: Digest256) -> String {
        let key = SideFile.relative(path)
        guard let track else {
            let isFree = tracks[key] == nil && !isReduced
            return isFree ? path : "/workout-routes/absent_\(identity.hex.prefix(16)).gpx"
        }
        let isOwn = tracks[key] == track && SideFilePlan.isSafe(key) && !isReduced
        return isOwn ? path : "/" + Self.name(of: track)
    }

    /// Where a track lies whose own path is taken.
    static func name(of track: Digest256) -> String { "workout-routes/route_\(track.hex.prefix(16)).gpx" }
}
