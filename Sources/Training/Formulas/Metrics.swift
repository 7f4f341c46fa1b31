/// What workouts and days amount to: formulas over arrays, and nothing else.
///
/// In reading order: instants, readings, labels and rounding (`Values/`); active time, the distance curve and held values,
/// on which every formula rests (`Series/`); the athlete's settings (`Settings/`). Nothing here reads a file, knows the
/// archive or asks for the time of day: equal input gives equal output, to the last bit. `docs/metrics.md` defines each
/// value for its users.
package enum Metrics {
    /// Counted up whenever a formula or a constant changes; it stands in every answer.
    package static let definitionsVersion: Int64 = 2
}
