internal import ArchiveRows
internal import ExportReading
internal import HealthModel

/// The paths of side files in a zip under names that no export gave.
enum SideFileNaming {
    private static let longestSuffix = 5

    /// A path from the file's content alone.
    ///
    /// - Parameter number: 1 for the first of the files with this content.
    static func path(of file: StoredSideFiles.File, number: Int = 1) -> String {
        let name = digits(file.content) + (number > 1 ? "_\(number)" : "")
        return path(file.kind ?? .attachment, name, suffix: suffix(of: file.path))
    }

    /// The path of a file of a kind.
    ///
    /// - Parameters:
    ///   - name: what tells it from the others of its kind.
    ///   - suffix: what the name of an attachment ends with.
    static func path(_ kind: SideFileKind, _ name: String, suffix: String = "") -> String {
        let file =
            switch kind {
            case .workoutRoute: "route_\(name).gpx"
            case .electrocardiogram: "ecg_\(name).csv"
            case .clinicalRecord: "record_\(name).json"
            case .attachment: "attachment_\(name)\(suffix)"
            }
        return "\(kind.folder)/\(file)"
    }

    /// What names have of a hash.
    static func digits(_ hash: Digest256) -> String { String(hash.hex.prefix(16)) }

    /// `.pdf` and the like; empty for what is no short word.
    private static func suffix(of path: String) -> String {
        let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
        guard parts.count > 1, let last = parts.last, last.utf8.count <= longestSuffix,
            last.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
        else { return "" }
        return ".\(last.lowercased())"
    }
}

/// How a Health export is written.
struct RenderingOptions {
    /// The offset of all dates but those that have their own.
    var offsetSeconds: Int32
    /// Whether records without a creation date get their start as one, for tools that insist on it.
    var fillsCreationDates = false
    /// Where the route files of a zip are; nil for an XML file alone, whose paths stay as they were.
    var routeFiles: RouteFiles?
    /// What becomes of names and identifiers; nil where they are printed as they are.
    var reduced: ReducedForm?
    /// Whether positions in the XML itself are left out.
    var leavesOutLocations = false

    /// Gives a route the path under which its track is in the zip, or an unused one.
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
            let digits = SideFileNaming.digits(identity)
            return isFree ? path : "/\(SideFileKind.workoutRoute.folder)/absent_\(digits).gpx"
        }
        let isOwn = tracks[key] == track && SideFilePlan.isSafe(key) && !isReduced
        return isOwn ? path : "/" + Self.name(of: track)
    }

    /// Where a track is whose own path is taken.
    static func name(of track: Digest256) -> String {
        SideFileNaming.path(.workoutRoute, SideFileNaming.digits(track))
    }
}
