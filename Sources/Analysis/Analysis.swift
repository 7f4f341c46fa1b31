/// What became of what: read-only questions over the archive's changed records.
///
/// Consolidation groups and their evidence, and the labels of a comparison. Everything here reads the archive, with temporary
/// tables of its own, and decides; it writes nothing but its own results.
/// `Consolidation` is the way in; `docs/heuristics.md` describes each heuristic in `Heuristics/`.
package enum Analysis {}
