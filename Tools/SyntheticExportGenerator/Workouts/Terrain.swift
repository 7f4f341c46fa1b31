/// The hills of a workout: up and down in even ramps along the way.
struct Terrain {
    private let base: Double
    private let height: Double
    /// Metres of way from the foot of a hill to its top.
    private let ramp: Double

    /// The same for every question about one workout.
    init(_ workout: SimulatedWorkout) {
        base = 4 + Double(workout.hash >> 40 % 30)
        height = Double(workout.hash >> 48 % 18)
        ramp = 300 + Double(workout.hash >> 52 % 500)
    }

    /// Metres above the sea after some metres of way.
    func elevation(metres: Double) -> Double {
        let phase = (metres / ramp).truncatingRemainder(dividingBy: 2)
        return base + height * (phase < 1 ? phase : 2 - phase)
    }

    /// Metres climbed on the way.
    func ascent(metres: Double) -> Double {
        let hills = (metres / (2 * ramp)).rounded(.down)
        return height * (hills + min(1, (metres - hills * 2 * ramp) / ramp))
    }
}
