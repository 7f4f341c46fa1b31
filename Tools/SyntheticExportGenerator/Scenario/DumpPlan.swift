/// What one dump shows and what happened since the dump before.
package struct DumpPlan: Sendable {
    /// Days that passed since the dump before (for the first dump: the whole history).
    package var days: Int
    /// What happened since the dump before; for the first dump: what had already happened.
    package var changes: [Change]
    /// The export version; nil keeps the one before.
    package var version: ExportVersion?
    /// Damage done to this dump's file.
    package var malformations: [Malformation]

    /// A dump `days` after the one before.
    package init(
        days: Int, changes: [Change] = [], version: ExportVersion? = nil, malformations: [Malformation] = []
    ) {
        self.days = days
        self.changes = changes
        self.version = version
        self.malformations = malformations
    }
}
