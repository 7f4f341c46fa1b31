package import HealthModel
package import Store

/// All that `import` and `show` say of one observation, read from its own tables.
package struct ObservationReport: Sendable {
    /// The counts of all types together.
    package struct Totals: Sendable, Equatable {
        package var read: Int64 = 0
        package var visible: Int64 = 0
        package var appeared: Int64 = 0
        package var disappeared: Int64 = 0
        package var representationChanged: Int64 = 0
        package var quarantined: Int64 = 0
    }

    /// A name with how often it occurred.
    package struct NamedCount: Sendable, Equatable {
        package var name: String
        package var count: Int64

        package init(name: String, count: Int64) {
            self.name = name
            self.count = count
        }
    }

    /// One sample type in the observation.
    package struct TypeRun: Sendable {
        package var type: String
        /// `completed`, `incomplete`, `excluded` or `absent`.
        package var status: TypeStatus
        package var read: Int64
        package var visible: Int64
        package var appeared: Int64
        package var disappeared: Int64
        package var representationChanged: Int64
        /// How many records of the type changed since the observation before.
        package var changes: Int64 { appeared + disappeared + representationChanged }
        /// Unix seconds; nil where no visible item of the type has the date.
        package var earliestStart: Int64?
        package var latestEnd: Int64?
        /// Representation changes by the pass that linked them, in the order of the passes.
        package var matchRules: [NamedCount]
        /// Fields in which linked representations differ, by name.
        package var changedFields: [NamedCount]
        /// Sums of the visible numbers per source and unit.
        package var sums: [Sum]
    }

    /// The sum of a type's visible numbers from one source in one unit.
    package struct Sum: Sendable {
        package var source: String?
        package var unit: String?
        package var sum: Double
        package var numberCount: Int64
    }

    /// Repairs or quarantined items of one kind, with the line of the first.
    package struct Located: Sendable {
        package var name: String
        package var count: Int64
        package var firstLine: Int64

        package init(name: String, count: Int64, firstLine: Int64) {
            self.name = name
            self.count = count
            self.firstLine = firstLine
        }
    }

    /// The side files of one kind.
    package struct SideFiles: Sendable {
        package var kind: String
        package var count: Int64
        package var byteCount: Int64
    }

    /// An observation in the timeline of its chain.
    package struct TimelineEntry: Sendable {
        package var observation: Observation
        package var totals: Totals
        /// The finished observation before it.
        package var previous: Int64?
        /// The number of the seal that was written with it; nil for an import that did not finish.
        package var seal: Int64?
    }

    package var observation: Observation
    package var totals: Totals
    /// By type identifier.
    package var types: [TypeRun]
    package var repairs: [Located]
    package var quarantine: [Located]
    package var unknown: [NamedCount]
    package var warnings: [String]
    /// What counts and sums of types do not say.
    package var findings: [TypeFindings]
    package var sideFiles: [SideFiles]
    /// SHA-256 of the document type declaration as the export has it; nil where it has none.
    package var doctypeSHA256: Digest256?

    /// How many bytes of the XML were not read; nil where it is not known.
    package var unreadByteCount: Int64? {
        guard observation.status == .partial else { return 0 }
        guard let count = observation.xmlByteCount, let stop = observation.stoppedByte else { return nil }
        return max(0, count - stop)
    }
}
