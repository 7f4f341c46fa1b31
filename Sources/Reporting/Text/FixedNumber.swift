internal import Foundation

/// Numbers with a fixed number of decimals, for tables of measurements.
enum FixedNumber {
    /// `12.3`; `-` without a number. Rounded half away from zero, as JSON is.
    static func text(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.isFinite else { return "-" }
        let scale = pow(10, Double(decimals))
        let rounded = (value * scale).rounded() / scale
        return String(format: "%.\(decimals)f", rounded == 0 ? 0 : rounded)
    }
}
