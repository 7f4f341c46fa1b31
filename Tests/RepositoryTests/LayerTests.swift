import Testing

/// Which module may import which: the stages of the data flow know only what lies before them.
///
/// SwiftPM lets an undeclared import of a sibling through as long as the sibling happens to be built, so the
/// declarations in `Package.swift` alone do not keep the layers apart.
@Suite struct LayerTests {
    /// What each folder of `Sources` may import beside the standard library.
    static let allowed: [String: Set<String>] = [
        "HealthModel": ["Foundation", "Crypto"],
        "ExportReading": ["Foundation", "Glibc", "HealthModel", "Cshims", "Clibxml2", "Clibzip"],
        "Archive": [
            "Foundation", "Glibc", "HealthModel", "Cshims", "Czlib", "Crypto", "GRDB", "GRDBSQLite", "Logging",
        ],
        "Importing": ["Foundation", "HealthModel", "ExportReading", "Archive", "Logging"],
        "Analysis": ["Foundation", "HealthModel", "Archive", "GRDB"],
        "Exporting": [
            "Foundation", "Glibc", "HealthModel", "ExportReading", "Archive", "Analysis", "Presentation", "Clibzip",
            "Czlib", "Crypto", "GRDB",
        ],
        "Presentation": ["Foundation", "Synchronization"],
        "Reporting": ["Foundation", "HealthModel", "Archive", "Analysis", "Presentation"],
        "SyntheticExportGenerator": ["Foundation"],
        "synthetic-exports": ["Foundation", "SyntheticExportGenerator", "ArgumentParser"],
        "healthprobe": [
            "Foundation", "Dispatch", "Glibc", "Synchronization", "HealthModel", "ExportReading", "Archive",
            "Importing", "Analysis", "Exporting", "Reporting", "Presentation", "ArgumentParser", "Logging", "GRDB",
        ],
    ]

    static let folders = Set(
        Repository.paths(under: "Sources").compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) })

    @Test("every folder of Sources has its rule")
    func rulesAreComplete() {
        #expect(Self.folders.isSubset(of: Self.allowed.keys), "Add the new folder to LayerTests.allowed.")
    }

    @Test("imports point one way", arguments: Self.allowed.keys.sorted())
    func importsPointOneWay(folder: String) {
        let allowed = Self.allowed[folder] ?? []
        for path in Repository.paths(under: "Sources/\(folder)") {
            let forbidden = SwiftSource(path).imports.filter { !allowed.contains($0) }
            #expect(forbidden.isEmpty, "\(path) imports \(forbidden.joined(separator: ", "))")
        }
    }

    @Test("XML never meets SQL")
    func parserAndDatabaseStayApart() {
        for path in Repository.paths(under: "Sources") {
            let imports = Set(SwiftSource(path).imports)
            #expect(
                imports.isDisjoint(with: ["Clibxml2", "Clibzip"]) || imports.isDisjoint(with: ["GRDB", "GRDBSQLite"]),
                "\(path)")
        }
    }
}
