internal import ExportReading
internal import HealthModel
internal import Store

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

    /// Gives a route the path under which its file is in the zip, or an unused one.
    ///
    /// - Parameter copy: how many equal routes of the same item and file are written before it.
    func rename(_ printed: PrintedParts, file: Int64?, _ identity: Digest256, copy: Int) {
        guard let path = printed.itemPath else { return }
        if let routeFiles {
            printed.replaceItemPath(routeFiles.path(for: path, file: file, identity: identity, copy: copy))
        } else if copy > 0 {
            // Equal copies share what is stored of one path, and a reader takes two of one path for one.
            printed.replaceItemPath(RouteFiles.absent(identity, copy: copy))
        }
    }
}

/// The route files of a zip by path, so that every route reads back with its own and no other.
///
/// Paths are printed as they were first stored, and a phone that travels gives one path to several routes in time.
struct RouteFiles {
    /// The rows in `side_files` by path, without a leading slash.
    private var files: [String: Int64] = [:]
    private var paths: [Int64: [String]] = [:]
    /// Whether no path is printed that an export gave.
    var isReduced = false

    mutating func add(_ file: Int64, at path: String) {
        files[path] = file
        paths[file, default: []].append(path)
    }

    /// Whether a file is in the zip.
    func has(_ file: Int64) -> Bool { paths[file] != nil }

    /// - Parameters:
    ///   - path: the path as the route states it.
    ///   - file: the row of its file; nil where none is known.
    ///   - copy: how many equal routes of the same item and file come before.
    func path(for path: String, file: Int64?, identity: Digest256, copy: Int) -> String {
        let key = SideFile.relative(path)
        guard let file, let known = paths[file] else {
            return files[key] == nil && !isReduced && copy == 0 ? path : Self.absent(identity, copy: copy)
        }
        let isOwn = files[key] == file && SideFilePlan.isSafe(key) && !isReduced
        let usable = (isOwn ? [path] : []) + known.filter { !isOwn || $0 != key }.map { "/" + $0 }
        return usable[min(copy, usable.count - 1)]
    }

    /// A path at which no file is.
    static func absent(_ identity: Digest256, copy: Int) -> String {
        let name = SideFileNaming.digits(identity) + (copy > 0 ? "_\(copy + 1)" : "")
        return "/\(SideFileKind.workoutRoute.folder)/absent_\(name).gpx"
    }

    /// Where a file is whose own path is taken.
    static func name(of content: Digest256) -> String {
        SideFileNaming.path(.workoutRoute, SideFileNaming.digits(content))
    }
}
