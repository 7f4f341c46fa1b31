package import GRDB
package import HealthModel
package import Store

/// What an observation's own export showed and left out: with the state before it, its own state follows from this.
package struct ObservationAccount: Sendable {
    /// Whether the document was read to its end.
    package var isComplete: Bool
    package var selection: TypeSelection
    /// The kinds of side files whose folders the export lacks: their types are kept as they were, not taken as empty.
    package var missingFolders: Set<SideFileKind>
    /// The types of which items are in quarantine.
    package var quarantined: Set<ExactText>

    package init(
        isComplete: Bool, selection: TypeSelection = .all, missingFolders: Set<SideFileKind> = [],
        quarantined: Set<ExactText>
    ) {
        self.isComplete = isComplete
        self.selection = selection
        self.missingFolders = missingFolders
        self.quarantined = quarantined
    }

    /// The account of a finished observation, as stored.
    ///
    /// - Throws: `archiveDamaged` where a stored kind is none.
    package init(_ db: Database, _ observation: Observation) throws {
        self.init(
            isComplete: observation.status == .completed, selection: observation.typeSelection,
            missingFolders: Set(
                try String.fetchAll(
                    db, sql: "SELECT kind FROM absent_folders WHERE import_id = ?", arguments: [observation.id]
                ).map { name in
                    guard let kind = SideFileKind(rawValue: name) else {
                        throw HealthProbeError.damagedRow("absent_folders", observation.id)
                    }
                    return kind
                }),
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
            isIncomplete: !isComplete || quarantined.contains(ExactText(type))
                || missingFolders.contains { $0.isNeeded(by: type) },
            read: read)
    }

    /// Whether the samples of a type stay as they were before a complete export: of those that it leaves out, and ECGs
    /// without their folder.
    package func carriesOver(_ type: String) -> Bool {
        !selection.includes(type)
            || (type == SampleType.electrocardiogram && missingFolders.contains(.electrocardiogram))
    }

    /// The types that `carriesOver`, by id.
    package func carriedTypes(of names: [Int64: String]) -> Set<Int64> {
        Set(names.filter { carriesOver($0.value) }.keys)
    }
}
