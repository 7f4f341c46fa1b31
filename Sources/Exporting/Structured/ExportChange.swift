/// The sets that a selection chooses from.
package enum ExportChange: String, Sendable, CaseIterable {
    case appeared, disappeared, representationChanged, consolidated, unexplained
}
