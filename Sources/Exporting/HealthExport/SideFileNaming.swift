internal import Archive
internal import ExportReading
internal import HealthModel

/// The paths of side files in a zip under names that no export gave.
enum SideFileNaming {
    private static let longestSuffix = 5

    /// A path from the file's content alone.
    ///
    /// - Parameter number: 1 for the first of the files with this content.
    static func path(of file: StoredSideFiles.File, number: Int = 1) -> String {
        let digits = file.content.hex.prefix(16) + (number > 1 ? "_\(number)" : "")
        switch file.kind {
        case .workoutRoute:
            return number > 1 ? "workout-routes/route_\(digits).gpx" : RouteFiles.name(of: file.content)
        case .electrocardiogram: return "electrocardiograms/ecg_\(digits).csv"
        case .clinicalRecord: return "clinical-records/record_\(digits).json"
        default: return "attachments/attachment_\(digits)\(suffix(of: file.path))"
        }
    }

    /// The path of an ECG: its content has names in it, so not even their hash is printed.
    ///
    /// - Parameter number: 1 for the first of a zip.
    static func electrocardiogram(_ number: Int) -> String { "electrocardiograms/ecg_\(number).csv" }

    /// `.pdf` and the like; empty for what is no short word.
    private static func suffix(of path: String) -> String {
        let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
        guard parts.count > 1, let last = parts.last, last.utf8.count <= longestSuffix,
            last.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
        else { return "" }
        return ".\(last.lowercased())"
    }
}

extension StoredSideFiles.File {
    /// What the file is follows from its path: equal bytes, none for instance, are stored once whatever they are.
    var kind: SideFile.Kind? { SideFile.kind(of: path) }
}
