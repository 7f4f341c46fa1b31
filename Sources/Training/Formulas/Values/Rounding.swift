package import Basics

/// How values are rounded for JSON and CSV: once, at the end, half away from zero.
package enum Rounding: Int, Sendable {
    /// Pace in s/km: one decimal.
    case pace = 1
    /// Seconds, metres, bpm, ms, W, kcal: three decimals.
    case measure = 3
    /// Loads and scores: four decimals.
    case score = 4
    /// Ratios: six decimals.
    case ratio = 6

    /// A value with that many decimals. A value beyond all measure, of which no such decimal is left, stays as it is.
    package func callAsFunction(_ value: Double) -> Double {
        let scale: Double =
            switch self {
            case .pace: 10
            case .measure: 1000
            case .score: 10_000
            case .ratio: 1_000_000
            }
        let rounded = (value * scale).rounded() / scale
        return rounded.isFinite ? rounded + 0 : value
    }

    /// A value with that many decimals; `null` where there is none.
    package func json(_ value: Double?) -> JSON { .optional(value.map { self($0) }) }
}
