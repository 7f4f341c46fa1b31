import Testing
import TestSupport

/// What is disturbed.
enum FaultOperation: String, CaseIterable, CustomTestStringConvertible {
    case firstImport = "first import"
    case laterImport = "later import"
    case importBetween = "import placed between"
    case recordExport = "export records"
    case healthExport = "export xml --zip"
    /// Where there is no cache yet.
    case rebuildCache = "cache rebuild"

    var testDescription: String { rawValue }

    /// The exports that are in the archive before.
    var before: [String] {
        switch self {
        case .firstImport: []
        case .laterImport: ["dump-1.zip"]
        case .importBetween: ["dump-1.zip", "dump-3.zip"]
        case .recordExport, .healthExport, .rebuildCache: ["dump-1.zip", "dump-2.zip"]
        }
    }

    var isImport: Bool { [.firstImport, .laterImport, .importBetween].contains(self) }

    /// Where an export is written, in the sandbox.
    var output: String { self == .healthExport ? "out/export.zip" : "out/bag" }

    /// The command's arguments.
    ///
    /// - Parameter made: the folder with the generated exports.
    func command(_ made: String, _ sandbox: Sandbox) -> [String] {
        switch self {
        case .firstImport: ["import", "\(made)/dump-1.zip", "--json"]
        case .laterImport, .importBetween: ["import", "\(made)/dump-2.zip", "--json"]
        case .recordExport: ["export", "records", "--output", sandbox.path(output), "--json"]
        case .healthExport: ["export", "xml", "--zip", "--output", sandbox.path(output), "--json"]
        case .rebuildCache: ["cache", "rebuild", "--json"]
        }
    }
}
