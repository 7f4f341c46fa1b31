package import HealthModel
package import Store

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
    /// The kinds of side files whose folders this export lacks: their types are kept as they were, not taken as empty.
    package var missingFolders: Set<SideFileKind> = []
    /// Asked every so often until the observation is finished: true ends the import.
    package var isCancelled: @Sendable () -> Bool = { false }

    package init() {}
}

/// What an import knows of its export after it has read it.
package struct ImportDocument: Sendable {
    package var isComplete = true
    package var offsetSeconds: Int64?
    package var locale: String?
    package var exportVersion: String?
    package var doctype: String?
    /// What is at the document's root beside items, as JSON.
    package var extras: String?
    package var xmlByteCount: Int64 = 0
    package var xmlSHA256 = Digest256()
    package var stop: (line: Int64, byte: Int64, reason: String)?
    package var repairs: [(kind: String, count: Int, firstLine: Int)] = []
    package var unknown: [ExactText: Int] = [:]
    package var warnings: [String] = []
    /// The types that the export shows and the selection leaves out.
    package var leftOutTypes: Set<ExactText> = []
    /// The side files of the export by path, with their rows in the archive.
    package var sideFiles: [(path: String, id: Int64)] = []
    package var keptSource = KeptSource(choice: .none)
    package var sourceMembers: [SourceMember] = []

    package init() {}
}

/// What an import changed in its chain beyond its own rows: for what is derived from states and changes (seals,
/// aggregates).
///
/// Until the transaction of an import with a `Derivation` ends, `temp.touched_rows` (id) holds every row whose visibility at
/// one of these observations changed.
package struct ChainChange: Sendable {
    /// The observations behind the new or supplemented one whose change lists (and perhaps states) are other ones now,
    /// in chain order.
    package var rederived: [Int64] = []
    /// Says that the chain's days are those of another zone now; nil where they are not. It depends on the order of importing,
    /// so it belongs to the run and not to the observation.
    package var zoneChange: String?
}
