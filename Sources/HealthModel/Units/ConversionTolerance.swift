internal import Foundation

/// How exactly two printed values can be expected to agree.
///
/// Exports print six significant digits, so a value that was converted and printed again is off by up to half a unit
/// of the sixth.
package enum ConversionTolerance {
    /// Half a unit of the sixth significant digit: 0.0005 for 123.456, and 0 for 0.
    package static func halfUnitOfSixthDigit(of printed: Double) -> Double {
        let magnitude = printed.magnitude
        guard magnitude > 0, magnitude.isFinite else { return 0 }
        var exponent = Int(log10(magnitude).rounded(.down))
        // The logarithm is rounded: near a power of ten it may be off by one.
        if pow(10, Double(exponent + 1)) <= magnitude { exponent += 1 }
        if pow(10, Double(exponent)) > magnitude { exponent -= 1 }
        return 0.5 * pow(10, Double(exponent - 5))
    }
}
