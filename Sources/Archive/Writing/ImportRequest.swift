package import HealthModel

/// What an import knows of its export before it has read it.
package struct ImportRequest: Sendable {
    package var chain = "default"
    /// Unix seconds.
    package var observedAt: Int64 = 0
    /// `exportDate`, `argument` or `modification`.
    package var observedAtOrigin = "exportDate"
    package var timeZone: String?
    package var note: String?
    package var types = TypeSelection.all
    package var sourceName = ""
    package var sourceForm = ""
    package var sourceMember = ""
    package var sourceByteCount: Int64 = 0
    package var sourceSHA256: Digest256?
    package var xmlByteCount: Int64 = 0
    package var allowUnrelated = false
    /// The libraries that read the export, with their versions, for the seal.
    package var libraries: [(String, String)] = []
    /// The sample types whose items lie in folders that this export lacks: kept as they were, not taken as empty.
    package var missingFolders: MissingFolders = []
    /// Asked every so often until the observation is finished: true ends the import.
    package var isCancelled: @Sendable () -> Bool = { false }

    package init() {}

    package struct MissingFolders: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let routes = MissingFolders(rawValue: 1)
        package static let electrocardiograms = MissingFolders(rawValue: 2)
        package static let clinicalRecords = MissingFolders(rawValue: 4)

        /// The kinds of side files that lie in these folders.
        static let kindNames: [(folder: MissingFolders, kind: String)] = [
            (.routes, "workoutRoute"), (.electrocardiograms, "electrocardiogram"), (.clinicalRecords, "clinicalRecord"),
        ]

        /// The kinds of side files that are missing.
        var kinds: [String] { Self.kindNames.filter { contains($0.folder) }.map(\.kind) }

        /// The folders in which files of these kinds lie.
        init(kinds: Set<String>) {
            self.init(Self.kindNames.filter { kinds.contains($0.kind) }.map(\.folder))
        }

        /// Whether a type cannot be complete without one of these folders.
        func makesIncomplete(_ type: String) -> Bool {
            (contains(.routes) && type == SampleType.workoutRoute)
                || (contains(.electrocardiograms) && type == SampleType.electrocardiogram)
                || (contains(.clinicalRecords) && type.hasPrefix(SampleType.clinicalPrefix))
        }
    }
}

/// What an import knows of its export after it has read it.
package struct ImportDocument: Sendable {
    package var isComplete = true
    package var offsetSeconds: Int64?
    package var locale: String?
    package var exportVersion: String?
    package var doctype: String?
    /// What stands at the document's root beside items, as JSON.
    package var extras: String?
    package var xmlByteCount: Int64 = 0
    package var xmlSHA256 = Digest256()
    package var stop: (line: Int64, byte: Int64, reason: String)?
    package var repairs: [(kind: String, count: Int, firstLine: Int)] = []
    package var unknown: [String: Int] = [:]
    package var warnings: [String] = []
    /// The types that the export shows and the selection leaves out.
    package var leftOutTypes: Set<String> = []
    /// The side files of the export by path, with their rows in the archive.
    package var sideFiles: [(path: String, id: Int64)] = []
    package var keptSource = KeptSource(choice: .none)
    package var sourceMembers: [SourceMember] = []

    package init() {}
}
