extension HealthUnit {
    /// What a unit measures: the powers of the base quantities.
    ///
    /// Beside the physical ones there are those that HealthKit keeps apart though physics would not: a count is not a
    /// fraction, and a level in decibels is nothing to calculate with. The common unit is the product of the SI's base
    /// units (metre, kilogram, second, kelvin, ampere, mole) and of one of each other.
    package struct Dimension: Sendable, Hashable {
        private var powers = SIMD16<Int16>()

        /// Metres.
        static let length = Dimension(at: 0)
        /// Kilograms.
        static let mass = Dimension(at: 1)
        /// Seconds.
        static let time = Dimension(at: 2)
        /// Kelvin.
        static let temperature = Dimension(at: 3)
        /// Amperes.
        static let current = Dimension(at: 4)
        /// Moles of a substance whose molar mass is unknown.
        static let amount = Dimension(at: 5)
        /// Things counted.
        static let count = Dimension(at: 6)
        /// Fractions, which exports print as `%`: 0.97 is 97 %.
        static let fraction = Dimension(at: 7)
        /// International units of a medicine.
        static let internationalUnits = Dimension(at: 8)
        /// Decibels of sound pressure.
        static let soundPressureLevel = Dimension(at: 9)
        /// Decibels of hearing level.
        static let hearingLevel = Dimension(at: 10)
        /// Scores of perceived effort.
        static let effort = Dimension(at: 11)
        /// Prism diopters.
        static let prismPower = Dimension(at: 12)
        /// Lux.
        static let illuminance = Dimension(at: 13)
        /// Radians.
        static let angle = Dimension(at: 14)

        /// Joules.
        static let energy = mass * length.raised(to: 2) * time.raised(to: -2)
        /// Watts.
        static let power = energy * time.raised(to: -1)
        /// Pascals.
        static let pressure = mass * length.raised(to: -1) * time.raised(to: -2)
        /// Volts.
        static let voltage = power * current.raised(to: -1)
        /// Siemens.
        static let conductance = current * voltage.raised(to: -1)
        /// Cubic metres.
        static let volume = length.raised(to: 3)

        private init(at index: Int) {
            powers[index] = 1
        }

        /// The dimension of a unit raised to a power.
        func raised(to exponent: Int16) -> Dimension {
            var result = self
            result.powers = powers &* exponent
            return result
        }

        /// The dimension of a product of two units.
        static func * (lhs: Dimension, rhs: Dimension) -> Dimension {
            var result = lhs
            result.powers = lhs.powers &+ rhs.powers
            return result
        }
    }
}
