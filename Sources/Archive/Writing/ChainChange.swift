/// What an import changed in its chain beyond its own rows: for what is derived from states and changes (seals,
/// aggregates).
///
/// While the transaction of an import lasts that has an `Insertion`, `temp.touched_copies` (id) holds every copy whose
/// visibility or links at one of these observations may have changed.
package struct ChainChange: Sendable {
    /// The new or supplemented observation.
    package var observation: Int64
    /// The one before it; nil for a chain's first.
    package var predecessor: Int64?
    /// The observations behind it whose change lists (and perhaps states) are other ones now, in chain order.
    package var rederived: [Int64] = []
    /// Says that the chain's days are those of another zone now; nil where they are not. It depends on the order of importing,
    /// so it belongs to the run and not to the observation.
    package var zoneChange: String?
}
