package import Archive

/// The counts of all types of a diff together.
package struct DiffTotals: Sendable, Equatable {
    package private(set) var before: Int64 = 0
    package private(set) var after: Int64 = 0
    package private(set) var appeared: Int64 = 0
    package private(set) var disappeared: Int64 = 0
    package private(set) var representationChanged: Int64 = 0

    /// Adds up the types.
    package init(_ diff: DiffSummary) {
        for type in diff.types {
            before += type.before
            after += type.after
            appeared += type.appeared
            disappeared += type.disappeared
            representationChanged += type.representationChanged
        }
    }

    /// Whether both states are the same.
    package var isEmpty: Bool { appeared == 0 && disappeared == 0 && representationChanged == 0 }
}
