/// Files as they are: the main XML alone, or an unpacked export with its members.
final class FileContainer: ExportContainer {
    private let path: String
    private var sink: FileSink?
    let keepsSideFiles: Bool

    /// - Parameter path: that of the main XML or, with side files, of the folder for `apple_health_export/` and its members.
    init(path: String, keepsSideFiles: Bool) {
        self.path = path
        self.keepsSideFiles = keepsSideFiles
    }

    func begin(_ member: String) throws {
        sink = try FileSink(path: keepsSideFiles ? "\(path)/apple_health_export/\(member)" : path)
    }

    func write(_ bytes: [UInt8]) throws { try sink?.write(bytes) }

    func end() throws {
        try sink?.close()
        sink = nil
    }

    func finish() throws {}
}

/// Where a dump goes: a bare file, a folder or a zip, one member after the other.
protocol ExportContainer: AnyObject {
    var keepsSideFiles: Bool { get }
    /// Starts a member; its path is relative to the export's folder.
    func begin(_ path: String) throws
    func write(_ bytes: [UInt8]) throws
    func end() throws
    /// Ends the dump.
    func finish() throws
}

/// The forms in which a dump can be written.
package enum ExportForm: String, CaseIterable, Sendable {
    /// The main XML alone.
    case xml
    /// An unpacked folder.
    case folder
    /// A zip as a phone shares it.
    case zip
}
