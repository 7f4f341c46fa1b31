package import Evidence
package import HealthModel
package import Store

package struct ImportOptions: Sendable {
    package var chain = "default"
    package var types = TypeSelection.all
    package var timeZone: String?
    /// Unix seconds, instead of the export's own date.
    package var observedAt: Int64?
    package var note: String?
    package var allowUnrelated = false
    /// How the container is kept.
    package var keepSource = KeptSource.Choice.reference

    package init() {}
}

/// What became of an import.
package struct ImportOutcome: Sendable {
    package var observationID: Int64
    /// The same XML was in the chain already.
    package var alreadyImported = false
    /// The observation was supplemented.
    package var supplemented = false
    /// The file that was offered, where the observation was read from another one of the same XML.
    package var otherFile: OfferedFile?
    /// The later observations whose changes were recomputed because of this one.
    package var rederived: [Int64] = []
    /// Results of the run that are not part of the observation.
    package var warnings: [String] = []
}

package struct ImportProgress: Sendable {
    package var bytesDone: Int64
    package var bytesTotal: Int64
    package var items: Int64
    package var phase: String
    /// How many items of each kind were read, in the order of the export.
    package var kinds: [KindCounts.Kind] = []
}
