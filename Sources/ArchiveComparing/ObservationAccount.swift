package import ArchiveRows
package import GRDB
package import HealthModel

/// What an observation's own export showed and left out: with the state before it, its own state follows from this.
package struct ObservationAccount: Sendable {
    /// Whether the document was read to its end.
    package var isComplete: Bool
    package var selection: TypeSelection
    package var missingFolders: MissingFolders
    /// The types of which items are in quarantine.
    package var quarantined: Set<ExactText>

    package init(
        isComplete: Bool, selection: TypeSelection = .all, missingFolders: MissingFolders = [],
        quarantined: Set<ExactText>
    ) {
        self.isComplete = isComplete
        self.selection = selection
        self.missingFolders = missingFolders
        self.quarantined = quarantined
    }

    /// The account of a finished observation, as stored.
    package init(_ db: Database, _ observation: Observation) throws {
        self.init(
            isComplete: observation.status == .completed, selection: observation.typeSelection,
            missingFolders: MissingFolders(
                kinds: try String.fetchSet(
                    db, sql: "SELECT kind FROM absent_folders WHERE import_id = ?", arguments: [observation.id])),
            quarantined: Set(
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT DISTINCT type_identifier FROM quarantine
                        WHERE import_id = ? AND type_identifier IS NOT NULL
                        """,
                    arguments: [observation.id]
                ).map(ExactText.init(_:))))
    }

    /// How completely the export shows a type of which it has `read` items.
    package func status(of type: String, read: Int64) -> TypeStatus {
        TypeStatus(
            isIncluded: selection.includes(type),
            isIncomplete: !isComplete || quarantined.contains(ExactText(type)) || missingFolders.makesIncomplete(type),
            read: read)
    }

    /// Whether the samples of a type stay as they were before a complete export: of those that it leaves out, and ECGs
    /// without their folder.
    package func carriesOver(_ type: String) -> Bool {
        !selection.includes(type)
            || (type == SampleType.electrocardiogram && missingFolders.contains(.electrocardiograms))
    }

    /// The types that `carriesOver`, by id.
    package func carriedTypes(of names: [Int64: String]) -> Set<Int64> {
        Set(names.filter { carriesOver($0.value) }.keys)
    }
}

/// Folders of side files that an export lacks: the types in them are kept as they were, not taken as empty.
package struct MissingFolders: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let routes = MissingFolders(rawValue: 1)
    package static let electrocardiograms = MissingFolders(rawValue: 2)
    package static let clinicalRecords = MissingFolders(rawValue: 4)

    /// The kinds of side files that are in these folders.
    private static let kindNames: [(folder: MissingFolders, kind: String)] = [
        (.routes, "workoutRoute"), (.electrocardiograms, "electrocardiogram"), (.clinicalRecords, "clinicalRecord"),
    ]

    /// The kinds of side files that are missing.
    package var kinds: [String] { Self.kindNames.filter { contains($0.folder) }.map(\.kind) }

    /// The folders in which files of these kinds are.
    init(kinds: Set<String>) {
        self.init(Self.kindNames.filter { kinds.contains($0.kind) }.map(\.folder))
    }

    /// The folders that an export with files of these kinds lacks.
    package init(presentKinds kinds: Set<String>) {
        self.init(Self.kindNames.filter { !kinds.contains($0.kind) }.map(\.folder))
    }

    /// Whether a type cannot be complete without one of these folders.
    func makesIncomplete(_ type: String) -> Bool {
        (contains(.routes) && type == SampleType.workoutRoute)
            || (contains(.electrocardiograms) && type == SampleType.electrocardiogram)
            || (contains(.clinicalRecords) && type.hasPrefix(SampleType.clinicalPrefix))
    }
}
