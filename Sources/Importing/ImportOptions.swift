package import Archive
package import ExportReading
internal import HealthModel

/// What a person may ask of an import.
package struct ImportOptions: Sendable {
    package var chain = "default"
    package var types = TypeSelection.all
    /// The selection as it was asked for, stored with the observation.
    package var typeSelectionText: String?
    package var timeZone: String?
    /// Unix seconds, instead of the export's own date.
    package var observedAt: Int64?
    package var note: String?
    package var allowUnrelated = false
    /// What is kept of the container.
    package var keepSource = KeptSource.Choice.reference
    /// Bytes read at a time; results do not depend on it.
    package var chunkBytes = 1 << 18

    package init() {}

    /// Chooses the types to import; without names all of them.
    package mutating func select(only names: [String], without excludedNames: [String]) {
        let only = TypeFilter(names)
        let excluded = TypeFilter(excludedNames, matchesWhenEmpty: false)
        let isOnly: @Sendable (String) -> Bool = { only.matches($0) }
        let isExcluded: @Sendable (String) -> Bool = { excluded.matches($0) }
        types = TypeSelection(only: only.isEmpty ? nil : isOnly, excluded: excluded.isEmpty ? nil : isExcluded)
        let chosen = [("only", names), ("without", excludedNames)].filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.joined(separator: ", "))" }
        typeSelectionText = chosen.isEmpty ? nil : chosen.joined(separator: "; ")
    }
}

/// What became of an import.
package struct ImportOutcome: Sendable {
    package var observationID: Int64
    /// The same XML was in the chain already.
    package var alreadyImported = false
    /// The observation was given what it had lacked.
    package var supplemented = false
    /// The later observations whose changes are other ones now that this one lies before them.
    package var rederived: [Int64] = []
    /// What the run brought about that is no part of the observation.
    package var warnings: [String] = []

    package init(observationID: Int64, alreadyImported: Bool = false, supplemented: Bool = false) {
        self.observationID = observationID
        self.alreadyImported = alreadyImported
        self.supplemented = supplemented
    }
}

/// How far an import has come.
package struct ImportProgress: Sendable {
    package var bytesDone: Int64
    package var bytesTotal: Int64
    package var items: Int64
    package var phase: String
}
