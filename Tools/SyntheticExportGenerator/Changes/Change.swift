/// Something that happens to the phone's history between two dumps (for the first dump: before it).
///
/// Written as text: `name`, `name:argument`, `name=number` or `name:argument=number`; see ``help``.
package enum Change: Equatable, Sendable {
    /// Deletes a share of the records of a type, or of all types.
    case delete(type: String?, share: Double)
    /// HealthKit condenses a share of the old workouts, with or without the condenser's identifier.
    case condense(share: Double, marked: Bool)
    /// Condensed now, but a part of the originals is deleted only before the next dump (the condenser works in portions).
    case condenseLagging(share: Double)
    /// The other originals are deleted; follows ``condenseLagging(share:)`` by itself.
    case finishCondensing
    /// Condensed series are condensed again into fewer.
    case recondense(share: Double)
    /// Neighbours with equal rate or value are merged.
    case coalesce(share: Double)
    /// A source is renamed.
    case rename(Source)
    /// Another unit for a type; nil takes the next one.
    case unit(type: String, to: String?)
    /// Another language and region.
    case locale(String)
    /// The phone is in another zone when it exports.
    case offset(seconds: Int)
    /// Restored to a new phone: creation dates and order change.
    case restore
    /// Exact copies of a share of the records appear.
    case duplicate(type: String?, share: Double)
    /// The daily values of the last days before the older dump are revised.
    case revise(days: Int)
    /// A third-party source rewrites a share of its records under the same sync identifier.
    case rewrite(share: Double)
    /// Decoy: samples inside a workout are deleted and nothing takes their place.
    case decoyDelete(share: Double)
    /// Decoy: they are replaced by a sample of another source.
    case decoySource(share: Double)
    /// Decoy: they are replaced by a sample of the same source with a wrong total.
    case decoyTotal(share: Double)
    /// Decoy: sleep stages of a night are replaced by one record.
    case decoyCategory(share: Double)
    /// Sleep values are printed with their newer names from now on.
    case sleepSynonym
    /// Device texts have a creation date from now on.
    case deviceText
}
