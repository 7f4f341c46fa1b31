/// Rounds to six significant decimal digits with plain IEEE arithmetic, hence alike on every machine.
enum SixDigits {
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The six digits as a number of 100,000 to 999,999 and the decimal exponent of the first of them.
    ///
    /// `value` must be positive and between about 1e-17 and 1e22.
    static func split(_ value: Double) -> (digits: Int, exponent: Int) {
        var exponent = Int((Double(value.exponent) * 0.30103).rounded(.down))
        while true {
            let scaled = scale(value, by: 5 - exponent).rounded(.toNearestOrEven)
            if scaled >= 1_000_000 {
                exponent += 1
            } else if scaled < 100_000 {
                exponent -= 1
            } else {
                return (Int(scaled), exponent)
            }
        }
    }

    private static func scale(_ value: Double, by power: Int) -> Double {
        let size = min(abs(power), 22)
        return power >= 0 ? value * powers[size] : value / powers[size]
    }
}
