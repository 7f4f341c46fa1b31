/// What an import changed in its chain beyond its own rows: for what is derived from states and changes (seals,
/// aggregates).
///
/// While the import's transaction lasts, `temp.touched_copies` (id) holds every copy whose visibility or links at one of
/// these observations may have changed; it is there only when `rederived` is not empty.
package struct ChainChange: Sendable {
    /// The new observation.
    package var observation: Int64
    /// The one before it; nil for a chain's first.
    package var predecessor: Int64?
    /// The observations behind it whose change lists (and perhaps states) are other ones now, in chain order.
    package var rederived: [Int64] = []
}
