/// Telling files that are Health exports and nothing else.
extension ExportContainer {
    /// Whether a file is a Health export, as an XML or as a zip that holds little more than one.
    package static func isExport(file path: String) -> Bool {
        guard let container = try? ExportContainer(path: path) else { return false }
        switch container.form {
        case .folder: return false
        case .zip: return container.otherMembers.allSatisfy { $0.path.lowercased().hasSuffix(".xml") }
        case .xml:
            guard let source = try? container.openMain() else { return false }
            return (try? startsAsExport(source, atOnce: true)) ?? false
        }
    }
}
