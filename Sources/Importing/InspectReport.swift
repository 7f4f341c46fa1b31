package import HealthModel
package import Questions
package import Store

/// The content of an export, read without any archive.
package struct InspectReport: Sendable {
    /// One sample type of the export.
    package struct TypeCount: Sendable {
        package var type: String
        package var status = TypeStatus.completed
        package var read: Int64 = 0
        package var earliestStart: Int64?
        package var latestEnd: Int64?

        package init(type: String) { self.type = type }
    }

    package var sourceName = ""
    package var sourceForm = ""
    package var sourceMember = ""
    package var sourceByteCount: Int64 = 0
    package var sourceSHA256: Digest256?
    package var xmlByteCount: Int64 = 0
    package var xmlSHA256: Digest256?
    /// The export's own date, else the file's modification time.
    package var observedAt: Int64 = 0
    package var isComplete = true
    package var offsetSeconds: Int64?
    package var locale: String?
    package var exportVersion: String?
    package var streamDigest: String?
    package var stop: (line: Int64, byte: Int64, reason: String, message: String?)?
    /// By type identifier.
    package var types: [TypeCount] = []
    package var repairs: [ObservationReport.Located] = []
    package var quarantine: [ObservationReport.Located] = []
    package var unknown: [ObservationReport.NamedCount] = []
    /// What counts of types do not say; without copies where there are too many items to compare.
    package var findings: [TypeFindings] = []
    package var sideFiles: [(kind: String, count: Int64, byteCount: Int64)] = []
    package var warnings: [String] = []

    package init() {}

    /// Items of all types.
    package var readCount: Int64 { types.reduce(0) { $0 + $1.read } }

    /// Quarantined items of all reasons.
    package var quarantinedCount: Int64 { quarantine.reduce(0) { $0 + $1.count } }
}
