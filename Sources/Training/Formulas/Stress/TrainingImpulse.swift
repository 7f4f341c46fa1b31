internal import Foundation

/// TRIMP: minutes of heart rate, weighted by how hard they are.
///
/// Source: E. W. Banister (1991) and R. H. Morton, J. R. Fitz-Clarke, E. W. Banister (1990), J Appl Physiol 69:1171. The
/// weight is integrated over the held values, not taken of their average.
package struct TrainingImpulse: Sendable {
    /// Beats per minute at rest.
    package let restingHeartRate: Double
    /// Beats per minute.
    package let maxHeartRate: Double
    package let sex: AthleteSettings.Sex

    /// - Returns: nil where the maximum is not above the resting heart rate.
    package init?(restingHeartRate: Double, maxHeartRate: Double, sex: AthleteSettings.Sex) {
        guard maxHeartRate > restingHeartRate else { return nil }
        self.restingHeartRate = restingHeartRate
        self.maxHeartRate = maxHeartRate
        self.sex = sex
    }

    /// The impulse of one minute at a heart rate; 0 at rest and below.
    package func perMinute(_ heartRate: Double) -> Double {
        let reserve = max(0, (heartRate - restingHeartRate) / (maxHeartRate - restingHeartRate))
        return reserve * 0.64 * exp(sex.exponent * reserve)
    }

    /// The impulse of a workout's active time.
    package func value(_ heartRate: HeldValues, _ active: ActiveTime) -> Double {
        var sum = CompensatedSum()
        heartRate.forEach(in: active.workout, active) { sum.add(perMinute($0) * ($1 / 60)) }
        return sum.value
    }
}

extension AthleteSettings.Sex {
    /// The exponent b of the weight 0.64·e^(b·x) of an impulse; without a stated sex the mean of the two that were published.
    package var exponent: Double {
        switch self {
        case .male: 1.92
        case .female: 1.67
        case .unset: 1.795
        }
    }
}
